"""Several people: at one device, by a link, and leaving."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.frontend.conftest import Complaints
from tests.frontend.person import Person

Ask = Callable[..., Any]


def test_two_at_one_device_do_not_see_each_others_hands(
    person: Person, page: Page, ask: Ask, picture: Callable[[str], None]
) -> None:
    names = ["An", "Bình"]
    person.new_game("competitive", rival="human", names=names)
    curtain = page.locator(".dialog.curtain")
    turn = ask("GET", "/games/" + page.url.rsplit("/", 1)[1])["seat_to_act"]
    for round_number in range(3):
        expect(curtain).to_contain_text(names[turn])
        expect(page.locator(".in-hand")).to_have_count(0)
        if round_number == 0:
            picture("curtain")
        curtain.get_by_role("button", name=f"I am {names[turn]}").click()
        expect(page.get_by_role("region", name=f"Hand of {names[turn]}")).to_be_visible()
        assert person.wait_for_turn()
        person.act(eager=0)
        assert person.wait_for_turn()
        person.act(eager=0)
        turn = 1 - turn


def test_an_open_seat_is_joined_through_a_link_and_left_to_an_ai(
    person: Person, page: Page, ask: Ask, browser: Browser, live_server: str, complaints: Complaints
) -> None:
    complaints.foreseen = "409"  # an action sent before the page has heard of the leaving goes twice
    seats = [{"name": "An", "player": "human"}, {"name": "Free", "player": "open"}]
    game = ask("POST", "/games", {"mode": "competitive", "seats": seats})
    person.sit_down(game, 0)
    assert "token" not in page.url
    other = browser.new_context(locale="vi-VN")
    guest = other.new_page()
    guest.goto(f"{live_server}/#/game/{game['id']}")
    guest.get_by_label("Tên của bạn").fill("Khách")
    guest.get_by_role("button", name="Ngồi vào ghế này").click()
    expect(guest.locator(".in-hand")).to_have_count(4)
    expect(page.get_by_role("heading", name="Khách")).to_be_visible()
    guest.get_by_role("button", name="Trình đơn ván chơi").click()
    guest.locator(".leave summary").click()
    guest.locator(".leave select").select_option("random")
    guest.get_by_role("button", name="Rời ván").click()
    expect(guest.locator(".in-hand")).to_have_count(0)
    other.close()
    for _ in range(4):
        assert person.wait_for_turn()
        person.act(eager=0)


def test_a_record_is_exported_and_opened_for_looking_at(
    person: Person, page: Page, ask: Ask, tmp_path: Any
) -> None:
    game = ask(
        "POST", "/games", {"mode": "cooperative", "seats": [{"name": "An", "player": "human"}], "seed": 5}
    )
    person.sit_down(game, 0)
    while not (now := ask("GET", f"/games/{game['id']}"))["over"]:
        legal = ask("GET", f"/games/{game['id']}/legal-actions", token=game["tokens"]["0"])
        body = {"expected_version": now["version"], "action": legal["actions"][0]}
        ask("POST", f"/games/{game['id']}/actions", body, game["tokens"]["0"])
    page.get_by_role("button", name="Look at the table").click()
    page.get_by_role("button", name="Game menu").click()
    with page.expect_download() as got:
        page.get_by_role("button", name="Export the record").click()
    file = tmp_path / "record.json"
    got.value.save_as(file)
    person.open("#/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Only look at it").click()
    page.wait_for_selector(".table")
    expect(page.locator(".badge").first).to_have_text("Replay")
    expect(page.locator(".dialog.score")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".side .log li button").nth(2).click()
    expect(page.locator(".replay .where")).to_have_text("After action 3 of 82")
    page.get_by_role("button", name="One action back").click()
    expect(page.locator(".table")).to_have_attribute("data-actions", "2")
