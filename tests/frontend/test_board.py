"""What the board tells beyond the cards that lie on top."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.person import Person
from tests.frontend.scenes import record_of

Ask = Callable[..., Any]


def sit_down(person: Person, ask: Ask, scene: str) -> dict[str, Any]:
    game = ask("POST", "/imports", {"record": record_of(scene), "purpose": "play"})
    person.sit_down(game, 0)
    person.wait_for_turn()
    seen: dict[str, Any] = ask("GET", f"/games/{game['id']}", token=game["tokens"]["0"])
    return seen | {"token": game["tokens"]["0"]}


def test_a_stack_lists_its_cards_to_the_mouse_and_to_the_keyboard(
    person: Person, page: Page, ask: Ask
) -> None:
    spaces = sit_down(person, ask, "crowded")["table"]["spaces"]
    stack = max(spaces, key=lambda space: len(space["cards"]))
    button = page.locator(f"[data-space='{stack['space']}']")
    listed = page.locator(".stack-list li")
    expect(listed).to_have_count(0)
    button.hover()
    expect(listed).to_have_count(len(stack["cards"]))
    page.locator(".whose").hover()
    expect(listed).to_have_count(0)
    button.focus()
    expect(listed).to_have_count(len(stack["cards"]))
    expect(page.locator(f"[data-stack='{stack['space']}'] .stack-count")).to_have_text(
        str(len(stack["cards"]))
    )
    assert "over" in (button.get_attribute("aria-label") or "")


def test_vines_grow_a_leaf_for_each_rank_that_an_animal_has_ascended_to(
    person: Person, page: Page, ask: Ask
) -> None:
    game = sit_down(person, ask, "crowded")
    ranks = {card["name"]: card["rank"] for card in ask("GET", "/rules/cards")["cards"]}
    board = next(one for one in ask("GET", "/rules/boards")["boards"] if one["name"] == game["board"])
    grown = [ranks[s["cards"][-1]] if len(s["cards"]) > 1 else 0 for s in game["table"]["spaces"]]
    due = sum(2 + grown[start] + grown[end] for start, end in board["vines"])
    expect(page.locator(".vine-leaf")).to_have_count(due)
    assert due > 2 * len(board["vines"])


def test_the_deck_shows_how_far_it_has_been_drawn(person: Person, page: Page, ask: Ask) -> None:
    game = sit_down(person, ask, "overfull")
    deck = game["table"]["deck"]
    width = page.locator(".gauge i").evaluate("(one) => parseFloat(one.style.width)")
    assert width == pytest.approx(100 * deck / (60 - 8 - 4 * 2))
    expect(page.locator(".deck-count b")).to_have_text(str(deck))


def test_hover_and_focus_on_a_card_show_where_it_may_go_and_the_cost(
    person: Person, page: Page, ask: Ask
) -> None:
    game = sit_down(person, ask, "duel")
    choices = ask("GET", f"/games/{game['id']}/choices", token=game["token"])["choices"]
    summon = next(one for one in choices["summon"] if any(place["payable"] for place in one["placements"]))
    cost = {place["space"]: place["cost"] for place in summon["placements"] if place["payable"]}
    card = page.locator(f".in-hand [data-card={summon['card']}]")
    lit = page.locator(".target.hint")
    expect(lit).to_have_count(0)
    card.hover()
    expect(lit).to_have_count(len(cost))
    shown = sorted(page.locator(".target.hint .target-cost").all_text_contents())
    assert shown == sorted(f"cost {one}" if one else "free" for one in cost.values())
    page.locator(".whose").hover()
    expect(lit).to_have_count(0)
    card.focus()
    expect(lit).to_have_count(len(cost))
    expect(page.locator(".is-target")).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_what_others_did_stays_marked_until_i_act(
    person: Person, page: Page, ask: Ask, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game = sit_down(person, ask, "crowded")
    log = ask("GET", f"/games/{game['id']}/actions", token=game["token"])["actions"]
    mine = max((entry["index"] for entry in log if entry["seat"] == 0), default=-1)
    news = {
        entry["action"]["space"]
        for entry in log
        if entry["index"] > mine and entry["action"]["type"] == "summon"
    }
    assert news
    marked = page.locator("[data-stack]:has(.news-ring)")
    expect(marked).to_have_count(len(news))
    words = page.locator(".side .log li.new" if size[0] > 1000 else ".latest li")
    expect(words.last).to_be_visible()
    page.locator(".card-button.offered").first.click()
    person.confirm()
    expect(marked).to_have_count(0)
