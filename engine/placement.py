"""Where a card may be placed now, at what cost, and what it gains: the readers behind choices and checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from engine.cards import CARD_NAMES, ELEMENTS
from engine.kernel import (
    ANIMAL,
    ELEMENT,
    PAYING_CARDS,
    cost_at,
    gain_sources,
    legal_moves,
    move_stack,
)
from engine.state import GAIN_SEAT, GAIN_SPACE, GAIN_SUPPLY, MAX_LEGAL, MOVE, Record, States

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Placement:
    """One way to place a card: the move before it (R17), the space, and the position it is paid in.

    `table` is the state after the move and before the payment; `sources` are ascension token sources as bits
    counted from GAIN_SEAT."""

    card: int
    space: int
    move: tuple[int, int] | None
    cost: int
    tokens: int
    sources: int
    payable: bool
    table: Record


def bits(mask: int) -> Iterator[int]:
    """The indices of a mask's set bits, rising."""
    mask = int(mask)
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def usable_cards(s: Record, card: int) -> list[int]:
    """The cards of the hand to act that can pay for a card (R10c)."""
    return list(bits(int(s["hands"][s["turn"]]) & int(PAYING_CARDS[card])))


def after_move(states: States, origin: int, target: int) -> Record:
    """A copy of the state in which a stack has moved and its token is taken (R17)."""
    copy = states.copy()
    move_stack(copy[0], int(copy[0]["turn"]), origin, target)
    return copy[0]


def placement(s: Record, card: int, space: int, move: tuple[int, int] | None) -> Placement:
    """The placement of a card on a space that R10a allows; `s` is the position after the move."""
    seat = int(s["turn"])
    cost = int(cost_at(s, card, space))
    tokens = int(s["tokens"][seat, ELEMENT[card]])
    under = int(s["top"][space])
    sources = int(gain_sources(s, seat, int(ELEMENT[under]))) if under >= 0 else 0
    payable = cost <= tokens + len(usable_cards(s, card))
    return Placement(card, space, move, cost, tokens, sources, payable, s)


def allowed_spaces(s: Record, card: int) -> list[int]:
    """The spaces on which R10a allows a card, whatever it costs there."""
    stack = int(s["space_of"][ANIMAL[card]])
    if stack >= 0:
        return [stack] if s["top"][stack] < card else []
    return [space for space in range(12) if s["top"][space] < 0]


def placements(states: States, card: int) -> list[Placement]:
    """Every placement of a card of the hand to act: without a move also those it cannot pay for, with a move
    only payable ones."""
    s = states[0]
    found = [placement(s, card, space, None) for space in allowed_spaces(s, card)]
    if s["cooperative"]:
        out = np.zeros(MAX_LEGAL, np.int16)
        purse = len(usable_cards(s, card)) + int(s["tokens"][s["turn"], ELEMENT[card]])
        for step in out[: legal_moves(s, card, purse, out, 0)]:
            origin, target = divmod(int(step) - MOVE, 12)
            moved = after_move(states, origin, target)
            spaces = allowed_spaces(moved, card) if s["any_move"] else [origin]
            tries = (placement(moved, card, space, (origin, target)) for space in spaces)
            found.extend(each for each in tries if each.payable)
    return found


def source_json(source: int) -> Json:
    """An ascension token's source in the record's notation, from its bit counted from GAIN_SEAT."""
    step = GAIN_SEAT + source
    if step == GAIN_SUPPLY:
        return {"from": "supply"}
    if step >= GAIN_SPACE:
        return {"from": "space", "space": step - GAIN_SPACE}
    return {"from": "seat", "seat": step - GAIN_SEAT}


def token_on(s: Record, space: int) -> int | None:
    """The element of the token that lies on a space."""
    return next((element for element in range(5) if int(s["tokens_on"][element]) >> space & 1), None)


def _element(number: int | None) -> str | None:
    return None if number is None else ELEMENTS[number]


def _years(each: Placement) -> Json | None:
    s, seat = each.table, int(each.table["turn"])
    if s["cooperative"]:
        return None
    controlled = int(s["animals"][seat])
    if controlled >> int(ANIMAL[each.card]) & 1:
        gained = (each.sources != 0) + (token_on(s, each.space) is not None)
        return {"for": "element_tokens", "base": int(s["tokens"][seat].sum()) + gained}
    return {"for": "animal_tokens", "base": controlled.bit_count() + 1}


def placement_json(states: States, each: Placement) -> Json:
    """A placement as `Game.choices` gives it."""
    s = each.table
    under = int(s["top"][each.space])
    shared = int(s["vines"][each.space]) & int(s["sharing"][ELEMENT[each.card]])
    ascension = None
    if each.sources:
        sources = [source_json(source) for source in bits(each.sources)]
        ascension = {"element": ELEMENTS[ELEMENT[under]], "sources": sources}
    return {
        "space": each.space,
        "move": None if each.move is None else {"from": each.move[0], "to": each.move[1]},
        "cost": each.cost,
        "breakdown": {
            "rank": each.card // 12 + 1,
            "underneath": under // 12 + 1 if under >= 0 else 0,
            "shared": list(bits(shared)),
        },
        "tokens": each.tokens,
        "payable": each.payable,
        "gains": {
            "move": None if each.move is None else _element(token_on(states[0], each.move[1])),
            "space": _element(token_on(s, each.space)),
            "ascension": ascension,
        },
        "years": _years(each),
    }


def summon_actions(each: Placement) -> Iterator[Json]:
    """Every complete action of a payable placement: each payment (R10c) with each token source (R11)."""
    cards = usable_cards(each.table, each.card)
    gains: list[Json | None] = [source_json(source) for source in bits(each.sources)] or [None]
    for tokens in range(max(0, each.cost - len(cards)), min(each.tokens, each.cost) + 1):
        for paid in combinations(cards, each.cost - tokens):
            names = sorted(CARD_NAMES[card] for card in paid)
            for gain in gains:
                yield {
                    "seat": int(each.table["turn"]),
                    "type": "summon",
                    "card": CARD_NAMES[each.card],
                    "space": each.space,
                    "move": None if each.move is None else {"from": each.move[0], "to": each.move[1]},
                    "pay": {"cards": list(names), "tokens": tokens},
                    "gain": None if gain is None else dict(gain),
                }
