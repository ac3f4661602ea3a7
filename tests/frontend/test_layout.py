"""How the table lies on the screen: all of it visible, nothing cut off, nothing too small for a finger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.frontend.conftest import ARTEFACTS
from tests.frontend.person import Person
from tests.frontend.scenes import SCENES, record_of

Ask = Callable[..., Any]
SIZES = ((1280, 720), (1920, 1080), (390, 844), (844, 390))
LANGUAGES = {"en": "English", "vi": "Tiếng Việt"}

FAULTS = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")
TWO_FRAMES = (
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)


def settle(page: Page, width: int, height: int) -> None:
    """Resizes the window and waits until the board has been laid out anew."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(TWO_FRAMES)


def dearest_summon(page: Page, choices: dict[str, Any]) -> None:
    """Chooses the card and space with the most to decide: the panel is then at its fullest."""
    placements = [
        (
            len((placement["gains"]["ascension"] or {}).get("sources", [])),
            placement["cost"],
            summon["card"],
            placement["space"],
        )
        for summon in choices["summon"]
        for placement in summon["placements"]
        if placement["payable"]
    ]
    if placements:
        *_, card, space = max(placements)
        page.locator(f".in-hand [data-card={card}]").click()
        page.locator(f".space-button[data-space='{space}']").click()


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_cut_off_or_in_the_way(person: Person, page: Page, ask: Ask, name: str) -> None:
    game = ask("POST", "/imports", {"record": record_of(name), "purpose": "play", "hints": True})
    person.sit_down(game, 0)
    person.wait_for_turn()
    choices = ask("GET", f"/games/{game['id']}/choices", token=game["tokens"]["0"])["choices"]
    faults: dict[str, list[str]] = {}
    ARTEFACTS.mkdir(exist_ok=True)
    for state in ("idle", "summon"):
        if state == "summon":
            dearest_summon(page, choices)
        for language in LANGUAGES:
            settle(page, 1280, 720)
            page.get_by_role("button", name=LANGUAGES[language]).click()
            for width, height in SIZES:
                settle(page, width, height)
                where = f"{name}-{state}-{language}-{width}x{height}"
                page.screenshot(path=ARTEFACTS / f"layout-{where}.png")
                if found := page.evaluate(FAULTS):
                    faults[where] = found
    assert faults == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_to_every_page_is_visible_on_a_phone(person: Person, page: Page, language: str) -> None:
    person.open("#/rules")
    page.get_by_role("button", name=LANGUAGES[language]).click()
    settle(page, 390, 844)
    lines = set()
    for link in page.locator(".top nav a").all():
        place = link.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 390
        lines.add(place["y"])
    assert len(lines) == 1
