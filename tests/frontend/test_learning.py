"""The interactive first game: by mouse, keyboard and touch, kept over a reload, left at any moment."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.person import MAIN, Person
from tests.frontend.test_screens import assert_accessible, assert_fits

Ask = Callable[..., Any]

# What each step asks to be clicked, in order; the spaces are those that the ring points at.
STEPS: list[tuple[str, list[str]]] = [
    ("Draw", ["[data-place='4']", MAIN]),
    ("Draw unseen", ["[data-place=deck]", MAIN]),
    ("Seven cards", ["[data-card=water-tiger]", MAIN]),
    ("Rank", ["[data-card=wood-mouse]"]),
    ("Summon", ["ring"]),
    ("Pay", ["[data-card=wood-snake]", MAIN]),
    ("Vines and tokens", ["[data-card=wood-horse]", "ring", MAIN]),
    ("Ascend", ["[data-card=fire-mouse]", "ring", "[data-card=fire-dog]", MAIN]),
]


def expect_step(page: Page, title: str) -> None:
    expect(page.locator(".coach h2")).to_have_text(title, timeout=15_000)
    expect(page.locator(".coach")).not_to_contain_text("Lan plays", timeout=15_000)


def target(page: Page, selector: str) -> str:
    """The space below the ring, or the selector itself."""
    if selector != "ring":
        return selector
    page.wait_for_selector(".pointer")
    page.wait_for_timeout(200)  # the ring looks for its place a few times a second
    ring = page.locator(".pointer").bounding_box()
    assert ring
    middle = [ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2]
    space = page.evaluate("([x, y]) => document.elementFromPoint(x, y).dataset.space", middle)
    return f"[data-space='{space}']"


def follow(page: Page, act: Callable[[str], None], steps: list[tuple[str, list[str]]] = STEPS) -> None:
    """Does all that the coach asks for, to the last step."""
    if steps is STEPS:
        expect_step(page, "The aim")
        act(".coach .button")
    for title, clicks in steps:
        expect_step(page, title)
        for click in clicks:
            expect(page.locator(".pointer")).to_be_visible()
            act(target(page, click))
    expect_step(page, "Years, and the end")


def test_the_first_game_is_played_in_ten_steps(person: Person, page: Page, ask: Ask) -> None:
    def click(selector: str) -> None:
        page.locator(selector).click()

    person.open("#/")
    page.get_by_role("link", name="Learn by playing").click()
    follow(page, click)
    expect(page.locator(".player.me .player-years b")).to_have_text("5")

    # At the end nothing is wrong, and an action may be taken back.
    click(".card-button.offered >> nth=0")
    expect(page.locator(".stray")).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    expect_step(page, "Ascend")
    expect(page.locator(".stray")).to_have_count(0)
    follow(page, click, STEPS[-1:])

    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    page.get_by_role("button", name="Play against Beginner").dblclick()
    expect(page).to_have_url(re.compile(r"#/game/\w+$"))
    page.wait_for_selector(".table .in-hand")
    assert len([url for url in sent if url.endswith("/games")]) == 1
    game = ask("GET", "/games/" + page.url.rsplit("/", 1)[1])
    assert [seat["player"] for seat in game["seats"]] == ["human", "beginner"]
    expect(page.locator(".coach")).to_have_count(0)


def test_it_is_played_by_the_keyboard_alone(person: Person, page: Page) -> None:
    def press(selector: str) -> None:
        page.locator(selector).focus()
        page.keyboard.press("Enter")

    person.open("#/learn")
    follow(page, press)


def test_it_is_played_by_touch_on_a_phone(browser: Browser, live_server: str) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", locale="en-GB"
    )
    page = context.new_page()
    page.goto(f"{live_server}/#/learn")
    follow(page, lambda selector: page.locator(selector).tap())
    context.close()


def test_it_goes_on_after_a_reload_where_it_was(person: Person, page: Page) -> None:
    person.open("#/learn")
    page.get_by_role("button", name="Begin").click()
    page.locator("[data-place='4']").click()
    page.locator(MAIN).click()
    expect_step(page, "Draw unseen")
    page.locator("[data-place=deck]").click()
    page.reload()
    expect_step(page, "Draw unseen")
    expect(page.locator("[data-place=deck].chosen")).to_be_visible()
    page.locator(MAIN).click()
    expect_step(page, "Seven cards")


def test_it_guides_back_gently_and_sends_nothing_else(person: Person, page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    person.open("#/learn")
    page.get_by_role("button", name="Begin").click()
    expect_step(page, "Draw")
    begun = len(sent)
    page.locator("[data-place='1']").dblclick()
    expect(page.locator(".coach .stray")).to_contain_text("follow the ring")
    expect(page.locator(".card-button.chosen")).to_have_count(0)
    page.locator("[data-place='4']").click()
    expect(page.locator(".coach .stray")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".coach .stray")).to_have_count(0)
    page.get_by_role("button", name="Show me where").click()
    page.keyboard.press("Enter")
    expect(page.locator("[data-place='4'].chosen")).to_be_visible()
    assert len(sent) == begun


def test_nobody_leaves_the_lesson_by_leaving_its_seat(person: Person, page: Page) -> None:
    person.open("#/learn")
    expect_step(page, "The aim")
    page.get_by_role("button", name="Game menu").click()
    expect(page.get_by_role("dialog", name="Game menu")).to_be_visible()
    expect(page.locator(".leave")).to_have_count(0)


def test_it_is_skipped_at_any_moment(person: Person, page: Page) -> None:
    person.open("#/rules")
    page.get_by_role("link", name="Learn by playing").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Skip the lesson").click()
    expect(page.locator(".home")).to_be_visible()
    expect(page.locator(".game-line")).to_have_count(0)
    person.open("#/learn")
    expect_step(page, "The aim")


@pytest.mark.parametrize("language", ["English", "Tiếng Việt"])
def test_the_lesson_is_accessible_and_fits(
    person: Person, page: Page, picture: Callable[[str], None], language: str
) -> None:
    person.open("#/")
    page.get_by_role("button", name=language).click()
    person.open("#/learn")
    page.wait_for_selector(".coach")
    page.locator(".coach .button").click()
    page.wait_for_selector(".pointer")
    assert_accessible(page)
    assert_fits(page, one_screen=True)
    picture(f"lesson-{language[:2].lower()}")
