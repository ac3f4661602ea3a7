"""What may happen to a page: a newer server, two tabs, back and forward, a reload at any moment."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.frontend.conftest import Complaints
from tests.frontend.person import MAIN, Person
from tests.frontend.test_choosing import half_a_summon, start
from tests.frontend.test_screens import assert_fits

Ask = Callable[..., Any]


def newer_server(page: Page) -> None:
    """From now on the API names another script than the page's own."""

    def answer(route: Route) -> None:
        real = route.fetch()
        route.fulfill(response=real, headers={**real.headers, "stem-branch-page": "index-of-tomorrow.js"})

    page.route("**/api/v1/**", answer)


def test_a_page_of_the_servers_own_build_is_not_told_to_reload(person: Person, page: Page, ask: Ask) -> None:
    with page.expect_response("**/api/v1/rules") as answered:
        start(person, ask)
    script = page.locator("script[type=module]").get_attribute("src") or ""
    assert answered.value.headers["stem-branch-page"] == script.rpartition("/")[2]
    expect(page.locator(".outdated")).to_have_count(0)


def test_an_old_page_is_told_to_reload_without_losing_the_choice(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None]
) -> None:
    start(person, ask)
    half_a_summon(person)
    panel = page.locator(".action-text").inner_text()
    card = page.locator(".in-hand.chosen button").get_attribute("data-card")
    newer_server(page)
    notice = page.locator(".outdated")
    expect(notice).to_be_visible(timeout=15_000)
    assert page.locator(".action-text").inner_text() == panel
    picture("outdated")
    assert_fits(page, one_screen=True)
    page.unroute("**/api/v1/**")
    with page.expect_navigation():
        notice.get_by_role("button", name="Reload").click()
    expect(page.locator(f".in-hand.chosen button[data-card={card}]")).to_be_visible()
    expect(notice).to_have_count(0)


def test_the_advice_to_reload_can_wait(person: Person, page: Page) -> None:
    newer_server(page)
    person.open("#/")
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".outdated")).to_have_count(0)
    page.get_by_role("link", name="Rules").click()
    expect(page.locator(".outdated")).to_have_count(0)


def test_a_page_whose_other_parts_are_gone_is_told_to_reload(
    person: Person, page: Page, ask: Ask, complaints: Complaints
) -> None:
    """As when the server has a newer page: the table itself goes on."""
    complaints.foreseen = "404"
    page.route("**/assets/parts-*.js", lambda route: route.fulfill(status=404))
    start(person, ask)
    half_a_summon(person)
    expect(page.locator(".outdated")).to_have_count(0)
    page.get_by_role("button", name="Game menu").click()
    notice = page.locator(".outdated")
    expect(notice).to_contain_text("could not be fetched")
    expect(page.locator(".in-hand.chosen")).to_be_visible()
    page.unroute("**/assets/parts-*.js")
    with page.expect_navigation():
        notice.get_by_role("button", name="Reload").click()
    page.get_by_role("button", name="Game menu").click()
    expect(page.get_by_role("dialog", name="Game menu")).to_be_visible()


def test_two_tabs_at_one_seat_stay_together(
    person: Person, page: Page, ask: Ask, live_server: str, complaints: Complaints
) -> None:
    complaints.foreseen = "409"
    start(person, ask)
    second = page.context.new_page()
    second.goto(page.url)
    other = Person(second, live_server)
    other.wait_for_turn()
    person.act(eager=0)
    done = person.table.get_attribute("data-actions") or ""
    expect(other.table).to_have_attribute("data-actions", done, timeout=15_000)
    other.wait_for_turn()
    other.act(eager=0)
    expect(person.table).not_to_have_attribute("data-actions", done, timeout=15_000)
    second.close()


def test_a_seat_left_in_one_tab_is_left_in_the_other(
    person: Person, page: Page, ask: Ask, complaints: Complaints
) -> None:
    complaints.foreseen = "401"  # a poll with the old token may come before the other tab's news
    start(person, ask)
    second = page.context.new_page()
    second.goto(page.url)
    second.get_by_role("button", name="Game menu").click()
    second.locator(".leave summary").click()
    second.get_by_role("button", name="Leave the game").click()
    expect(page.get_by_text("You are watching. Hands stay hidden")).to_be_visible(timeout=15_000)
    second.close()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("#/gmae/abc", "no such page"),
        ("#/game", "no such page"),
        ("#/game/%E0%A4%A", "no such page"),
        ("#/game/..", "no such page"),
        ("#/ladders/%", "no such page"),
        ("#/game/nobodys?seat=7&token=%", "This game does not exist"),
        ("#/ladders/nobodys", "no such ladder"),
    ],
)
def test_an_address_that_leads_nowhere_says_so(
    person: Person, page: Page, complaints: Complaints, address: str, said: str
) -> None:
    complaints.foreseen = "404"
    person.open(address)
    expect(page.locator("main")).to_contain_text(said)
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.get_by_role("heading", name="My games on this device")).to_be_visible()


def test_back_and_forward_lead_through_home_and_games(person: Person, page: Page, ask: Ask) -> None:
    game = start(person, ask)
    person.open("#/")
    page.get_by_role("link", name="Open", exact=True).click()
    half_a_summon(person)
    card = page.locator(".in-hand.chosen button").get_attribute("data-card")
    page.go_back()
    expect(page.get_by_role("heading", name="My games on this device")).to_be_visible()
    polled: list[str] = []
    page.on(
        "request", lambda request: polled.append(request.url) if request.url.endswith(game["id"]) else None
    )
    page.wait_for_timeout(2500)  # long enough for a table that went on polling
    assert sum(url.endswith(game["id"]) for url in polled) <= 1
    page.go_forward()
    expect(page.locator(f".in-hand.chosen button[data-card={card}]")).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.locator(".table")).to_be_visible()
    assert game["id"] in page.url


def test_a_reload_at_any_moment_of_a_turn_changes_nothing(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    turns, steps = 0, 0
    # The rival plays at random, so it is open when the first card can be summoned.
    while turns < 4 or not steps:
        turns += 1
        assert person.wait_for_turn(), "no card could be summoned in a whole game"
        if page.locator(".in-hand.open").count():
            page.locator(".in-hand.open button").first.click()
            chosen = page.locator(".in-hand.chosen")
            page.reload()
            expect(chosen).to_have_count(1)
            page.locator(".space-button.is-target").first.click()
            page.reload()
            expect(page.locator(".space-button[aria-pressed=true]")).to_have_count(1)
            for _ in range(6):
                if person.can_confirm():
                    break
                page.locator(".in-hand.may-pay button, .sources .pick[aria-pressed=false]").first.click()
                said = page.locator(".action-text").inner_text()
                page.reload()
                expect(page.locator(".action-text")).to_have_text(said, use_inner_text=True)
            expect(page.locator(MAIN)).to_be_enabled()
            steps += 1
            person.confirm()
        else:
            person.act(eager=0)
        before = page.locator(".log li").count()
        page.reload()
        person.wait_for_turn()
        assert page.locator(".log li").count() >= before


def test_the_manifest_is_linked_and_the_browser_finds_no_fault_in_it(person: Person, page: Page) -> None:
    person.open("#/")
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    assert not page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
