"""What happens to a choice: reload, cancel, refusal, a stale table, a lost connection."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.frontend.conftest import Complaints
from tests.frontend.person import MAIN, Person

Ask = Callable[..., Any]
DUEL = {
    "mode": "competitive",
    "seats": [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}],
}


def start(person: Person, ask: Ask, **more: Any) -> dict[str, Any]:
    game: dict[str, Any] = ask("POST", "/games", {**DUEL, **more})
    person.sit_down(game, 0)
    person.wait_for_turn()
    return game


def half_a_summon(person: Person) -> None:
    """Draws until a card can be paid for, then chooses the card and a space."""
    for _ in range(30):
        person.wait_for_turn()
        if (
            person.page.locator(".in-hand.open").count()
            and not person.page.locator(".action:has-text('to discard')").count()
        ):
            person.page.locator(".in-hand.open button").first.click()
            person.page.locator(".space-button.is-target").first.click()
            return
        person.act(eager=0)
    raise AssertionError("no card could be summoned")


def test_a_reload_in_the_middle_of_a_choice_restores_it(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    half_a_summon(person)
    panel = page.locator(".action-text").inner_text()
    card = page.locator(".in-hand.chosen button").get_attribute("data-card")
    page.reload()
    expect(page.locator(f".in-hand.chosen button[data-card={card}]")).to_be_visible()
    expect(page.locator(".space-button[aria-pressed=true]")).to_have_count(1)
    assert page.locator(".action-text").inner_text() == panel


def test_polls_do_not_disturb_a_choice(person: Person, page: Page, ask: Ask) -> None:
    game = start(person, ask)
    half_a_summon(person)
    panel = page.locator(".action-text").inner_text()
    with page.expect_response(lambda answer: answer.url.endswith(game["id"]) and answer.status == 304):
        pass
    assert page.locator(".action-text").inner_text() == panel


def test_a_choice_is_cancelled_by_button_and_by_escape(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    half_a_summon(person)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".in-hand.chosen")).to_have_count(0)
    page.locator(".in-hand.open button").first.click()
    expect(page.locator(".in-hand.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".in-hand.chosen")).to_have_count(0)
    expect(page.locator(".space-button.is-target")).to_have_count(0)


def test_costs_and_years_show_before_the_confirmation(person: Person, page: Page, ask: Ask) -> None:
    game = start(person, ask)
    half_a_summon(person)
    card = page.locator(".in-hand.chosen button").get_attribute("data-card")
    space = page.locator(".space-button[aria-pressed=true]").get_attribute("data-space")
    choices = ask("GET", f"/games/{game['id']}/choices", token=game["tokens"]["0"])["choices"]
    summon = next(one for one in choices["summon"] if one["card"] == card)
    placement = next(one for one in summon["placements"] if one["space"] == int(space or -1))
    expect(page.locator(".cost b")).to_have_text(str(placement["cost"]))
    expect(page.locator(".cost-sum")).to_contain_text(f"rank {summon['rank']}")
    expect(page.locator(".gain-years b")).to_contain_text("+")


def test_a_card_is_drawn_by_the_keyboard_alone(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    page.locator(".card-button[data-place='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(MAIN)).to_be_enabled()
    page.locator(MAIN).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".in-hand")).to_have_count(5)


def test_a_card_is_summoned_by_the_keyboard_alone(person: Person, page: Page, ask: Ask) -> None:
    start(person, ask)
    half_a_summon(person)
    page.get_by_role("button", name="Cancel").click()
    before = page.locator(".in-hand").count()
    page.locator(".in-hand.open button").first.focus()
    page.keyboard.press("Enter")
    page.locator(".space-button.is-target").first.focus()
    page.keyboard.press("Space")
    while not person.can_confirm():
        page.locator(".in-hand.may-pay button, .sources .pick[aria-pressed=false]").first.focus()
        page.keyboard.press("Enter")
    page.locator(MAIN).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".side .log li").filter(has_text="An summoned").first).to_be_visible()
    expect(page.locator(".in-hand")).not_to_have_count(before)


def test_a_refusal_is_shown_with_its_rule_in_the_readers_language(
    person: Person, page: Page, ask: Ask, complaints: Complaints
) -> None:
    complaints.foreseen = "422"
    start(person, ask)

    def refuse(route: Route) -> None:
        body = '{"code": "payment-mismatch", "message": "No.", "rule": "R10c", "params": {}}'
        route.fulfill(status=422, content_type="application/json", body=body)

    page.route(
        "**/actions", lambda route: refuse(route) if route.request.method == "POST" else route.continue_()
    )
    page.locator(".card-button.offered").first.click()
    page.locator(MAIN).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Cards pay only if they match the element or the animal.")
    expect(alert).to_contain_text("Rule R10c")
    page.get_by_role("button", name="Tiếng Việt").click()
    expect(alert).to_contain_text("trùng hành")


def test_a_stale_table_is_read_again(person: Person, page: Page, ask: Ask, complaints: Complaints) -> None:
    complaints.foreseen = "409"
    game = start(person, ask, seed=4)
    token = game["tokens"]["0"]
    # The same seat acts elsewhere, and this page has not noticed yet.
    page.route(f"**/games/{game['id']}", lambda route: route.fulfill(status=304))
    page.wait_for_timeout(100)
    version = ask("GET", f"/games/{game['id']}", token=token)["version"]
    action = {"seat": 0, "type": "draw", "source": 0}
    ask("POST", f"/games/{game['id']}/actions", {"expected_version": version, "action": action}, token)
    page.locator(".card-button[data-place='1']").click()
    page.unroute(f"**/games/{game['id']}")
    page.locator(MAIN).click()
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile")
    expect(page.locator(".in-hand")).to_have_count(5)


def test_a_lost_connection_is_shown_and_recovered(
    person: Person, page: Page, ask: Ask, complaints: Complaints
) -> None:
    complaints.foreseen = "ERR_INTERNET_DISCONNECTED"
    start(person, ask)
    page.context.set_offline(True)
    expect(page.locator(".badge.lost")).to_be_visible(timeout=15_000)
    page.context.set_offline(False)
    expect(page.locator(".badge.lost")).to_have_count(0, timeout=15_000)
    person.act(eager=0)


WATCH = """() => {
  window.seen = [];
  const table = document.querySelector('.table');
  new MutationObserver(() => window.seen.push([Number(table.dataset.actions), performance.now()]))
    .observe(table, { attributes: true, attributeFilter: ['data-actions'] });
}"""


@pytest.mark.browser_context_args(reduced_motion="no-preference")
@pytest.mark.parametrize("quick", [False, True], ids=["after the answer", "before the answer"])
def test_the_moves_of_an_ai_are_shown_one_by_one(person: Person, page: Page, ask: Ask, quick: bool) -> None:
    game = start(person, ask)

    def answer_late(route: Route) -> None:
        """The action is answered only after the computer's turn, and so tells of it."""
        if route.request.method != "POST":
            return route.continue_()
        response = route.fetch()
        applied = response.json()
        while applied["game"]["seat_to_act"] != 0:
            applied["game"] = ask("GET", f"/games/{game['id']}", token=game["tokens"]["0"])
        return route.fulfill(response=response, json=applied)

    page.evaluate(WATCH)
    person.act(eager=0)
    before = int(person.table.get_attribute("data-actions") or 0)
    if quick:
        page.route("**/actions", answer_late)
    person.act(eager=0)
    person.wait_for_turn()
    now = int(person.table.get_attribute("data-actions") or 0)
    seen: list[list[float]] = page.evaluate("window.seen")
    assert [int(at) for at, _ in seen][-(now - before) :] == list(range(before + 1, now + 1))
