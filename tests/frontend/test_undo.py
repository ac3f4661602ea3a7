"""Taking an action back, and playing with or without a confirmation."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.frontend.person import MAIN, Person
from tests.frontend.scenes import record_of

Ask = Callable[..., Any]


def sit_down_at(person: Person, ask: Ask, scene: str) -> dict[str, Any]:
    game: dict[str, Any] = ask("POST", "/imports", {"record": record_of(scene), "purpose": "play"})
    person.sit_down(game, 0)
    person.wait_for_turn()
    return game


def take_back(page: Page) -> Locator:
    return page.get_by_role("button", name="Take back")


def hand(page: Page) -> list[str | None]:
    return [card.get_attribute("data-card") for card in page.locator(".in-hand button").all()]


def summon(person: Person) -> None:
    assert person.choose_summon()
    person.confirm()


def test_a_summon_is_taken_back_and_another_one_played(person: Person, page: Page, ask: Ask) -> None:
    sit_down_at(person, ask, "duel")
    before, played = hand(page), person.table.get_attribute("data-actions") or ""
    entries = page.locator(".side .log li button").count()
    expect(take_back(page)).to_have_count(0)
    summon(person)
    assert hand(page) != before
    take_back(page).click()
    expect(person.table).to_have_attribute("data-actions", played)
    assert hand(page) == before
    expect(page.locator(".side .log li button")).to_have_count(entries)
    expect(take_back(page)).to_have_count(0)
    summon(person)
    expect(take_back(page)).to_be_visible()


def test_a_card_drawn_unseen_cannot_be_taken_back(person: Person, page: Page, ask: Ask) -> None:
    sit_down_at(person, ask, "duel")
    page.locator(".card-button[data-place=deck]").click()
    person.confirm()
    expect(take_back(page)).to_have_count(0)


def test_those_who_watch_see_and_hear_what_was_taken_back(
    person: Person, page: Page, ask: Ask, browser: Browser, live_server: str
) -> None:
    game = sit_down_at(person, ask, "duel")
    other = browser.new_context(locale="en-GB")
    watching = other.new_page()
    watching.goto(f"{live_server}/#/game/{game['id']}")
    watching.wait_for_selector(".table")
    played = watching.locator(".table").get_attribute("data-actions") or ""
    summon(person)
    expect(watching.locator(".table")).not_to_have_attribute("data-actions", played)
    card = watching.locator(".side .log li button b, .side .log li button .chip").last
    expect(card).to_be_visible()
    take_back(page).click()
    expect(watching.locator(".table")).to_have_attribute("data-actions", played)
    expect(watching.locator("[aria-live]")).to_contain_text("An took back: An summoned")
    expect(watching.locator(".side .log .taken-back")).to_contain_text("An took back")
    summon(person)
    expect(watching.locator(".side .log .taken-back")).to_have_count(0)
    other.close()


def test_a_second_tab_follows_an_action_taken_back_and_played_anew(
    person: Person, page: Page, ask: Ask, live_server: str
) -> None:
    game = sit_down_at(person, ask, "duel")
    second = page.context.new_page()
    second.goto(f"{live_server}/#/game/{game['id']}")
    second.wait_for_selector(".table[data-turn=mine]")
    summon(person)
    played = person.table.get_attribute("data-actions") or ""
    expect(second.locator(".table")).to_have_attribute("data-actions", played)
    # The second tab sleeps while the first takes back and draws instead: as many actions, but others.
    second.route(f"**/games/{game['id']}", lambda route: route.fulfill(status=304))
    take_back(page).click()
    expect(take_back(page)).to_have_count(0)
    page.locator(".card-button.offered").first.click()
    person.confirm()
    second.unroute(f"**/games/{game['id']}")
    expect(second.locator(".in-hand")).to_have_count(len(hand(page)))
    assert hand(second) == hand(page)
    assert (
        second.locator(".side .log li").last.inner_text() == page.locator(".side .log li").last.inner_text()
    )


def test_without_confirmation_the_last_click_plays(person: Person, page: Page, ask: Ask) -> None:
    sit_down_at(person, ask, "duel")
    page.get_by_role("button", name="Game menu").click()
    page.get_by_label("Confirm every action").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    person.wait_for_turn()
    played = int(person.table.get_attribute("data-actions") or 0)
    page.locator(".card-button.offered").first.click()
    expect(person.table).to_have_attribute("data-actions", str(played + 1))
    page.locator(".in-hand.open button").first.click()
    page.locator(".space-button.is-target").first.click()
    while person.table.get_attribute("data-actions") == str(played + 1):
        expect(
            page.locator(".sources .pick, .in-hand.may-pay, .table:not([data-turn=mine])").first
        ).to_be_visible()
        left = page.locator(".in-hand.may-pay button, .sources .pick[aria-pressed=false]")
        if left.count():
            left.first.click()


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_confirm_and_cancel_never_move(person: Person, page: Page, ask: Ask, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sit_down_at(person, ask, "duel")

    def places() -> list[Any]:
        return [page.locator(selector).bounding_box() for selector in (MAIN, ".action .quiet-button")]

    idle = places()
    page.locator(".card-button.offered").first.click()
    assert places() == idle
    page.locator(".card-button[data-place=deck].offered, .card-button.offered").last.click()
    assert places() == idle
    page.keyboard.press("Escape")
    assert person.choose_summon()
    assert places() == idle
