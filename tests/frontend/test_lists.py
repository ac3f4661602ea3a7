"""The lists of games: mine on this device, and the public ones."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.frontend.conftest import Complaints
from tests.frontend.person import Person
from tests.frontend.test_sharing import play_out

Ask = Callable[..., Any]


def duel(ask: Ask, name: str, rival: str = "human", **more: Any) -> Any:
    seats = [{"name": name, "player": "human"}, {"name": "Lan", "player": rival}]
    return ask("POST", "/games", {"mode": "competitive", "seats": seats, **more})


def line(page: Page, name: str) -> Locator:
    return page.locator(".game-line").filter(has_text=name)


def public(page: Page) -> Locator:
    return page.locator("section").filter(has=page.get_by_role("heading", name="Public games"))


def to_act(ask: Ask, game: Any) -> int:
    return int(ask("GET", f"/games/{game['id']}")["seat_to_act"])


def test_my_games_say_whose_turn_it_is_and_who_won(person: Person, page: Page, ask: Ask) -> None:
    expect_words = ("your turn", "Lan’s turn")
    running, over = duel(ask, "Running"), duel(ask, "Finished", seed=3)
    play_out(ask, over["id"], over["tokens"])
    for game in (running, over):
        person.sit_down(game, 0)
    person.open("#/")
    expect(line(page, "Running")).to_contain_text(expect_words[to_act(ask, running)])
    result = ask("GET", f"/games/{over['id']}")["result"]
    won = {(0,): "You won", (1,): "Lan won", (0, 1): "Finished and Lan won"}[tuple(result["winners"])]
    expect(line(page, "Finished")).to_contain_text(won)
    expect(line(page, "Finished")).to_contain_text(" : ".join(map(str, sorted(result["years"])[::-1])))
    line(page, "Finished").get_by_role("link", name="Look back").click()
    expect(page.locator(".dialog.score")).to_be_visible()


def test_the_list_of_my_games_is_kept_fresh(person: Person, page: Page, ask: Ask) -> None:
    game = duel(ask, "Fresh")
    person.sit_down(game, 0)
    person.open("#/")
    first = to_act(ask, game)
    expect(line(page, "Fresh")).to_contain_text("0 actions played")
    for _ in range(2):
        legal = ask("GET", f"/games/{game['id']}/legal-actions", token=game["tokens"][str(first)])
        body = {"expected_version": legal["version"], "action": legal["actions"][0]}
        ask("POST", f"/games/{game['id']}/actions", body, game["tokens"][str(first)])
    expect(line(page, "Fresh")).to_contain_text("2 actions played", timeout=30_000)
    expect(line(page, "Fresh")).to_contain_text("Lan’s turn" if first == 0 else "your turn")


def test_a_running_game_is_removed_only_after_a_second_word(person: Person, page: Page, ask: Ask) -> None:
    person.sit_down(duel(ask, "Unwanted"), 0)
    person.open("#/")
    forget = line(page, "Unwanted").get_by_role("button", name="Forget this game")
    forget.click()
    line(page, "Unwanted").get_by_role("button", name="Cancel").click()
    expect(forget).to_be_visible()
    forget.click()
    line(page, "Unwanted").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No game here yet.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("No game here yet.")).to_be_visible()


def test_public_games_are_filtered_joined_watched_and_looked_back_at(
    person: Person, page: Page, ask: Ask
) -> None:
    person.open("#/")
    duel(ask, "Hostess", "open", public=True)
    duel(ask, "Player", public=True)
    over = duel(ask, "Veteran", public=True)
    duel(ask, "Private")
    play_out(ask, over["id"], over["tokens"])
    page.reload()
    expect(line(page, "Hostess").get_by_role("link", name="Join")).to_be_visible()
    expect(line(page, "Player").get_by_role("link", name="Watch")).to_be_visible()
    expect(line(page, "Veteran").get_by_role("link", name="Look back")).to_be_visible()
    expect(line(page, "Private")).to_have_count(0)
    for chosen, name in (("Free seats", "Hostess"), ("Being played", "Player"), ("Over", "Veteran")):
        public(page).get_by_role("button", name=chosen, exact=True).click()
        expect(line(page, name)).to_be_visible()
        for other in {"Hostess", "Player", "Veteran"} - {name}:
            expect(line(page, other)).to_have_count(0)
    public(page).get_by_role("button", name="Free seats").click()
    line(page, "Hostess").get_by_role("link", name="Join").click()
    page.get_by_role("button", name="Take this seat").click()
    expect(page.locator(".in-hand")).to_have_count(4)


def test_a_public_game_set_up_elsewhere_appears_by_itself(person: Person, page: Page, ask: Ask) -> None:
    person.open("#/")
    page.wait_for_load_state("networkidle")
    duel(ask, "Newcomer", public=True)
    expect(line(page, "Newcomer")).to_be_visible(timeout=30_000)


def test_a_lost_connection_is_shown_beside_the_lists_and_recovered(
    person: Person, page: Page, ask: Ask, complaints: Complaints
) -> None:
    complaints.foreseen = "ERR_INTERNET_DISCONNECTED"
    person.sit_down(duel(ask, "Kept"), 0)
    person.open("#/")
    expect(line(page, "Kept")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost").first).to_be_visible(timeout=30_000)
    expect(line(page, "Kept")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).to_have_count(0, timeout=30_000)
