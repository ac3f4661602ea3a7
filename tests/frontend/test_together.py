"""Several people: at one device, by a link, and leaving."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.frontend.conftest import Complaints
from tests.frontend.person import Person
from worker import Settings, connect

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


def let_pass(settings: Settings, id: str, minutes: int) -> None:
    """Make the game's last change so much older, in the running server's own store."""
    connect(settings).hincrby(f"sb:game:{id}", "updated_at", -minutes * 60_000)


def test_an_absent_player_can_be_replaced_by_the_computer_when_the_time_has_passed(
    person: Person,
    page: Page,
    ask: Ask,
    live_settings: Settings,
    complaints: Complaints,
    picture: Callable[[str], None],
) -> None:
    complaints.foreseen = "409"
    seats = [{"name": "An", "player": "human"}, {"name": "Bình", "player": "human"}]
    game = ask("POST", "/games", {"mode": "competitive", "seats": seats, "absence_minutes": 10})
    away = ask("GET", f"/games/{game['id']}")["seat_to_act"]
    page.clock.install()
    here, absent = 1 - away, seats[away]["name"]
    person.sit_down(game, here)
    waiting = page.locator(".absent")
    expect(waiting).to_have_text(f"If {absent} stays away, the computer can take over in 10 minutes.")
    assert page.get_by_role("button", name="Let the computer play on").count() == 0
    # By the page's clock the time has passed; the server's own says when it really may be done.
    page.clock.fast_forward("11:00")
    page.get_by_label("The seat goes to").select_option("random")
    picture("absent")
    page.get_by_role("button", name="Let the computer play on").click()
    expect(page.locator(".refused[data-code=not-absent]")).to_be_visible()

    let_pass(live_settings, game["id"], minutes=11)
    page.get_by_role("button", name="Let the computer play on").click()
    expect(waiting).to_have_count(0)
    page.clock.resume()
    assert person.wait_for_turn()
    person.act(eager=0)


def test_the_time_to_wait_for_somebody_absent_is_set_with_the_table(
    person: Person, page: Page, ask: Ask
) -> None:
    person.open("#/new")
    expect(page.get_by_label("When somebody stays away")).to_have_count(0)
    page.get_by_label("Who plays seat 2").select_option("open")
    page.get_by_label("When somebody stays away").select_option(label="replaceable after 1 hour")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".table")
    assert ask("GET", "/games/" + page.url.rsplit("/", 1)[1])["absence_minutes"] == 60
