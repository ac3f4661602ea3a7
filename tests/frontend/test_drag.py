"""Dragging with the mouse and with a finger."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import Person
from tests.frontend.scenes import record_of

Ask = Callable[..., Any]
Point = tuple[float, float]
SOLO = {"mode": "cooperative", "seats": [{"name": "An", "player": "human"}]}
PLAY_AT_ONCE = "localStorage.setItem('stem-branch.confirm', 'false')"


def grip(target: Locator) -> Point:
    """A point where the thing can be taken hold of: cards of the hand cover each other's right side."""
    box = target.bounding_box()
    assert box
    return box["x"] + min(14, box["width"] / 2), box["y"] + box["height"] / 2


def mouse(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def finger(page: Page, start: Point, end: Point) -> None:
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: Point) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    send("touchStart", start)
    for part in (0.2, 0.5, 0.8, 1):
        send("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
    send("touchEnd")


class Dragger(Person):
    """A person who drags cards; only what is not a card is clicked."""

    def drag(self, source: Locator, target: Locator) -> None:
        mouse(self.page, grip(source), grip(target))

    def act(self, eager: float = 0.7) -> str:
        before = self.table.get_attribute("data-actions") or ""
        panel, hand = self.page.locator(".action"), self.page.locator(".hand")
        kind = "draw"
        if self.page.locator(".in-hand.may-discard").count():
            kind = "discard"
            wanted = int(self.page.locator(".whose .left").inner_text().split()[-1])
            for chosen in range(1, wanted + 1):
                self.drag(self.page.locator(".in-hand.may-discard button").first, panel)
                if chosen < wanted:
                    expect(self.page.locator(".in-hand.discard")).to_have_count(chosen)
        elif self.chance.random() < eager and (card := self.some(".in-hand.open button")):
            kind = "summon"
            self.page.mouse.move(*grip(card))
            self.page.mouse.down()
            self.page.mouse.move(*grip(self.page.locator(".board")), steps=3)
            space = self.some(".space-button.is-target")
            assert space, "a card that is lifted lights the spaces where it may go"
            self.page.mouse.move(*grip(space), steps=3)
            self.page.mouse.up()
            for _ in range(8):
                sending = self.page.locator(".action .button", has_text="Sending").count()
                if sending or self.table.get_attribute("data-actions") != before:
                    break
                unpaid = self.page.locator(".pay .say:not(.done)").count()
                left = self.some(".in-hand.may-pay button") if unpaid else None
                other = self.some(
                    ".moves .pick, .pay-token[aria-pressed=false]:enabled, .sources .pick[aria-pressed=false]"
                )
                if left:
                    self.drag(left, panel)
                elif other:
                    other.click()
                else:
                    break
        else:
            place = self.some(".card-button.offered")
            assert place
            self.drag(place, hand)
        expect(self.table).not_to_have_attribute("data-actions", before)
        return kind


def test_a_whole_game_is_played_by_dragging(person: Person, page: Page, ask: Ask) -> None:
    page.add_init_script(PLAY_AT_ONCE)
    game = ask("POST", "/games", SOLO)
    person.sit_down(game, 0)
    done = Dragger(page, person.server).play_to_the_end()
    assert done["summon"] > 3
    assert done["draw"] > 20
    assert ask("GET", f"/games/{game['id']}")["over"]


def test_a_card_dropped_elsewhere_does_nothing(person: Person, page: Page, ask: Ask) -> None:
    page.add_init_script(PLAY_AT_ONCE)
    game = ask("POST", "/imports", {"record": record_of("duel"), "purpose": "play"})
    person.sit_down(game, 0)
    person.wait_for_turn()
    before = person.table.get_attribute("data-actions") or ""
    nowhere = grip(page.locator(".players"))
    mouse(page, grip(page.locator(".in-hand.open button").first), nowhere)
    expect(page.locator(".in-hand.chosen, .dragged, .is-target")).to_have_count(0)
    mouse(page, grip(page.locator(".card-button.offered").first), nowhere)
    expect(page.locator(".card-button.chosen, .dragged")).to_have_count(0)
    expect(person.table).to_have_attribute("data-actions", before)


@pytest.mark.browser_context_args(has_touch=True)
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_cards_are_dragged_by_finger(person: Person, page: Page, ask: Ask, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game = ask("POST", "/imports", {"record": record_of("duel"), "purpose": "play"})
    person.sit_down(game, 0)
    person.wait_for_turn()
    card = page.locator(".in-hand.open button").first
    start = grip(card)
    card.tap()
    space = grip(page.locator(".space-button.is-target").first)
    page.keyboard.press("Escape")
    expect(page.locator(".in-hand.chosen")).to_have_count(0)
    finger(page, start, space)
    expect(page.locator(".space-button[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    finger(page, grip(page.locator(".card-button.offered").first), grip(page.locator(".hand")))
    expect(page.locator(".card-button.chosen")).to_have_count(1)
    person.confirm()
