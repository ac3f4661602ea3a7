"""A name is text and nothing else, wherever the page shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.person import Person

Ask = Callable[..., Any]

MARKUP = "<img src=x onerror=alert(1)>"
ENTITY = "<u>Lan</u> &amp; {name} $& %s"
TURNED = "\u202e\u2066live\u2069"
FAMILY = "👩‍👩‍👧‍👦🐉 عمر"
NAMES = [MARKUP, ENTITY, TURNED, FAMILY]
SHOWN = [MARKUP, ENTITY, "live", FAMILY]


@pytest.fixture
def game(ask: Ask) -> dict[str, Any]:
    seats = [{"name": name, "player": "human"} for name in NAMES]
    return dict(ask("POST", "/games", {"mode": "competitive", "seats": seats, "public": True, "hints": True}))


def assert_only_text(page: Page) -> None:
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("u").count() == 0
    text = page.locator("body").inner_text()
    assert not {"\u202e", "\u2066", "\u2069"} & set(text + page.title())


def test_names_are_text_at_the_table_in_the_log_and_in_what_is_shared(
    person: Person, page: Page, game: dict[str, Any], ask: Ask
) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
    mover = ask("GET", f"/games/{game['id']}")["seat_to_act"]
    person.sit_down(game, mover)
    for name in SHOWN:
        expect(page.locator("h3").get_by_text(name, exact=True)).to_be_visible()
    assert_only_text(page)
    while ask("GET", f"/games/{game['id']}")["seat_to_act"] == mover:
        person.act()
    expect(page.locator("body")).to_contain_text(SHOWN[(mover + 1) % 4])
    expect(page.locator("body")).to_contain_text(SHOWN[mover])
    assert_only_text(page)


def test_names_are_text_in_the_lists_and_when_looking_back(
    person: Person, page: Page, game: dict[str, Any], ask: Ask
) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
    person.sit_down(game, 0)
    person.open("#/")
    for name in SHOWN:
        expect(page.locator("body")).to_contain_text(name)
    assert_only_text(page)
    record = ask("GET", f"/games/{game['id']}/record", token=game["tokens"]["0"])
    assert [seat["name"] for seat in record["seats"]] == NAMES, "a record keeps them letter for letter"


def test_a_name_of_ten_thousand_letters_is_not_typed(person: Person, page: Page) -> None:
    person.open("#/new")
    field = page.get_by_label("Name of seat 1")
    field.fill("")
    field.press_sequentially("x" * 60)
    assert len(field.input_value()) == 40


def test_rivals_of_one_level_are_told_apart_by_their_whole_names(
    person: Person, page: Page, ask: Ask
) -> None:
    rivals = [{"name": f"Rival {number}", "player": "average"} for number in (1, 2)]
    game = ask("POST", "/games", {"mode": "competitive", "seats": [{"player": "human"}, *rivals]})
    page.set_viewport_size({"width": 1280, "height": 720})
    person.sit_down(game, 0)
    for heading in page.locator(".player h3").all():
        assert heading.evaluate("element => element.scrollWidth <= element.clientWidth"), heading.inner_text()
