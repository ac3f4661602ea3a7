"""Whatever is pressed twice happens once, and nobody is told of a refusal that is of their own making."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.frontend.person import Person
from tests.frontend.records import played

Ask = Callable[..., Any]
OPEN = [{"name": "An", "player": "human"}, {"name": "Free", "player": "open"}]


@pytest.fixture
def posts(page: Page) -> list[str]:
    """The addresses posted to, from now on."""
    sent: list[str] = []
    page.on("request", lambda asked: asked.method == "POST" and sent.append(asked.url))
    return sent


def slowly(page: Page, address: str) -> None:
    """Answers come so late that the second press finds the first one under way."""
    page.route(address, lambda route: (page.wait_for_timeout(400), route.continue_()))


@pytest.mark.parametrize("late", [False, True])
def test_a_seat_is_taken_and_left_once(
    person: Person, page: Page, ask: Ask, posts: list[str], late: bool
) -> None:
    game = ask("POST", "/games", {"mode": "competitive", "seats": OPEN})
    if late:
        slowly(page, "**/seats/**")
    person.open(f"#/game/{game['id']}")
    page.get_by_role("button", name="Take this seat").dblclick()
    expect(page.locator(".in-hand")).to_have_count(4)
    page.get_by_role("button", name="Game menu").click()
    page.locator(".leave summary").click()
    page.get_by_role("button", name="Leave the game").dblclick()
    expect(page.locator(".in-hand")).to_have_count(0)
    page.wait_for_timeout(500)
    expect(page.locator(".refused")).to_have_count(0)
    assert len(posts) == 2


def test_a_record_is_loaded_once(person: Person, page: Page, posts: list[str], tmp_path: Any) -> None:
    import json

    file = tmp_path / "game.json"
    file.write_text(json.dumps(played()))
    person.open("#/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Only look at it").dblclick()
    page.wait_for_selector(".table")
    assert len(posts) == 1


def test_a_rematch_is_made_once(person: Person, page: Page, ask: Ask, browser: Browser) -> None:
    game = ask("POST", "/games", {"mode": "cooperative", "seats": [{"player": "human"}], "seed": 3})
    token = game["tokens"]["0"]
    while not (read := ask("GET", f"/games/{game['id']}", token=token))["over"]:
        [action, *_] = ask("GET", f"/games/{game['id']}/legal-actions", token=token)["actions"]
        body = {"expected_version": read["version"], "action": action}
        ask("POST", f"/games/{game['id']}/actions", body, token=token)
    person.sit_down(game, 0)
    sent: list[str] = []
    page.on("request", lambda asked: asked.method == "POST" and sent.append(asked.url))
    expect(page.locator(".dialog.score")).to_be_visible()
    page.locator(".dialog.score .button.main").dblclick()
    expect(page.locator(".table")).to_have_attribute("data-actions", "0")
    expect(page.locator(".refused")).to_have_count(0)
    assert len(sent) == 1
