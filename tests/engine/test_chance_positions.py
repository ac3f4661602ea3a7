"""Agreement at positions that no random game reaches: everything is scattered by chance, late games too."""

import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ANIMALS, ELEMENTS, board_names, load_board
from tests.engine.deals import COOPERATIVE_OPTIONS, TASTES, choose
from tests.engine.positions import position
from tests.engine.reference import CARDS, Reference, animal
from tests.engine.table import Table

Json = dict[str, Any]


def scattered(chance: random.Random, mode: str, seats: int, options: Json | None, board: str) -> Reference:
    """A sound position with everything in places taken by chance."""
    stacks: dict[int, str] = {}
    free = list(range(12))
    chance.shuffle(free)
    height = chance.random()
    for name in chance.sample(ANIMALS, chance.randrange(13)):
        of_name = [card for card in CARDS if animal(card) == name]
        stack = [card for card in of_name if chance.random() < height]
        if stack:
            stacks[free.pop()] = " ".join(stack)
    placed = " ".join(stacks.values()).split()
    rest = [card for card in CARDS if card not in placed]
    chance.shuffle(rest)

    deck = rest[: chance.choice((0, 1, 2, 30))]
    rest = rest[len(deck) :]
    shown = 8 if deck else chance.choice((0, 1, 8))
    stream: list[str | None] = [*rest[:shown], *[None] * 8][:8]
    chance.shuffle(stream)
    if mode == "cooperative" and not any(stream) and (rest or deck):  # R19: such a game would be over
        stream[0] = (rest or deck)[0]
    deck = [card for card in deck if card not in stream]
    rest = [card for card in rest if card not in stream]
    hands = []
    for _ in range(seats):
        size = chance.randrange(8)
        hands.append(" ".join(rest[:size]))
        rest = rest[size:]

    tokens: list[list[str]] = [[] for _ in range(seats)]
    space_tokens: dict[int, str] = {}
    if mode == "competitive" or (options and options["element_tokens"]):
        for name in ELEMENTS * 2:
            place = chance.choice(["seat", "space", "supply"])
            if place == "seat":
                chance.choice(tokens).append(name)
            elif place == "space" and free:
                space_tokens[free.pop()] = name
    competitive = mode == "competitive"
    owners = [None, *range(seats)] if competitive else [None]
    triggered = competitive and (not deck or chance.random() < 0.2)
    return position(
        mode,
        seats,
        options=options,
        board=load_board(board).as_json(),
        year_animal=chance.choice(ANIMALS),
        seat=chance.randrange(seats),
        actions_left=chance.choice((1, 2)),
        hands=hands,
        known=[" ".join(card for card in hand.split() if chance.random() < 0.4) for hand in hands],
        stacks=stacks,
        stream=stream,
        deck=deck,
        tokens=[" ".join(names) for names in tokens],
        space_tokens=space_tokens,
        owner={name: owner for name in ANIMALS if (owner := chance.choice(owners)) is not None},
        years=[chance.choice((0, 20, 57, 59)) if competitive else 0 for _ in range(seats)],
        last_round={"seat": chance.randrange(seats), "reason": "deck"} if triggered else None,
    )


SETTINGS = [
    *(("competitive", seats, None) for seats in (2, 3, 4)),
    *itertools.product(["cooperative"], (1, 2, 4), COOPERATIVE_OPTIONS),
]


@settings(max_examples=200, deadline=None)
@given(
    number=st.integers(0, 2**32),
    setting=st.sampled_from(SETTINGS),
    board=st.sampled_from(board_names()),
    taste=st.sampled_from(sorted(TASTES)),
)
def test_both_engines_agree_where_chance_put_everything(
    number: int, setting: tuple[str, int, Json | None], board: str, taste: str
) -> None:
    chance = random.Random(number)
    reference = scattered(chance, *setting, board)
    if not reference.competitive and len(reference.ascended) == 12:
        return
    table = Table.at(reference)
    for _ in range(6):
        if table.reference.over:
            break
        table.apply(choose(table.reference.legal_actions(), chance, taste))


def test_chance_reaches_what_random_games_do_not() -> None:
    """Passing, full ascension and wins are among the positions above; otherwise they would show little."""
    seen = set()
    for number in range(1500):
        chance = random.Random(number)
        setting = SETTINGS[number % 3 if number % 2 else number % len(SETTINGS)]
        reference = scattered(chance, *setting, "scroll")
        if any(action["type"] == "pass" for action in reference.legal_actions()):
            seen.add("pass")
        if len(reference.ascended) >= 10:
            seen.add("late")
        if not any(reference.stream):
            seen.add("no stream")
        if len(seen) == 3:
            return
    pytest.fail(f"only {seen}")
