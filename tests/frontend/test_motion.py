"""What moves: briefly, in nobody's way, and not at all for those who do not want it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.person import MAIN, Person
from tests.frontend.scenes import record_of

Ask = Callable[..., Any]
LONGEST_MS = 800
WATCH = """() => {
  window.flown = [];
  window.longest = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (!node.classList?.contains('flight')) continue;
      window.flown.push(node.querySelector('svg').getAttribute('aria-label'));
    }
    const ends = document.getAnimations().map((one) => one.effect.getComputedTiming().endTime);
    window.longest = Math.max(window.longest, ...ends);
  }).observe(document.body, { childList: true });
}"""


def sit_down(person: Person, ask: Ask) -> dict[str, Any]:
    game: dict[str, Any] = ask("POST", "/imports", {"record": record_of("duel"), "purpose": "play"})
    person.sit_down(game, 0)
    person.wait_for_turn()
    person.page.evaluate(WATCH)
    return game


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_a_card_travels_and_delays_nothing(person: Person, page: Page, ask: Ask) -> None:
    sit_down(person, ask)
    place = page.locator(".card-button[data-place='2']")
    name = place.get_attribute("aria-label")
    place.click()
    page.locator(MAIN).click()
    page.wait_for_function("() => window.flown.length")
    # The next choice is made while it is still in the air.
    other = page.locator(".card-button.offered").first
    other.click()
    expect(page.locator(".card-button.chosen")).to_have_count(1)
    assert name in page.evaluate("window.flown")
    expect(page.locator(".flight")).to_have_count(0)
    assert 0 < page.evaluate("window.longest") <= LONGEST_MS
    assert (
        page.evaluate(
            "() => document.getAnimations().filter((one) => one.effect.target.closest('.card')).length"
        )
        == 0
    )


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_updates_in_quick_succession_end_where_they_should(person: Person, page: Page, ask: Ask) -> None:
    game = sit_down(person, ask)
    token = game["tokens"]["0"]
    version = ask("GET", f"/games/{game['id']}", token=token)["version"]
    for source in (0, 1):
        action = {"seat": 0, "type": "draw", "source": source}
        body = {"expected_version": version, "action": action}
        version = ask("POST", f"/games/{game['id']}/actions", body, token)["version"]
    page.wait_for_function("() => window.flown.length")
    person.wait_for_turn()
    expect(page.locator(".flight")).to_have_count(0)
    hand = ask("GET", f"/games/{game['id']}", token=token)["players"][0]["hand"]
    shown = [card.get_attribute("data-card") for card in page.locator(".in-hand button").all()]
    assert sorted(shown, key=str) == sorted(hand)


def test_nothing_moves_for_those_who_want_it_still(person: Person, page: Page, ask: Ask) -> None:
    sit_down(person, ask)
    page.locator(".card-button.offered").first.click()
    person.confirm()
    assert person.choose_summon()
    person.confirm()
    assert page.evaluate("window.flown") == []
    assert page.evaluate("document.getAnimations().length") == 0
