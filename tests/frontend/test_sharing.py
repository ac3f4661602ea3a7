"""Handing on links: to free seats, to onlookers, to one's own other device, and to a rematch."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.person import Person

Ask = Callable[..., Any]
OPEN_TABLE = {
    "mode": "competitive",
    "seats": [{"name": "An", "player": "human"}, {"name": "Free", "player": "open"}],
}


def shared_link(page: Page, name: str = "Link to this game") -> str:
    return page.get_by_label(name).input_value()


def play_out(ask: Ask, game_id: str, tokens: dict[str, str]) -> None:
    """The people of the game play its last legal action, often a summon, until it is over."""
    deadline = time.monotonic() + 60
    while not (now := ask("GET", f"/games/{game_id}"))["over"]:
        assert time.monotonic() < deadline
        token = tokens.get(str(now["seat_to_act"]))
        legal = ask("GET", f"/games/{game_id}/legal-actions", token=token) if token else None
        if not legal or not legal["actions"]:
            time.sleep(0.02)  # a computer player is to move
            continue
        body = {"expected_version": legal["version"], "action": legal["actions"][-1]}
        ask("POST", f"/games/{game_id}/actions", body, token)


def test_a_table_with_a_free_seat_shows_its_link_and_whoever_opens_it_sits_down(
    person: Person, page: Page, browser: Browser, picture: Callable[[str], None]
) -> None:
    person.new_game("competitive", rival="open", names=["An"])
    invitation = page.get_by_role("dialog", name="Invite to the table")
    expect(invitation.get_by_role("img", name="QR code of the link")).to_be_visible()
    link = shared_link(page)
    assert "token" not in link
    picture("share-free-seat")
    other = browser.new_context(locale="en-GB")
    guest = other.new_page()
    guest.goto(link)
    guest.get_by_label("Your name").fill("Bình")
    guest.get_by_role("button", name="Take this seat").click()
    expect(guest.locator(".in-hand")).to_have_count(4)
    # The same link, opened by a third, is a place to watch from.
    onlooker = browser.new_context(locale="en-GB").new_page()
    onlooker.goto(link)
    expect(onlooker.get_by_text("You are watching. Hands stay hidden")).to_be_visible()
    expect(onlooker.locator(".in-hand")).to_have_count(0)
    onlooker.context.close()
    other.close()


def test_the_link_is_copied(person: Person, page: Page, ask: Ask) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.sit_down(ask("POST", "/games", OPEN_TABLE), 0)
    page.get_by_role("button", name="Invite to the table").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shared_link(page)


def test_the_link_is_handed_to_the_device_where_it_can_share(person: Person, page: Page, ask: Ask) -> None:
    page.add_init_script(
        "navigator.share = (what) => { window.handed = what; return Promise.reject(new Error('not now')); }"
    )
    person.sit_down(ask("POST", "/games", OPEN_TABLE), 0)
    page.get_by_role("button", name="Invite to the table").click()
    page.get_by_role("button", name="Share…").click()
    assert page.evaluate("window.handed.url") == shared_link(page)


def test_an_own_seat_goes_to_another_device_with_a_warning_and_its_token_behind_the_hash(
    person: Person, page: Page, ask: Ask, browser: Browser
) -> None:
    game = ask("POST", "/games", OPEN_TABLE)
    person.sit_down(game, 0)
    page.get_by_role("button", name="Game menu").click()
    page.get_by_role("button", name="Share the game").click()
    assert game["tokens"]["0"] not in page.content()
    page.get_by_role("button", name="Play on another device").click()
    expect(page.get_by_text("Only for yourself")).to_be_visible()
    link = shared_link(page, "Link to your seat")
    assert game["tokens"]["0"] in link.partition("#")[2]
    asked: list[str] = []
    phone = browser.new_context(locale="en-GB").new_page()
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(link)
    expect(phone.locator(".in-hand")).to_have_count(4)
    assert "token" not in phone.url
    assert not any(game["tokens"]["0"] in url.partition("#")[0] for url in asked)
    phone.context.close()


def test_the_link_is_built_from_the_address_that_the_server_says_it_has(
    person: Person, page: Page, ask: Ask
) -> None:
    def named(route: Any) -> None:
        answer = route.fetch()
        headers = {**answer.headers, "Stem-Branch-Url": "https://games.example.org"}
        route.fulfill(response=answer, headers=headers)

    page.route("**/api/v1/rules", named)
    game = ask("POST", "/games", OPEN_TABLE)
    person.sit_down(game, 0)
    page.get_by_role("button", name="Invite to the table").click()
    assert shared_link(page) == f"https://games.example.org/#/game/{game['id']}"
    expect(page.get_by_text("works on this device only")).to_have_count(0)


def test_a_link_that_only_this_device_understands_says_so(person: Person, page: Page, ask: Ask) -> None:
    person.sit_down(ask("POST", "/games", OPEN_TABLE), 0)
    page.get_by_role("button", name="Invite to the table").click()
    expect(page.get_by_text("works on this device only")).to_be_visible()


def test_a_rematch_keeps_everything_and_others_come_to_it_by_its_link(
    person: Person, page: Page, ask: Ask, browser: Browser
) -> None:
    seats = [
        {"name": "An", "player": "human"},
        {"name": "Free", "player": "open"},
        {"name": "Lan", "player": "random"},
    ]
    body = {
        "mode": "cooperative",
        "seats": seats,
        "options": {"hands": "closed", "scoring": "family"},
        "hints": True,
        "board": "terraces",
    }
    game = ask("POST", "/games", body)
    joined = ask("POST", f"/games/{game['id']}/seats/1/join", {"name": "Bình"})
    play_out(ask, game["id"], {"0": game["tokens"]["0"], "1": joined["token"]})
    person.sit_down(game, 0)
    page.get_by_role("button", name="Play again").click(timeout=30_000)
    invitation = page.get_by_role("dialog", name="Invite to the table")
    expect(invitation).to_contain_text("Bình")
    link = shared_link(page)
    again = ask("GET", "/games/" + link.rsplit("/", 1)[1])
    assert [(seat["name"], seat["player"]) for seat in again["seats"]] == [
        ("An", "human"),
        ("Bình", "open"),
        ("Lan", "random"),
    ]
    old = ask("GET", f"/games/{game['id']}")
    for what in ("mode", "options", "board", "hints", "public"):
        assert again[what] == old[what], what
    guest = browser.new_context(locale="en-GB").new_page()
    guest.goto(link)
    guest.get_by_role("button", name="Take this seat").click()
    expect(guest.locator(".hand .in-hand")).to_have_count(4)
    guest.context.close()


@pytest.mark.parametrize("looks_at", ["the scoring", "the table"])
def test_whoever_is_still_at_the_old_table_sits_down_at_the_rematch(
    person: Person, page: Page, ask: Ask, browser: Browser, looks_at: str
) -> None:
    seats = [{"name": "An", "player": "human"}, {"name": "Bình", "player": "human"}]
    game = ask("POST", "/games", {"mode": "cooperative", "seats": seats})
    play_out(ask, game["id"], game["tokens"])
    person.sit_down(game, 0)
    guest = browser.new_context(locale="en-GB").new_page()
    other = Person(guest, person.server)
    other.sit_down(game, 1)
    expect(guest.get_by_role("button", name="Play again")).to_be_visible()
    if looks_at == "the table":
        guest.get_by_role("button", name="Look at the table").click()
    page.get_by_role("button", name="Play again").click()
    guest.get_by_role("button", name="Rematch: sit down").click(timeout=15_000)
    expect(guest.locator(".table")).to_have_attribute("data-actions", "0")
    expect(guest.locator(".player.me h3")).to_have_text("Bình")
    new = ask("GET", "/games/" + guest.url.rsplit("/", 1)[1])
    assert new["id"] == ask("GET", f"/games/{game['id']}")["next_game"]
    assert new["id"] in page.url
    assert [(seat["name"], seat["player"]) for seat in new["seats"]] == [("An", "human"), ("Bình", "human")]
    guest.context.close()
