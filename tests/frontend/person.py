"""Plays through the page as a person does: by looking at what it offers and clicking."""

import random
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

MAIN = ".action .button.main"


class Person:
    def __init__(self, page: Page, server: str, seed: int = 1) -> None:
        self.page = page
        self.server = server
        self.chance = random.Random(seed)

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.server}/{path}")

    def sit_down(self, game: dict[str, Any], *seats: int) -> None:
        """Opens a game, taking over the tokens of these seats as a link would."""
        for seat in seats:
            self.open(f"#/game/{game['id']}?seat={seat}&token={game['tokens'][str(seat)]}")
            self.page.wait_for_selector(".table, .notice")
        self.page.wait_for_selector(".table")

    def new_game(self, kind: str, rival: str | None = None, names: Sequence[str] = ()) -> None:
        """Sets a game up on the page itself."""
        self.open("#/new")
        self.page.locator(f"input[name=mode][value={kind}]").check(force=True)
        if rival:
            self.page.get_by_label("Who plays seat 2").select_option(rival)
        for seat, name in enumerate(names, 1):
            self.page.get_by_label(f"Name of seat {seat}").fill(name)
        self.page.get_by_role("button", name="Start the game").click()
        self.page.wait_for_selector(".table")

    def press(self, target: Locator) -> None:
        target.click()

    @property
    def table(self) -> Locator:
        return self.page.locator(".table")

    def wait_for_turn(self) -> bool:
        """True when something is to be done here, False when the game is over."""
        self.page.wait_for_selector(".table[data-turn=mine], .dialog.score", timeout=30_000)
        return not self.page.locator(".dialog.score").is_visible()

    def some(self, selector: str) -> Locator | None:
        found = self.page.locator(selector)
        count = found.count()
        return found.nth(self.chance.randrange(count)) if count else None

    def confirm(self) -> None:
        """Presses the one main button and waits until the table has moved on."""
        before = self.table.get_attribute("data-actions")
        self.press(self.page.locator(MAIN))
        expect(self.table).not_to_have_attribute("data-actions", before or "", timeout=15_000)

    def can_confirm(self) -> bool:
        return self.page.locator(MAIN).is_enabled()

    def act(self, eager: float = 0.7) -> str:
        """One action, chosen at random among what lights up; says which kind it was."""
        if self.page.locator(".in-hand.discard, .in-hand.may-discard").count():
            while not self.can_confirm():
                self.press(self.page.locator(".in-hand.may-discard button").first)
            self.confirm()
            return "discard"
        if self.chance.random() < eager and self.choose_summon():
            self.confirm()
            return "summon"
        place = self.some(".card-button.offered")
        if place:
            self.press(place)
        elif not self.choose_summon():
            assert self.can_confirm(), "neither draw nor summon nor pass"
            self.confirm()
            return "pass"
        self.confirm()
        return "draw"

    def choose_summon(self) -> bool:
        """Chooses card, space, move, payment and gain, up to the confirmation."""
        card = self.some(".in-hand.open button")
        if not card:
            return False
        self.press(card)
        space = self.some(".space-button.is-target")
        assert space, "a card that can be summoned has a lit space"
        self.press(space)
        if self.page.locator(".moves").count():
            for _ in range(2):
                pick = self.some(".moves .pick") or self.some(".space-button.is-target")
                if pick and self.page.locator(".moves").count():
                    self.press(pick)
        for _ in range(5):
            if self.can_confirm():
                return True
            source = self.some(".sources .pick[aria-pressed=false]")
            pay = self.some(".in-hand.may-pay button") or self.some(
                ".pay-token[aria-pressed=false]:not(:disabled)"
            )
            chosen = pay or source
            assert chosen, "an unfinished summon offers something to choose"
            self.press(chosen)
        return self.can_confirm()

    def play_to_the_end(self, limit: int = 300) -> dict[str, int]:
        """Plays on until the final scoring; counts the kinds of actions."""
        done: dict[str, int] = {}
        for _ in range(limit):
            if not self.wait_for_turn():
                return done
            kind = self.act()
            done[kind] = done.get(kind, 0) + 1
        raise AssertionError("the game did not end")
