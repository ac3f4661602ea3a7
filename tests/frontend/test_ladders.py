"""The ladder page: begun by the administrator, watched by everybody, its games looked back at."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.frontend.person import Person
from tests.frontend.test_screens import assert_accessible, assert_fits
from worker import Settings


def begin(page: Page, token: str, games: int) -> None:
    page.locator(".ladder-form summary").click()
    page.locator(".ladder-form input[type=password]").fill(token)
    for level in ("Average", "Good"):
        page.get_by_role("button", name=level, exact=True).click()
    page.get_by_role("button", name="Greedy", exact=True).click()
    page.locator(".ladder-form input[type=number]").fill(str(games))
    page.get_by_role("button", name="Begin", exact=True).click()


def test_the_administrator_begins_a_ladder_and_everybody_sees_how_it_stands(
    person: Person, page: Page, picture: Callable[[str], None], live_settings: Settings, ladder_worker: None
) -> None:
    person.open("#/ladders")
    begin(page, live_settings.admin_token, 4)
    expect(page.locator(".ladder-state")).to_have_attribute("data-state", "done", timeout=90_000)
    expect(page.locator(".scores").first.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".rating-point")).to_have_count(2)
    expect(page.locator(".ladder-state")).to_contain_text("2 of 2 matches")
    page.get_by_role("button", name="Show the games").click()
    expect(page.locator(".ladder-games li")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    picture("ladder")
    assert_accessible(page)
    assert_fits(page, one_screen=False)
    page.set_viewport_size({"width": 390, "height": 844})
    picture("ladder-phone")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Watch").first.click()
    page.wait_for_selector(".table")
    page.go_back()
    page.go_back()
    expect(page.locator(".game-line").first).to_contain_text("Finished")
    assert_accessible(page)


def test_a_wrong_token_begins_nothing_and_says_so(person: Person, page: Page, complaints) -> None:
    complaints.foreseen = "403"
    person.open("#/ladders")
    begin(page, "not-the-token-of-this-server", 4)
    expect(page.get_by_role("alert")).to_contain_text("Only the administrator")


def test_a_ladder_that_is_not_there_says_so(person: Person, page: Page, complaints) -> None:
    complaints.foreseen = "404"
    person.open("#/ladders/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("no such ladder")
