"""The daily deal: the same solo game for everybody, its first try kept in a local history."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.frontend.person import Person
from tests.frontend.test_sharing import play_out

Ask = Callable[..., Any]


def begin(page: Page, button: str = "Play today’s deal") -> str:
    page.get_by_role("button", name=button).click()
    page.wait_for_selector(".table")
    return page.url.rsplit("/", 1)[1]


def finish(page: Page, ask: Ask, game: str) -> int:
    """Plays the game out behind the page's back, which then shows its end."""
    tokens = page.evaluate("id => JSON.parse(localStorage.getItem('stem-branch.games'))[id].tokens", game)
    play_out(ask, game, tokens)
    expect(page.locator(".dialog.score")).to_be_visible(timeout=20_000)
    return int(ask("GET", f"/games/{game}")["result"]["score"])


def test_everybody_gets_the_same_deal(
    person: Person, page: Page, ask: Ask, browser: Browser, live_server: str
) -> None:
    deal = ask("GET", "/daily")
    person.open("#/daily")
    first = ask("GET", f"/games/{begin(page)}")
    assert first["mode"] == deal["mode"]
    assert first["options"] == deal["options"]
    assert not first["hints"]
    other = browser.new_context(locale="en-GB").new_page()
    other.goto(f"{live_server}/#/daily")
    second = ask("GET", f"/games/{begin(other)}")
    other.context.close()
    assert second["id"] != first["id"]
    assert second["table"] == first["table"]
    assert second["players"][0]["known"] == first["players"][0]["known"]


def test_a_begun_deal_is_continued_not_begun_again(person: Person, page: Page) -> None:
    person.open("#/daily")
    game = begin(page)
    page.wait_for_selector(".table[data-turn=mine]")
    page.go_back()
    expect(page.get_by_role("button", name="Play today’s deal")).to_have_count(0)
    page.get_by_role("link", name="Continue").click()
    page.wait_for_selector(".table")
    assert page.url.endswith(game)


def test_the_first_try_counts_and_a_second_is_marked_as_such(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None]
) -> None:
    person.open("#/daily")
    deal = ask("GET", "/daily")
    game = begin(page)
    score = finish(page, ask, game)
    end = page.locator(".daily-end")
    expect(end).to_contain_text("first try")
    expect(end).to_contain_text("1 day in a row")
    picture("daily-end")
    person.open("#/daily")
    first = page.locator(".tries li").first
    expect(first).to_contain_text(f"{score} points")
    today = page.locator(".fortnight .today")
    expect(today).to_contain_text(f"{score}")
    again = begin(page, "Play it again")
    token = page.evaluate("id => JSON.parse(localStorage.getItem('stem-branch.games'))[id].tokens[0]", again)
    for _ in range(2):  # otherwise than the first time, so that the score may differ
        legal = ask("GET", f"/games/{again}/legal-actions", token=token)
        body = {"expected_version": legal["version"], "action": legal["actions"][0]}
        ask("POST", f"/games/{again}/actions", body, token)
    finish(page, ask, again)
    expect(end).to_contain_text("try 2, not counted")
    expect(end).to_contain_text(f"Your first try counts: {score} points")
    person.open("#/daily")
    expect(page.locator(".tries li")).to_have_count(2)
    expect(page.locator(".tries li").nth(1)).to_contain_text("not counted")
    expect(today).to_contain_text(f"{score}")
    person.open("#/")
    expect(page.get_by_role("link", name="Daily deal", exact=False).first).to_contain_text(f"{score} points")
    expect(page.locator(".game-line").first).to_contain_text("Daily deal of")
    assert deal["date"] == ask("GET", "/daily")["date"], "midnight fell into this test: run it again"


def test_the_history_shows_scores_with_rank_names_and_the_streak(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None]
) -> None:
    today = date.fromisoformat(ask("GET", "/daily")["date"])
    scores = [(1, 33, "good"), (2, 47, "expert"), (3, 12, "apprentice"), (5, 0, None), (13, 26, "average")]
    kept = {
        (today - timedelta(days=days)).isoformat(): [{"id": f"old{days}", "score": score, "rank": rank}]
        for days, score, rank in scores
    }
    person.open("#/daily")
    page.evaluate("kept => localStorage.setItem('stem-branch.daily', kept)", json.dumps(kept))
    page.reload()
    columns = page.locator(".fortnight ol li")
    expect(columns).to_have_count(14)
    expect(columns.nth(12)).to_contain_text("33 points · Good")
    expect(columns.nth(11)).to_contain_text("47 points · Expert")
    expect(columns.nth(9)).to_contain_text("not played")
    expect(columns.nth(8)).to_contain_text("0 points")
    sums = page.locator(".daily-sums")
    expect(sums).to_contain_text("3 days in a row")
    expect(sums).to_contain_text("best 47")
    expect(sums).to_contain_text("average 24")
    picture("daily-history")


def test_a_try_that_ended_elsewhere_is_looked_up(person: Person, page: Page, ask: Ask) -> None:
    person.open("#/daily")
    game = begin(page)
    tokens = page.evaluate("id => JSON.parse(localStorage.getItem('stem-branch.games'))[id].tokens", game)
    person.open("#/about")
    play_out(ask, game, tokens)
    score = ask("GET", f"/games/{game}")["result"]["score"]
    person.open("#/daily")
    expect(page.locator(".tries li").first).to_contain_text(f"{score} points")
