"""Whoever plays by keyboard never has to look for the focus."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.person import Person
from tests.frontend.test_choosing import start

Ask = Callable[..., Any]


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))


@pytest.mark.parametrize("name", ["Game menu", "Discards:"])
@pytest.mark.parametrize("shut", ["Escape", "Close"])
def test_a_dialog_gives_the_focus_back(person: Person, page: Page, ask: Ask, name: str, shut: str) -> None:
    start(person, ask)
    button = page.get_by_role("button", name=name)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    if shut == "Escape":
        page.keyboard.press("Escape")
    else:
        page.locator("dialog .close").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(button).to_be_focused()


def test_a_dialog_that_another_one_opened_gives_it_back_as_well(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    page.get_by_role("button", name="Game menu").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keys and gestures").press("Enter")
    expect(page.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Game menu")).to_be_focused()


@pytest.mark.parametrize("first", [".card-button.offered", ".in-hand.open button"])
def test_a_cancelled_choice_gives_the_focus_back_to_what_was_chosen(
    person: Person, page: Page, ask: Ask, first: str
) -> None:
    start(person, ask, seed=4)
    for _ in range(20):
        if page.locator(first).count():
            break
        person.act(eager=0)
        person.wait_for_turn()
    card = page.locator(first).first
    card.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".action .buttons").get_by_role("button", name="Cancel")).to_be_enabled()
    assert "card-button" not in focused(page)
    page.keyboard.press("Escape")
    expect(card).to_be_focused()


def test_a_game_begun_by_keyboard_begins_with_something_to_do(person: Person, page: Page) -> None:
    person.open("#/")
    page.get_by_role("button", name="Solo").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".table[data-turn=mine]")
    page.wait_for_function("document.activeElement.matches('.card-button')")
