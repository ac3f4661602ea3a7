"""Deals and random play for the tests, without the engine: records from a seed, and actions by a taste."""

from __future__ import annotations

import itertools
import random
from typing import Any

from tests.engine.reference import ANIMALS, CARDS, ELEMENTS

Json = dict[str, Any]

# R2, typed out once more: the engine's data file is held against it.
SCROLL: Json = {
    "name": "scroll",
    "vines": [
        *([space, (space + 1) % 10] for space in range(10)),
        *([space, 10] for space in range(5)),
        *([space, 11] for space in range(5, 10)),
        [10, 11],
    ],
    "token_spaces": list(range(10)),
}

DEFAULTS: Json = {"element_tokens": True, "scoring": "cards", "hands": "open", "move": "vacated"}  # R6

COOPERATIVE_OPTIONS: list[Json] = [
    dict(zip(DEFAULTS, values, strict=True))
    for values in itertools.product(
        (True, False), ("cards", "family"), ("open", "closed"), ("vacated", "any")
    )
]

# What a random player likes: the weights of drawing from the deck, from the Stream, and of summoning.
TASTES: dict[str, tuple[int, int, int]] = {
    "even": (1, 1, 1),
    "summoner": (1, 2, 30),
    "hoarder": (3, 6, 1),
    "digger": (12, 1, 2),
}


def deal(
    seed: int,
    mode: str = "competitive",
    seats: int = 2,
    board: Json = SCROLL,
    options: Json | None = None,
) -> Json:
    """A record before its first action, shuffled by the seed (R4, R5)."""
    chance = random.Random(seed)
    deck = list(CARDS)
    chance.shuffle(deck)
    tokens = [name for name in ELEMENTS for _ in range(2)]
    chance.shuffle(tokens)
    if mode == "competitive":
        options = {}
    else:
        options = {**DEFAULTS, **(options or {})}
        if not options["element_tokens"]:
            tokens = []
    return {
        "format": "stem-branch/1",
        "mode": mode,
        "options": options,
        "board": board,
        "year_animal": chance.choice(ANIMALS),
        "seats": [{"name": f"Seat {seat}", "player": "human"} for seat in range(seats)],
        "setup": {"first_seat": chance.randrange(seats), "deck": deck, "tokens": tokens},
        "actions": [],
        "result": None,
    }


def choose(actions: list[Json], chance: random.Random, taste: str) -> Json:
    """One of the legal actions: first its kind, by taste, then any of that kind."""
    kinds: dict[str, list[Json]] = {}
    for action in actions:
        kind = "deck" if action.get("source") == "deck" else action["type"]
        kinds.setdefault(kind, []).append(action)
    weight = dict(zip(("deck", "draw", "summon"), TASTES[taste], strict=True))
    names = sorted(kinds)
    kind = chance.choices(names, [weight.get(name, 1) for name in names])[0]
    if kind == "summon" and chance.random() < 0.5:
        # High ranks and moves are rare among all the ways to summon; half the time they come first.
        card = chance.choice(sorted({action["card"] for action in kinds[kind]}))
        kinds[kind] = [action for action in kinds[kind] if action["card"] == card]
        moving = [action for action in kinds[kind] if action["move"]]
        kinds[kind] = moving or kinds[kind]
    return chance.choice(kinds[kind])
