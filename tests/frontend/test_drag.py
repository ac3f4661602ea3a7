"""Dragging with the mouse and with a finger."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import Person
from tests.frontend.scenes import record_of

Ask = Callable[..., Any]
Point = tuple[float, float]
SOLO = {
    "mode": "cooperative",
    "seats": [{"name": "An", "player": "human"}],
    "options": {"move": "any"},
    "seed": 4,
}
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
    """A person who drags everything: cards, tokens, stacks. What was dragged is counted."""

    def __init__(self, page: Page, server: str, seed: int = 1) -> None:
        super().__init__(page, server, seed)
        self.dragged: dict[str, int] = {}

    def press(self, target: Locator) -> None:
        raise AssertionError("nothing is clicked")

    def drag(self, source: Locator, target: Locator, what: str = "card") -> None:
        mouse(self.page, grip(source), grip(target))
        self.dragged[what] = self.dragged.get(what, 0) + 1

    def drag_to_one(self, source: Locator, places: str) -> None:
        """Where it may go is lit once it is lifted."""
        self.page.mouse.move(*grip(source))
        self.page.mouse.down()
        self.page.mouse.move(*grip(self.page.locator(".board")), steps=3)
        place = self.some(places)
        assert place, "what is lifted lights the spaces where it may go"
        self.page.mouse.move(*grip(place), steps=3)
        self.page.mouse.up()

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
            self.drag_to_one(card, ".space-button.is-target")
            for _ in range(8):
                sending = self.page.locator(".action .button", has_text="Sending").count()
                if sending or self.table.get_attribute("data-actions") != before:
                    break
                if not self.drag_what_is_open(panel):
                    break
        else:
            place = self.some(".card-button.offered")
            assert place
            self.drag(place, hand)
        expect(self.table).not_to_have_attribute("data-actions", before)
        return kind

    def drag_what_is_open(self, panel: Locator) -> bool:
        """One step of a summon: a stack moves or stays, a card or a token pays, a token is gained."""
        if self.page.locator(".moves").count():
            stack = self.some("[data-lift=stack]")
            assert stack
            stays = self.page.locator("[data-move-to=none]").count() and self.chance.random() < 0.5
            if stays:
                self.put_back(stack)
            else:
                self.drag_to_one(stack, ".space-button.is-target:not([data-lift])")
                self.dragged["stack"] = self.dragged.get("stack", 0) + 1
        elif self.page.locator(".pay .say:not(.done)").count():
            token = self.some(".player.me [data-lift=pay]")
            card = self.some(".in-hand.may-pay button")
            if token:
                self.drag(token, panel, "token that pays")
            elif card:
                self.drag(card, panel)
        elif (
            self.page.locator(".sources").count()
            and not self.page.locator(".sources [aria-pressed=true]").count()
        ):
            gained = self.some(":is(.space-button, svg)[data-lift]:not([data-lift=pay], [data-lift=stack])")
            assert gained
            self.drag(gained, self.page.locator(".player.me"), "token gained")
        else:
            return False
        return True

    def put_back(self, stack: Locator) -> None:
        x, y = grip(stack)
        mouse(self.page, (x, y), (x + 12, y + 12))
        self.dragged["stack put back"] = self.dragged.get("stack put back", 0) + 1


def test_a_whole_game_is_played_by_dragging(person: Person, page: Page, ask: Ask) -> None:
    page.add_init_script(PLAY_AT_ONCE)
    game = ask("POST", "/games", SOLO)
    person.sit_down(game, 0)
    dragger = Dragger(page, person.server)
    done = dragger.play_to_the_end()
    assert done["summon"] > 3
    assert done["draw"] > 20
    assert set(dragger.dragged) == {"card", "stack", "stack put back", "token that pays", "token gained"}
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
