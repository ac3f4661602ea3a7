"""Looking back: step by step, by the slider, by itself, with anybody's eyes, and by a link."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import Person
from tests.frontend.records import played
from tests.frontend.test_screens import assert_accessible, assert_fits

Ask = Callable[..., Any]


@pytest.fixture
def replay(person: Person, page: Page, ask: Ask) -> str:
    """The id of a finished game between two, imported to look at; it is open, its scoring closed."""
    game = ask("POST", "/imports", {"record": played(), "purpose": "replay"})
    person.open(f"#/game/{game['id']}")
    expect(page.locator(".dialog.score")).to_be_visible()
    page.keyboard.press("Escape")
    identity: str = game["id"]
    return identity


def expect_position(page: Page, index: int) -> None:
    expect(page.locator(".table")).to_have_attribute("data-actions", str(index))


def button(page: Page, name: str) -> Locator:
    return page.locator(".replay").get_by_role("button", name=name, exact=True)


def test_a_finished_game_is_stepped_through(
    person: Person, page: Page, ask: Ask, replay: str, picture: Callable[[str], None]
) -> None:
    last = ask("GET", f"/games/{replay}")["actions_played"]
    expect_position(page, last)
    button(page, "First").click()
    expect_position(page, 0)
    button(page, "One action on").click()
    expect_position(page, 1)
    button(page, "One action on").click()
    expect_position(page, 2)
    expect(page.locator(".side .log [aria-current=step]")).to_have_count(1)
    for theme in ("dark", "light"):
        page.locator(".theme select").select_option(theme)
        assert_accessible(page)
    assert_fits(page, one_screen=True)
    picture("replay")
    button(page, "One action back").click()
    expect_position(page, 1)
    button(page, "Last").click()
    expect_position(page, last)
    expect(button(page, "One action on")).to_be_disabled()


def test_the_slider_goes_anywhere_by_keyboard_and_the_log_follows(page: Page, ask: Ask, replay: str) -> None:
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    expect_position(page, 0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect_position(page, 3)
    expect(slider).to_have_attribute("aria-valuetext", "After action 3")
    slider.fill("10")
    expect_position(page, 10)
    entry = ask("GET", f"/games/{replay}/actions?after=8&limit=1")["actions"][0]
    expect(page.locator(".side .log [aria-current=step]")).to_contain_text({0: "An", 1: "Lan"}[entry["seat"]])


def test_it_plays_by_itself_to_the_end_and_stops(page: Page, ask: Ask, replay: str) -> None:
    last = ask("GET", f"/games/{replay}")["actions_played"]
    page.get_by_role("slider").fill(str(last - 3))
    expect_position(page, last - 3)
    page.get_by_label("Speed").select_option("4")
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    expect_position(page, last)
    expect(button(page, "Play")).to_be_visible()
    page.get_by_label("Speed").select_option("1")
    button(page, "Play").click()  # once more, from the start
    expect_position(page, 1)
    button(page, "Pause").click()
    page.wait_for_timeout(1600)  # longer than a step
    expect_position(page, 1)


def test_everybodys_eyes_can_be_borrowed(page: Page, ask: Ask, replay: str) -> None:
    page.get_by_role("slider").fill("4")
    expect_position(page, 4)
    cards = {
        eyes: [player["hand"] for player in ask("GET", f"/games/{replay}/positions/4?seat={eyes}")["players"]]
        for eyes in ("0", "1", "spectator")
    }
    hand = page.locator(".in-hand button")
    for eyes, own in (("0", 0), ("1", 1)):
        page.get_by_label("Seen by").select_option(eyes)
        expect(page).to_have_url(f"{page.url.split('?')[0]}?at=4&eyes={eyes}")
        shown = hand.evaluate_all("cards => cards.map((card) => card.dataset.card)")
        assert sorted(shown) == sorted(cards[eyes][own])
    page.get_by_label("Seen by").select_option("spectator")
    expect(page.locator(".in-hand")).to_have_count(0)


def test_a_link_opens_its_position_and_the_address_follows(
    person: Person, page: Page, replay: str, live_server: str
) -> None:
    address = f"{live_server}/#/game/{replay}"
    page.goto("about:blank")
    person.open(f"#/game/{replay}?at=7&eyes=1")
    expect_position(page, 7)
    expect(page.get_by_label("Seen by")).to_have_value("1")
    expect(page.locator(".dialog.score")).to_have_count(0)
    button(page, "One action on").click()
    expect(page).to_have_url(f"{address}?at=8&eyes=1")
    page.reload()
    expect_position(page, 8)
    page.evaluate("location.hash = location.hash.replace('at=8', 'at=2')")
    expect_position(page, 2)
    person.open("#/rules")
    page.go_back()
    expect_position(page, 2)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button(page, "Copy the link to this position").click()
    expect(button(page, "Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}?at=2&eyes=1"


def test_a_link_beyond_the_end_opens_the_end(person: Person, page: Page, ask: Ask, replay: str) -> None:
    last = ask("GET", f"/games/{replay}")["actions_played"]
    page.goto("about:blank")
    person.open(f"#/game/{replay}?at=999&eyes=9")
    expect_position(page, last)


def test_looking_back_is_nobodys_turn_of_ones_own(person: Person, page: Page, ask: Ask) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}]
    game = ask("POST", "/games", {"mode": "competitive", "seats": seats})
    person.sit_down(game, 0)
    person.wait_for_turn()
    person.act(eager=0)
    person.wait_for_turn()
    expect(page.locator(".whose")).to_contain_text("Your turn")
    page.locator(".side .log li button").first.click()
    expect(page.locator(".whose")).to_contain_text(re.compile("^(An|Lan)"))
    expect(page).to_have_title(re.compile("^(An|Lan)"))
    page.keyboard.press("Escape")
    expect(page.locator(".whose")).to_contain_text("Your turn")


def test_looking_back_in_a_running_game_keeps_the_choice(person: Person, page: Page, ask: Ask) -> None:
    body = {"mode": "cooperative", "seats": [{"name": "An", "player": "human"}]}
    game = ask("POST", "/games", body)
    person.sit_down(game, 0)
    for _ in range(3):
        person.act(eager=0)
    page.locator(".card-button.offered").first.click()
    page.locator(".side .log li button").first.click()
    expect_position(page, 1)
    expect(page).to_have_url(f"{person.server}/#/game/{game['id']}?at=1")
    expect(page.get_by_label("Seen by")).to_have_count(0)
    button(page, "One action on").click()
    expect_position(page, 2)
    button(page, "Back to now").click()
    expect_position(page, 3)
    expect(page).to_have_url(f"{person.server}/#/game/{game['id']}")
    expect(page.locator(".card-button.offered.chosen")).to_have_count(1)


def test_a_record_from_a_file_opens_with_its_bar(person: Person, page: Page, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(played("cooperative", 1, actions=12)), encoding="utf-8")
    person.open("#/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Only look at it").click()
    expect_position(page, 12)
    expect(page.get_by_role("slider")).to_have_value("12")
    button(page, "First").click()
    expect_position(page, 0)


@pytest.mark.parametrize("text", ["no json", "null", "[]", '{"format": "x"}', '{"format": 1}'])
def test_a_file_that_is_no_record_is_refused_before_anything_is_offered(
    person: Person, page: Page, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "record.json"
    file.write_text(text)
    person.open("#/")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".import .warn")).to_have_text("That file is not a game record.")
    expect(page.locator(".import button")).to_have_count(0)


def test_a_step_moves_as_it_did_at_the_table(browser: Any, ask: Ask, live_server: str) -> None:
    game = ask("POST", "/imports", {"record": played(), "purpose": "replay"})
    page = browser.new_page(reduced_motion="no-preference")
    at = next(
        entry["index"]
        for entry in ask("GET", f"/games/{game['id']}/actions")["actions"]
        if entry["action"]["type"] == "summon"
    )
    page.goto(f"{live_server}/#/game/{game['id']}?at={at}")
    expect_position(page, at)
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState === 'finished')")
    button(page, "One action on").click()
    page.wait_for_function("() => document.getAnimations().some((one) => one.playState === 'running')")
    expect_position(page, at + 1)
    page.close()
