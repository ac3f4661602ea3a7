"""The rules with their pictures, and what each symbol means."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import Person
from tests.frontend.records import played
from tests.frontend.test_screens import assert_accessible, assert_fits

Ask = Callable[..., Any]


@pytest.fixture
def tip(page: Page) -> Locator:
    return page.get_by_role("tooltip")


@pytest.fixture
def table(person: Person, page: Page, ask: Ask) -> Page:
    """A table on which every kind of symbol lies."""
    game = ask("POST", "/imports", {"record": played(actions=40), "purpose": "replay"})
    person.open(f"#/game/{game['id']}")
    page.wait_for_selector(".table")
    return page


def test_a_link_opens_the_rules_at_its_section(person: Person, page: Page) -> None:
    person.open("#/rules/cost")
    heading = page.get_by_role("heading", name="Cost")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="The end").click()
    expect(page.get_by_role("heading", name="The end")).to_be_in_viewport()
    page.go_back()
    expect(heading).to_be_in_viewport()


def test_every_section_that_can_be_drawn_is(person: Person, page: Page) -> None:
    person.open("#/rules")
    for section in ("cards", "setup", "turn", "summon", "cost", "ascend", "years", "coop", "hidden"):
        expect(page.locator(f"#rules-{section} .pictures svg").first).to_be_visible()
    expect(page.locator(".signs li")).to_have_count(11)
    expect(page.locator("#rules-cost .vine-shared")).to_have_count(2)
    expect(page.locator(".scale li")).to_have_count(7)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["English", "Tiếng Việt"])
def test_the_rules_are_accessible_in_both_themes(
    person: Person, page: Page, language: str, theme: str
) -> None:
    person.open("#/rules")
    page.get_by_role("button", name=language).click()
    page.locator(".theme select").select_option(theme)
    assert_accessible(page)
    assert_fits(page, one_screen=False)


@pytest.mark.parametrize(
    ("symbol", "meaning"),
    [
        (".player .token.animal-token", "token"),
        (".player .token:not(.animal-token)", "token: pays for"),
        (".player .flower-icon", "flower on the year track"),
        (".player-years", "year"),
        (".player summary", "Cards in hand"),
        (".in-hand .reach", "of 5"),
        (".in-hand .seal", ""),
        ("[data-place=deck]", "the last round begins"),
    ],
)
def test_a_symbol_tells_its_meaning_below_the_pointer(
    table: Page, tip: Locator, symbol: str, meaning: str
) -> None:
    table.locator(symbol).first.hover()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(meaning)
    expect(tip).not_to_be_empty()
    expect(tip).to_be_in_viewport(ratio=1)
    table.keyboard.press("Escape")
    expect(tip).to_have_count(0)


def test_a_tooltip_comes_with_the_keyboards_focus(table: Page, tip: Locator) -> None:
    table.keyboard.press("Tab")
    table.locator("[data-place=deck]").focus()
    expect(tip).to_contain_text("left in the deck")
    table.get_by_role("button", name="Game menu").focus()
    expect(tip).to_have_count(0)


def test_a_tooltip_comes_with_a_long_press_and_not_with_a_tap(table: Page, tip: Locator) -> None:
    token = table.locator(".player .token").first
    finger = {"pointerType": "touch", "isPrimary": True, "bubbles": True}
    token.dispatch_event("pointerdown", finger)
    token.dispatch_event("pointerup", finger)
    table.wait_for_timeout(700)
    expect(tip).to_have_count(0)
    token.dispatch_event("pointerdown", finger)
    expect(tip).to_be_visible()
    token.dispatch_event("pointerup", finger)
    expect(tip).to_be_visible()
    table.locator(".board").dispatch_event("pointerdown", finger)
    expect(tip).to_have_count(0)
