"""A hint at the table: asked for, read, taken over, and never in the way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.frontend.person import MAIN, Person
from tests.frontend.test_analysis import percent
from tests.frontend.test_screens import assert_accessible

Ask = Callable[..., Any]
SEATS = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}]


@pytest.fixture
def hint_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Hint", exact=True)


def start(person: Person, ask: Ask, mode: str = "competitive", hints: bool = True) -> dict[str, Any]:
    game: dict[str, Any] = ask("POST", "/games", {"mode": mode, "seats": SEATS, "hints": hints, "seed": 4})
    person.sit_down(game, 0)
    person.wait_for_turn()
    return game


def hold_hints(page: Page) -> Callable[[], None]:
    """Keeps answers about hints back until what it returns is called."""
    held: list[Route] = []
    holding = True
    page.route("**/hint", lambda route: held.append(route) if holding else route.continue_())

    def let_go() -> None:
        nonlocal holding
        holding = False
        for route in held:
            route.continue_()

    return let_go


def test_a_hint_words_the_best_actions_with_their_win_chance(
    person: Person, page: Page, ask: Ask, hint_button: Locator, picture: Callable[[str], None]
) -> None:
    game = start(person, ask)
    hint_button.click()
    offered = page.locator(".hint-list li")
    expect(offered.first).to_be_visible(timeout=20_000)
    candidates = ask("GET", f"/games/{game['id']}/hint", token=game["tokens"]["0"])["candidates"]
    expect(offered).to_have_count(len(candidates))
    for shown, candidate in zip(offered.all(), candidates, strict=True):
        expect(shown.locator(".outlook")).to_have_text(percent(candidate["outlook"][0]))
        verb = {"draw": "Take|Draw", "summon": "Summon"}[candidate["action"]["type"]]
        expect(shown).to_contain_text(re.compile(verb))
    expect(page.locator(".hint-list .best")).to_have_count(1)
    expect(offered.first.locator(".best")).to_have_text("best")
    for theme in ("dark", "light"):
        page.locator(".theme select").select_option(theme)
        assert_accessible(page)
    picture("hint")


def test_a_chosen_hint_is_one_click_away_from_being_played(
    person: Person, page: Page, ask: Ask, hint_button: Locator
) -> None:
    game = start(person, ask)
    offered = page.locator(".hint-list button")
    summons: list[int] = []
    # The rival plays at random, so which turn is the first with a summon worth naming is open.
    while not summons:
        assert person.wait_for_turn(), "no hint named a summon in a whole game"
        hint_button.click()
        expect(offered.first).to_be_visible(timeout=20_000)
        candidates = ask("GET", f"/games/{game['id']}/hint", token=game["tokens"]["0"])["candidates"]
        summons = [at for at, one in enumerate(candidates) if one["action"]["type"] == "summon"]
        if not summons:
            person.act(eager=0)
    chosen = summons[0]
    offered.nth(chosen).click()
    expect(page.locator(MAIN)).to_be_enabled()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".in-hand.chosen")).to_have_count(0)
    offered.nth(chosen).click()
    person.confirm()
    played = ask("GET", f"/games/{game['id']}/actions")["actions"]
    mine = [entry["action"] for entry in played if entry["seat"] == 0]
    assert mine[-1] == candidates[chosen]["action"]


def test_in_co_op_a_hint_tells_the_expected_score(
    person: Person, page: Page, ask: Ask, hint_button: Locator
) -> None:
    game = start(person, ask, "cooperative")
    hint_button.click()
    expect(page.locator(".hint-list li").first).to_be_visible(timeout=20_000)
    best = ask("GET", f"/games/{game['id']}/hint", token=game["tokens"]["0"])["candidates"][0]
    expect(page.locator(".hint-list .outlook").first).to_have_text(f"{best['outlook'][0]:.1f} points")


def test_a_game_without_hints_offers_none(person: Person, ask: Ask, hint_button: Locator) -> None:
    start(person, ask, hints=False)
    expect(hint_button).to_have_count(0)


def test_a_hint_that_arrives_late_leaves_a_half_made_choice_alone(
    person: Person, page: Page, ask: Ask, hint_button: Locator
) -> None:
    start(person, ask)
    let_go = hold_hints(page)
    hint_button.click()
    page.wait_for_function("() => document.querySelector('.hint [role=status]')")
    page.locator(".card-button.offered").first.click()
    label = page.locator(MAIN).inner_text()
    let_go()
    expect(hint_button).to_be_visible(timeout=20_000)
    assert page.locator(MAIN).inner_text() == label
    expect(page.locator(".card-button.offered.chosen")).to_have_count(1)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".hint-list li").first).to_be_visible()


def test_a_hint_is_gone_with_its_action(person: Person, page: Page, ask: Ask, hint_button: Locator) -> None:
    start(person, ask)
    let_go = hold_hints(page)
    hint_button.click()
    page.wait_for_function("() => document.querySelector('.hint [role=status]')")
    page.locator(".card-button.offered").first.click()
    person.confirm()
    person.wait_for_turn()
    expect(hint_button).to_be_visible()
    with page.expect_response("**/hint"):
        let_go()
    expect(hint_button).to_be_visible()
    expect(page.locator(".hint-list, .hint [role=status]")).to_have_count(0)


def test_a_hint_that_takes_too_long_is_called_off(
    person: Person, page: Page, ask: Ask, hint_button: Locator
) -> None:
    start(person, ask)
    page.route("**/hint", lambda route: None)
    hint_button.click()
    page.locator(".hint").get_by_role("button", name="Stop").click()
    expect(hint_button).to_be_visible()
    expect(page.locator(".hint [role=status]")).to_have_count(0)
