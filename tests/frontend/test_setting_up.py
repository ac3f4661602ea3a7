"""Setting a game up: what the form offers and remembers, and games begun with one press."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.frontend.person import Person

Ask = Callable[..., Any]


def game_here(page: Page, ask: Ask) -> Any:
    page.wait_for_selector(".table")
    return ask("GET", "/games/" + page.url.rsplit("/", 1)[1])


def start(page: Page) -> None:
    page.get_by_role("button", name="Start the game").click()


def test_a_game_against_the_computer_begins_with_one_press(person: Person, page: Page, ask: Ask) -> None:
    person.open("")
    page.get_by_role("button", name="Against the computer").click()
    game = game_here(page, ask)
    assert game["mode"] == "competitive"
    assert [seat["player"] for seat in game["seats"]] == ["human", "average"]
    assert game["hints"]


def test_a_solo_game_begins_with_one_press(person: Person, page: Page, ask: Ask) -> None:
    person.open("")
    page.get_by_role("button", name="Solo").click()
    game = game_here(page, ask)
    assert game["mode"] == "cooperative"
    assert [seat["player"] for seat in game["seats"]] == ["human"]


def test_hints_are_on_for_one_person_and_off_among_several_unless_chosen(
    person: Person, page: Page, ask: Ask
) -> None:
    person.open("#/new")
    hints = page.get_by_label("Hints")
    expect(hints).to_be_checked()
    page.get_by_label("Who plays seat 2").select_option("human")
    expect(hints).not_to_be_checked()
    start(page)
    assert game_here(page, ask)["hints"] is False
    person.open("#/new")
    page.get_by_label("Who plays seat 2").select_option("random")
    expect(hints).to_be_checked()
    start(page)
    assert game_here(page, ask)["hints"] is True


def test_the_form_remembers_what_was_chosen_last_time(person: Person, page: Page, ask: Ask) -> None:
    person.open("#/new")
    page.locator("input[name=mode][value=cooperative]").check(force=True)
    page.get_by_role("group", name="Players").get_by_role("button", name="3").click()
    page.get_by_label("Name of seat 1").fill("An")
    page.get_by_label("Who plays seat 3").select_option("random")
    page.get_by_role("group", name="Hands").get_by_role("button", name="Closed").click()
    page.get_by_label("Hints").uncheck()
    start(page)
    first = game_here(page, ask)
    person.open("#/new")
    expect(page.get_by_label("Name of seat 1")).to_have_value("An")
    expect(page.get_by_label("Who plays seat 3")).to_have_value("random")
    start(page)
    page.wait_for_url(lambda url: not url.endswith(("new", first["id"])))
    second = game_here(page, ask)
    assert second["id"] != first["id"]
    for what in ("mode", "seats", "options", "hints"):
        assert second[what] == first[what]
    assert second["options"]["hands"] == "closed"
    assert not second["hints"]


def test_a_kept_choice_that_the_server_no_longer_knows_is_let_go(person: Person, page: Page) -> None:
    person.open("#/new")
    kept = json.dumps({"seats": [{"name": "", "player": "human"}, {"name": "", "player": "oracle"}]})
    page.evaluate("kept => localStorage.setItem('stem-branch.plan', kept)", kept)
    page.reload()
    expect(page.get_by_label("Who plays seat 2")).to_have_value("average")


def test_every_level_says_how_it_plays_and_thinks(person: Person, page: Page, ask: Ask) -> None:
    person.open("#/new")
    players = ask("GET", "/rules/players")["players"]
    page.get_by_text("What the levels can do").click()
    said = page.locator(".levels dd").all_inner_texts()
    assert len(said) == len(players)
    assert len(set(said)) == len(players)
    assert all(text.endswith(".") for text in said)
    rival = page.get_by_label("Who plays seat 2")
    rival.select_option("master")
    expect(rival).to_have_accessible_description(said[-1])
    assert f"{players[-1]['seconds']:g} s" in said[-1]
