"""After the game: how the chances went, where they turned, and what would have been better."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.person import Person
from tests.frontend.records import played
from tests.frontend.test_screens import assert_accessible

Ask = Callable[..., Any]


@pytest.fixture
def look_at(person: Person, page: Page, ask: Ask) -> Callable[..., str]:
    """Imports a record made by `played` to look at, opens it and answers with its id."""

    def look(**kind: Any) -> str:
        game = ask("POST", "/imports", {"record": played(**kind), "purpose": "replay"})
        person.open(f"#/game/{game['id']}")
        page.wait_for_selector(".table")
        identity: str = game["id"]
        return identity

    return look


def percent(chance: float) -> str:
    """As the page rounds: halves upwards."""
    return f"{math.floor(chance * 100 + 0.5)}%"


def analyse(page: Page) -> None:
    page.locator(".replay").get_by_role("button", name="Analysis").click()
    page.locator(".analysis[data-done=true]").wait_for(timeout=60_000)


def test_the_scoring_leads_to_the_analysis(page: Page, look_at: Callable[..., str]) -> None:
    look_at()
    page.locator(".dialog.score").get_by_role("button", name="Analysis").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.locator(".analysis[data-done=true]").wait_for(timeout=60_000)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Game menu").click()
    page.locator("dialog[open]").get_by_role("button", name="Analysis").click()
    expect(page.locator(".analysis[data-done=true]")).to_be_visible()


def test_each_seat_has_its_line_and_each_turning_point_its_better_action(
    page: Page, ask: Ask, look_at: Callable[..., str], picture: Callable[[str], None]
) -> None:
    game = look_at(actions=16)
    analyse(page)
    judged = ask("GET", f"/games/{game}/analysis")["judgements"]
    turning = [one for one in judged if one["better"]]
    assert turning, "people who choose at random err"
    lines = page.locator(".analysis .graph .line")
    expect(lines).to_have_count(2)
    dashes = lines.evaluate_all("all => all.map((line) => getComputedStyle(line).strokeDasharray)")
    assert len(set(dashes)) == 2
    rows = page.locator(".turning li")
    expect(rows).to_have_count(len(turning))
    expect(page.locator(".analysis .point")).to_have_count(len(turning))
    for row, one in zip(rows.all(), turning, strict=True):
        seat = one["seat"]
        expect(row).to_contain_text(re.compile("Better: (Draw|Take|Summon|Discard)"))
        expect(row).to_contain_text(f"{percent(one['before'][seat])} → {percent(one['after'][seat])}")
    page.get_by_text("As a table").click()
    for theme in ("dark", "light"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert_accessible(page)
    picture("analysis")


def test_a_turning_point_opens_its_position_and_leads_to_the_next(
    page: Page, ask: Ask, look_at: Callable[..., str], picture: Callable[[str], None]
) -> None:
    game = look_at(actions=32)
    analyse(page)
    turning = [one["index"] for one in ask("GET", f"/games/{game}/analysis")["judgements"] if one["better"]]
    assert len(turning) > 1
    row = page.locator(".turning button").first
    row.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".dialog")).to_have_count(0)
    expect(page.locator(".table")).to_have_attribute("data-actions", str(turning[0]))
    expect(page.locator(".replay .better")).to_contain_text("Better:")
    expect(page.locator(".ghost, .place .chosen")).not_to_have_count(0)
    picture("turning-point")
    page.get_by_role("button", name="Next turning point").click()
    expect(page.locator(".table")).to_have_attribute("data-actions", str(turning[1]))
    page.get_by_role("button", name="Previous turning point").click()
    expect(page.locator(".table")).to_have_attribute("data-actions", str(turning[0]))
    expect(page.get_by_role("button", name="Previous turning point")).to_be_disabled()
    page.locator(".replay").get_by_role("button", name="One action on").click()
    expect(page.locator(".replay .better")).to_contain_text("Better:")


def test_a_click_on_the_graph_opens_the_position_there(page: Page, look_at: Callable[..., str]) -> None:
    look_at(actions=16)
    analyse(page)
    graph = page.locator(".analysis .graph svg")
    box = graph.bounding_box()
    assert box
    point = page.locator(".analysis .point").last
    at = int(point.get_attribute("data-index") or "-1")
    point.click(force=True)
    expect(page.locator(".table")).to_have_attribute("data-actions", str(at))
    analyse(page)
    graph.click(position={"x": 2, "y": box["height"] / 2})
    expect(page.locator(".table")).to_have_attribute("data-actions", "0")


def test_the_graph_is_a_table_for_whoever_does_not_see_it(
    page: Page, ask: Ask, look_at: Callable[..., str]
) -> None:
    game = look_at(actions=8)
    analyse(page)
    page.get_by_text("As a table").click()
    rows = page.locator(".chances tbody tr")
    expect(rows).to_have_count(8)
    judged = ask("GET", f"/games/{game}/analysis")["judgements"]
    for row, one in zip(rows.all(), judged, strict=True):
        shown = row.locator("td").all_inner_texts()
        assert shown[1:] == [percent(chance) for chance in one["after"]]
    row = rows.nth(3).get_by_role("button")
    row.click()
    expect(page.locator(".table")).to_have_attribute("data-actions", "3")


def test_together_the_expected_score_is_told(page: Page, ask: Ask, look_at: Callable[..., str]) -> None:
    game = look_at(mode="cooperative", seats=2, actions=14)
    analyse(page)
    expect(page.locator(".analysis .graph .line")).to_have_count(1)
    judged = ask("GET", f"/games/{game}/analysis")["judgements"]
    page.get_by_text("As a table").click()
    expect(page.locator(".chances tbody tr").last).to_contain_text(f"{judged[-1]['after'][0]:.1f}")


def test_an_analysis_interrupted_by_a_reload_goes_on(page: Page, look_at: Callable[..., str]) -> None:
    look_at(actions=40)
    page.locator(".replay").get_by_role("button", name="Analysis").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.reload()
    analyse(page)
    expect(page.locator(".analysis .graph .line")).to_have_count(2)


def test_turning_points_are_there_again_after_a_reload_and_for_whoever_has_the_link(
    person: Person, page: Page, look_at: Callable[..., str], browser: Browser
) -> None:
    look_at(actions=16)
    analyse(page)
    row = page.locator(".turning li").first
    row.get_by_role("button").first.click()
    said = page.locator(".replay .verdict-line").inner_text()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if "/analysis" in request.url else None)
    page.reload()
    expect(page.locator(".replay .verdict-line")).to_have_text(said, use_inner_text=True)
    assert set(asked) == {"GET"}, "nothing is worked out anew"
    guest = browser.new_context(locale="en-GB").new_page()
    guest.goto(page.url)
    expect(guest.locator(".replay .verdict-line")).to_have_text(said, use_inner_text=True)
    guest.context.close()
