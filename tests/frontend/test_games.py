"""Whole games through the page."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.frontend.person import Person

Picture = Callable[[str], None]


def test_a_two_player_game_against_an_ai_from_set_up_to_final_scoring(
    person: Person, page: Page, ask: Callable[..., Any], picture: Picture
) -> None:
    person.new_game("competitive", rival="random")
    done = person.play_to_the_end()
    assert done["draw"] > 5
    assert done["summon"] > 3
    game = ask("GET", "/games/" + page.url.rsplit("/", 1)[1])
    assert game["over"]
    rows = page.locator(".scores tbody tr")
    expect(rows).to_have_count(2)
    shown = {int(text) for text in rows.locator(".total").all_inner_texts()}
    assert shown == set(game["result"]["years"])
    picture("scoring-competitive")


def test_a_solo_game_from_set_up_to_its_score_and_rank(
    person: Person, page: Page, ask: Callable[..., Any], picture: Picture
) -> None:
    person.new_game("solo")
    person.play_to_the_end()
    game = ask("GET", "/games/" + page.url.rsplit("/", 1)[1])
    assert game["over"]
    expect(page.locator(".verdict")).to_contain_text(f"{game['result']['score']} points")
    picture("scoring-solo")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector(".table[data-actions='0']")


def test_four_at_one_table_play_some_rounds(
    person: Person, ask: Callable[..., Any], picture: Picture
) -> None:
    seats = [{"name": name, "player": "random"} for name in ("Lan", "Minh", "Hoa")]
    game = ask(
        "POST", "/games", {"mode": "competitive", "seats": [{"name": "An", "player": "human"}, *seats]}
    )
    person.sit_down(game, 0)
    for _ in range(8):
        if person.wait_for_turn():
            person.act()
    picture("table-four-players")


def test_a_co_operative_game_with_any_move(person: Person, ask: Callable[..., Any], picture: Picture) -> None:
    body = {
        "mode": "cooperative",
        "seats": [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}],
        "options": {"move": "any", "hands": "closed"},
        "board": "terraces",
    }
    person.sit_down(ask("POST", "/games", body), 0)
    for _ in range(12):
        if person.wait_for_turn():
            person.act(eager=1)
    picture("table-co-operative")
