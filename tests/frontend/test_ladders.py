"""The ladder page: begun by the administrator, watched by everybody, its games looked back at."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import Person
from tests.frontend.test_screens import assert_accessible, assert_fits
from worker import Settings


def fill_in(page: Page, token: str, players: list[str], games: int) -> None:
    page.locator(".ladder-form summary").click()
    page.get_by_label("Administrator’s token").fill(token)
    while page.locator(".entrant").count() > len(players):
        page.get_by_role("button", name="Remove").first.click()
    while page.locator(".entrant").count() < len(players):
        page.get_by_role("button", name="Add a player").click()
    for number, name in enumerate(players, 1):
        player(page, number).get_by_label("Player", exact=True).select_option(label=name)
    page.get_by_label("Games").fill(str(games))


def player(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Player {number}", exact=True)


def begin(page: Page) -> None:
    page.get_by_role("button", name="Begin", exact=True).click()


def test_the_administrator_begins_a_ladder_and_everybody_sees_how_it_stands(
    person: Person, page: Page, picture: Callable[[str], None], live_settings: Settings, ladder_worker: None
) -> None:
    person.open("#/ladders")
    fill_in(page, live_settings.admin_token, ["Greedy", "Beginner"], 4)
    begin(page)
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
    fill_in(page, "not-the-token-of-this-server", ["Greedy", "Beginner"], 4)
    begin(page)
    expect(page.get_by_role("alert")).to_contain_text("Only the administrator")


def sent(page: Page) -> dict[str, Any]:
    """What the page asks for when a ladder is begun; the server's answer is awaited."""
    with page.expect_response(lambda answer: answer.request.method == "POST") as awaited:
        begin(page)
    assert awaited.value.status == 201, awaited.value.text()
    return dict(awaited.value.request.post_data_json)


def test_a_ladder_is_begun_with_budgets_a_seed_a_gauntlet_and_a_bot_of_the_server(
    person: Person, page: Page, picture: Callable[[str], None], live_settings: Settings
) -> None:
    person.open("#/ladders")
    fill_in(page, live_settings.admin_token, ["mine", "Master", "Master", "Greedy"], 12)
    budget = [player(page, number).get_by_label("Budget") for number in (1, 2, 3, 4)]
    expect(budget[3]).to_have_count(0)
    assert budget[0].locator("option").all_inner_texts() == ["its own time", "seconds an action"]
    budget[1].select_option("seconds")
    player(page, 2).get_by_label("seconds an action").fill("0.1")
    budget[2].select_option("iterations")
    player(page, 3).get_by_label("tries an action").fill("800")
    page.get_by_label("At a table").select_option("3")
    page.get_by_label("Who plays whom").select_option(label="The first player against all others")
    page.get_by_label("Seed").fill("42")
    picture("ladder-form")
    assert_accessible(page)
    assert_fits(page, one_screen=False)
    page.set_viewport_size({"width": 390, "height": 844})
    assert_fits(page, one_screen=False)
    picture("ladder-form-phone")
    assert sent(page) == {
        "mode": "competitive", "seats": 3, "games": 12, "seed": 42, "gauntlet": True,
        "players": [
            {"player": "mine"},
            {"player": "master", "name": "master 0.1 s", "seconds": 0.1},
            {"player": "master", "name": "master 800", "iterations": 800},
            {"player": "greedy"},
        ],
    }  # fmt: skip
    expect(page.locator("h1")).to_have_text("mine, master 0.1 s, master 800, greedy"[:80])
    page.get_by_role("button", name="Stop for good").click()
    expect(page.locator(".ladder-state")).to_have_attribute("data-state", "stopped")


def test_a_co_op_ladder_has_its_options_and_may_have_a_single_seat(
    person: Person, page: Page, live_settings: Settings
) -> None:
    person.open("#/ladders")
    page.get_by_role("button", name="Tiếng Việt").click()
    expect(page.locator(".ladder-form summary")).to_have_text("Mở giải đấu")
    page.get_by_role("button", name="English").click()
    fill_in(page, live_settings.admin_token, ["Greedy", "Random"], 4)
    page.get_by_role("group", name="How to play").get_by_role("button", name="Co-operative").click()
    page.get_by_label("At a table").select_option("1")
    page.get_by_role("group", name="Moving a stack").get_by_role("button", name="Any").click()
    page.get_by_role("button", name="Remove").first.click()
    expect(page.locator(".entrant")).to_have_count(1)
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    assert sent(page) == {
        "mode": "cooperative", "seats": 1, "games": 4, "seed": 1, "players": [{"player": "random"}],
        "options": {"move": "any"},
    }  # fmt: skip
    page.get_by_role("button", name="Stop for good").click()
    expect(page.locator(".ladder-state")).to_have_attribute("data-state", "stopped")


def test_too_few_players_for_the_seats_begin_nothing(person: Person, page: Page) -> None:
    person.open("#/ladders")
    fill_in(page, "any", ["Greedy", "Random"], 4)
    page.get_by_label("At a table").select_option("4")
    expect(page.get_by_role("status").filter(has_text="need 4 players")).to_be_visible()
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_disabled()


def test_a_ladder_that_is_not_there_says_so(person: Person, page: Page, complaints) -> None:
    complaints.foreseen = "404"
    person.open("#/ladders/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("no such ladder")
