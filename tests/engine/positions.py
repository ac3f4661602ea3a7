"""Positions made by hand: say what matters, the rest of the cards and tokens falls into place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import ANIMALS, ELEMENTS, STATE, Game, card_year
from engine import state as layout
from engine.kernel import count_shares
from tests.engine.deals import SCROLL, deal
from tests.engine.reference import CARDS, Reference, animal, element

Json = dict[str, Any]


def position(
    mode: str = "competitive",
    seats: int = 2,
    *,
    options: Json | None = None,
    board: Json = SCROLL,
    year_animal: str = "mouse",
    seat: int = 0,
    actions_left: int = 2,
    hands: Sequence[str] = (),
    known: Sequence[str] = (),
    stacks: Mapping[int, str] | None = None,
    stream: Sequence[str | None] | None = None,
    deck: Sequence[str] | int | None = None,
    tokens: Sequence[str] = (),
    space_tokens: Mapping[int, str] | None = None,
    owner: Mapping[str, int] | None = None,
    years: Sequence[int] = (),
    last_round: Json | None = None,
) -> Reference:
    """A game at any point, as the reference holds it.

    hands, known, stacks and tokens are names parted by blanks, stacks from bottom to top. Cards that are not
    mentioned fill the Stream (where none is given), then the deck (a number: so many of them, in order of
    years), and the rest are discarded. Element Tokens that are not mentioned lie in the supply.
    """
    table = Reference(deal(0, mode, seats, board, options))
    table.year_animal = year_animal
    table.seat = seat
    table.actions_left = actions_left
    table.last_round = last_round
    table.hands = [set(cards.split()) for cards in _filled(hands, seats, "")]
    table.known = [set(cards.split()) for cards in _filled(known, seats, "")]
    table.stacks = [(stacks or {}).get(space, "").split() for space in range(12)]
    table.owner.update(owner or {})
    table.years = list(_filled(years, seats, 0))

    named = {*(stream or ()), *(deck if isinstance(deck, Sequence) else ())}
    named = named.union(*table.hands, *table.stacks)
    rest = [card for card in CARDS if card not in named]
    table.stream = [rest.pop(0) for _ in range(8)] if stream is None else list(stream)
    if deck is None:
        deck = len(rest)
    table.deck = [rest.pop(0) for _ in range(deck)] if isinstance(deck, int) else list(deck)
    table.discards = set(rest)

    table.seat_tokens = [names.split() for names in _filled(tokens, seats, "")]
    table.space_tokens = [(space_tokens or {}).get(space) for space in range(12)]
    table.supply = []
    if table.competitive or table.options["element_tokens"]:
        for name, places in table.token_places().items():
            table.supply += [name] * (2 - len(places))
    _check(table)
    return table


def _filled(given: Sequence[Any], seats: int, missing: Any) -> list[Any]:
    return [*given, *[missing] * (seats - len(given))]


def _check(table: Reference) -> None:
    """A position that no rules could explain would test nothing."""
    assert all(len(places) == 1 for places in table.card_places().values()), table.card_places()
    assert all(len(places) in (0, 2) for places in table.token_places().values()), table.token_places()
    assert len(table.stream) == 8
    for space, stack in enumerate(table.stacks):
        assert len({animal(card) for card in stack}) <= 1
        assert stack == sorted(stack, key=CARDS.index)
        assert not (stack and table.space_tokens[space])
    assert all(known <= hand for known, hand in zip(table.known, table.hands, strict=True))


def game_at(table: Reference) -> Game:
    """The engine's game at the position that the reference holds."""
    seats = len(table.hands)
    mode = "competitive" if table.competitive else "cooperative"
    board = {
        "name": "by hand",
        "vines": [
            [one, other] for one in range(12) for other in sorted(table.neighbours[one]) if one < other
        ],
        "token_spaces": list(range(10)),
    }
    record = deal(0, mode, seats, board, table.options)
    record["year_animal"] = table.year_animal
    record["setup"]["first_seat"] = table.seat
    gone = [card for card in CARDS if card not in table.deck]
    record["setup"]["deck"] = gone + table.deck

    # Start from the deal: its options, vines and blanks are right, and so is what precedes the record itself.
    fresh = Game.from_record(record)
    prefix, packed = fresh.state_bytes()[: -STATE.itemsize], fresh.state_bytes()[-STATE.itemsize :]
    states = np.frombuffer(packed, STATE).copy()
    state = states[0]
    state["hands"][:seats] = [_mask(hand) for hand in table.hands]
    state["known"][:seats] = [_mask(known) for known in table.known]
    state["hand_size"][:seats] = [len(hand) for hand in table.hands]
    state["discards"] = _mask(table.discards)
    state["placed"] = _mask({card for stack in table.stacks for card in stack})
    state["dealt"] = len(gone)
    state["stream"] = [-1 if card is None else card_year(card) for card in table.stream]
    state["years"][:seats] = table.years
    for seat in range(seats):
        state["tokens"][seat] = [table.seat_tokens[seat].count(name) for name in ELEMENTS]
        state["animals"][seat] = sum(
            1 << index for index, name in enumerate(ANIMALS) if table.owner[name] == seat
        )
    state["supply"] = [table.supply.count(name) for name in ELEMENTS]
    state["tokens_on"] = [_spaces(table.space_tokens, name) for name in ELEMENTS]

    tops = [stack[-1] if stack else None for stack in table.stacks]
    shown = [element(top) if top else None for top in tops]
    state["sharing"] = [_spaces(shown, name) for name in ELEMENTS]
    state["occupied"] = sum(1 << space for space, top in enumerate(tops) if top)
    state["top"] = [-1 if top is None else card_year(top) for top in tops]
    found = [table.space_of(name) for name in ANIMALS]
    state["space_of"] = [-1 if space is None else space for space in found]

    count_shares(state)

    state["turn"] = table.seat
    state["turns"] = table.turn
    state["actions_left"] = table.actions_left
    if table.last_round is not None:
        state["trigger"] = table.last_round["seat"]
        reasons = {"deck": layout.TRIGGER_DECK, "years": layout.TRIGGER_YEARS}
        state["trigger_reason"] = reasons[table.last_round["reason"]]
    return Game.restore(fresh.header(), [], prefix + states.tobytes())


def _mask(cards: set[str]) -> int:
    return sum(1 << card_year(card) for card in cards)


def _spaces(names: Sequence[str | None], wanted: str) -> int:
    return sum(1 << space for space, name in enumerate(names) if name == wanted)
