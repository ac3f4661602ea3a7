"""Every screen: accessible, without sideways scrolling, in both languages and themes."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.frontend.person import Person
from tests.frontend.test_sharing import play_out

Ask = Callable[..., Any]
SIZES = ((1280, 720), (390, 844))


def assert_accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]


def assert_fits(page: Page, one_screen: bool) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        wide, tall = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert wide <= width, f"{wide} px at {width}"
        assert tall <= height or not one_screen, f"{tall} px at {height}"
    page.set_viewport_size({"width": 1280, "height": 720})


def assert_accessible_by_day_and_night(page: Page) -> None:
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert_accessible(page)


@pytest.fixture(params=["en", "vi"])
def language(page: Page, request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    page.add_init_script(f"localStorage.setItem('stem-branch.language', '{chosen}')")
    return chosen


@pytest.mark.parametrize("name", ["home", "new", "daily", "rules", "almanac", "about"])
def test_a_screen_is_accessible_and_fits(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None], name: str, language: str
) -> None:
    if name == "home":
        seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "open"}]
        person.sit_down(ask("POST", "/games", {"mode": "competitive", "seats": seats, "public": True}), 0)
    person.open("#/" if name == "home" else f"#/{name}")
    page.wait_for_selector(".sheet")
    if name == "almanac":
        page.locator("input[type=date]").fill("1984-01-15")
        page.locator("button[type=submit]").click()
        expect(page.locator(".born-name")).to_have_text("Quý Hợi")
    if name == "new":
        page.locator("input[value=cooperative]").check(force=True)
        for more in page.locator(".more summary").all():
            more.click()
    if name == "daily":
        page.wait_for_selector(".today-deal .button")
    page.wait_for_load_state("networkidle")
    picture(f"{name}-{language}")
    assert_accessible_by_day_and_night(page)
    assert_fits(page, one_screen=False)


def test_every_dialog_of_the_table_is_accessible(person: Person, page: Page, ask: Ask, language: str) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "open"}]
    game = ask("POST", "/games", {"mode": "competitive", "seats": seats, "hints": True})
    person.sit_down(game, 0)
    dialog = page.locator("dialog[open]")
    for opener in (".menu-button:not(.log-button)", ".stream .link", ".action .link"):
        page.locator(opener).first.click()
        expect(dialog).to_be_visible()
        assert_accessible_by_day_and_night(page)
        if opener == ".action .link":
            dialog.locator(".link").click()
            expect(dialog.locator(".warn")).to_be_visible()
            assert_accessible_by_day_and_night(page)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".log-button").click()
    assert_accessible_by_day_and_night(page)


def test_the_curtain_is_accessible(person: Person, page: Page, ask: Ask, language: str) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "human"}]
    game = ask("POST", "/games", {"mode": "competitive", "seats": seats})
    first = ask("GET", f"/games/{game['id']}")["seat_to_act"]
    person.sit_down(game, 1 - first, first)  # the other one looked last
    page.wait_for_selector(".dialog.curtain")
    assert_accessible_by_day_and_night(page)


@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
def test_the_end_of_a_game_is_accessible(
    person: Person, page: Page, ask: Ask, language: str, mode: str
) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "human"}]
    game = ask("POST", "/games", {"mode": mode, "seats": seats, "seed": 4})
    play_out(ask, game["id"], game["tokens"])
    person.sit_down(game, 0)
    page.wait_for_selector(".dialog.score")
    assert_accessible_by_day_and_night(page)
    page.keyboard.press("Escape")
    assert_accessible_by_day_and_night(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
def test_the_table_is_accessible_and_fits_one_screen_in_every_state(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None], theme: str, mode: str
) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}]
    game = ask("POST", "/games", {"mode": mode, "seats": seats, "seed": 21})
    person.sit_down(game, 0)
    page.locator(".theme select").select_option(theme)
    for _ in range(9):
        if person.wait_for_turn():
            person.act(eager=0.3)
    person.wait_for_turn()
    assert_accessible(page)
    picture(f"table-{mode}-{theme}")
    while not person.choose_summon():
        person.act(eager=0)
        person.wait_for_turn()
    assert_accessible(page)
    assert_fits(page, one_screen=True)
    picture(f"summon-{mode}-{theme}")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Discards").click()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Game menu").click()
    assert_accessible(page)


def test_a_full_hand_keeps_a_fingers_width_for_each_card_on_a_phone(
    person: Person, page: Page, ask: Ask
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    person.sit_down(
        ask("POST", "/games", {"mode": "cooperative", "seats": [{"name": "An", "player": "human"}]}), 0
    )
    while page.locator(".in-hand").count() < 8:
        person.act(eager=0)
    left = page.locator(".in-hand").evaluate_all(
        "cards => cards.map((card) => card.getBoundingClientRect().left)"
    )
    assert min(b - a for a, b in pairwise(left)) >= 44
