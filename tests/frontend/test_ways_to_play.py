"""Whole games without a mouse: by keys, by finger, through the list of actions; and the tone of a turn."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.frontend.person import MAIN, Person

Ask = Callable[..., Any]
MOST_KEYS = 60
DUEL = {
    "mode": "competitive",
    "seats": [{"name": "An", "player": "human"}, {"name": "Lan", "player": "random"}],
}


def sit_down(person: Person, ask: Ask) -> dict[str, Any]:
    game: dict[str, Any] = ask("POST", "/games", DUEL)
    person.sit_down(game, 0)
    return game


class Keys:
    """A person who touches nothing but the keyboard."""

    def __init__(self, person: Person) -> None:
        self.page = person.page

    def at(self, selector: str) -> bool:
        found: bool = self.page.evaluate("(one) => document.activeElement?.matches(one) ?? false", selector)
        return found

    def go(self, selector: str, key: str = "Tab") -> bool:
        for _ in range(MOST_KEYS):
            if self.at(selector):
                return True
            self.page.keyboard.press(key)
        return False

    def act(self, summon: bool) -> None:
        self.page.wait_for_selector(".in-hand.may-discard, .in-hand.open, .card-button.offered")
        if self.page.locator(".in-hand.may-discard").count():
            assert self.go(".may-discard button")
            while not self.at(MAIN):
                if not self.at(".may-discard button"):
                    self.page.keyboard.press("ArrowRight")
                self.page.keyboard.press("Enter")
        elif summon and self.page.locator(".in-hand.open").count() and self.go(".in-hand.open button"):
            self.page.keyboard.press("Space")
            expect(self.page.locator(".space-button.is-target:focus")).to_have_count(1)
            for _ in range(MOST_KEYS):
                if self.at(MAIN):
                    break
                self.page.keyboard.press("Enter")
        elif self.page.locator(".card-button.offered").count():
            assert self.go(".card-button.offered")
            self.page.keyboard.press("ArrowDown")
            self.page.keyboard.press("ArrowRight")
            if self.at(".offered"):
                self.page.keyboard.press("Enter")
            else:
                assert self.go(".card-button.offered", "ArrowLeft")
                self.page.keyboard.press("Enter")
        else:
            assert self.go(MAIN)
        expect(self.page.locator(f"{MAIN}:focus")).to_be_enabled()
        self.page.keyboard.press("Enter")


def test_a_whole_game_is_played_by_keys_alone(person: Person, page: Page, ask: Ask) -> None:
    game = sit_down(person, ask)
    keys = Keys(person)
    for turn in range(200):
        if not person.wait_for_turn():
            break
        before = person.table.get_attribute("data-actions") or ""
        keys.act(summon=turn % 3 != 1)
        expect(person.table).not_to_have_attribute("data-actions", before)
    assert ask("GET", f"/games/{game['id']}")["over"]


class Finger(Person):
    """A person who taps."""

    def press(self, target: Locator) -> None:
        target.tap()


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_a_whole_game_is_played_by_finger_alone(person: Person, page: Page, ask: Ask) -> None:
    game = sit_down(person, ask)
    done = Finger(page, person.server).play_to_the_end()
    assert done["summon"] > 3
    assert ask("GET", f"/games/{game['id']}")["over"]


def test_a_whole_game_is_played_through_the_list_of_actions(person: Person, page: Page, ask: Ask) -> None:
    game = sit_down(person, ask)
    for turn in range(200):
        if not person.wait_for_turn():
            break
        before = person.table.get_attribute("data-actions") or ""
        opener = page.locator(".list-actions")
        opener.focus()
        expect(opener).to_be_in_viewport()
        page.keyboard.press("Enter")
        actions = page.locator(".all-actions li button")
        expect(actions.first).to_be_visible()
        if turn == 2:
            names = actions.all_inner_texts()
            assert len(set(names)) == len(names)
            assert Axe().run(page).response["violations"] == []
        (actions.last if turn % 2 else actions.first).focus()
        page.keyboard.press("Enter")
        expect(person.table).not_to_have_attribute("data-actions", before)
    assert ask("GET", f"/games/{game['id']}")["over"]


def test_arrows_walk_the_board_from_space_to_space(person: Person, page: Page, ask: Ask) -> None:
    sit_down(person, ask)
    person.wait_for_turn()
    stops = page.locator(".spaces button[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    seen = set()
    for key in ["ArrowRight"] * 4 + ["ArrowDown"] * 4 + ["ArrowLeft"] * 4 + ["ArrowUp"] * 4:
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.dataset.space"))
    assert len(seen) >= 8
    assert None not in seen


def test_a_question_mark_shows_the_keys(person: Person, page: Page, ask: Ask) -> None:
    sit_down(person, ask)
    person.wait_for_turn()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("cancels what is half chosen")
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


LISTENING = """
window.tones = [];
class Quiet { connect(next) { return next } start() { window.tones.push(this.frequency) } stop() {} }
window.AudioContext = class { currentTime = 0; destination = {}; resume() { return Promise.resolve() } };
window.GainNode = class extends Quiet {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
};
window.OscillatorNode = class extends Quiet {
  constructor(context, { frequency }) { super(); this.frequency = frequency }
};
"""


def test_a_tone_sounds_when_my_turn_begins_if_i_want_it(person: Person, page: Page, ask: Ask) -> None:
    page.add_init_script(LISTENING)
    sit_down(person, ask)

    def play_a_turn() -> int:
        """How many notes are heard from one turn of mine to the next."""
        page.evaluate("window.tones.length = 0")
        turn = page.locator(".whose.mine")
        for _ in range(3):
            person.wait_for_turn()
            if "2 actions" in turn.inner_text() and _:
                break
            person.act(eager=0)
        person.wait_for_turn()
        heard: int = page.evaluate("window.tones.length")
        return heard

    person.wait_for_turn()
    while "2 actions" not in page.locator(".whose").inner_text():
        person.act(eager=0)
        person.wait_for_turn()
    assert play_a_turn() == 0
    page.get_by_role("button", name="Game menu").click()
    page.get_by_label("Sound").check()
    page.keyboard.press("Escape")
    assert play_a_turn() == 2
    page.reload()
    person.wait_for_turn()
    assert play_a_turn() == 2
