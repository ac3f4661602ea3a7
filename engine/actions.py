"""Actions in the game record's notation: their form, their legality, their translation to kernel steps."""

from itertools import combinations
from typing import Any, NoReturn

import numpy as np

from engine.cards import CARD_NAMES, ELEMENTS, card_year
from engine.errors import IllegalAction, MalformedAction
from engine.kernel import ANIMAL, ELEMENT, PAYING_CARDS, legal_steps
from engine.placement import (
    Json,
    Placement,
    after_move,
    bits,
    placement,
    placement_json,
    placements,
    source_json,
    summon_actions,
    usable_cards,
)
from engine.state import (
    CARD,
    DISCARD,
    DRAW_DECK,
    DRAW_STREAM,
    GAIN_SEAT,
    MAX_LEGAL,
    MOVE,
    OVER,
    PASS,
    PAY_TOKENS,
    SPACE,
    Record,
    States,
)

_KEYS = {
    "draw": {"seat", "type", "source"},
    "summon": {"seat", "type", "card", "space", "move", "pay", "gain"},
    "discard": {"seat", "type", "cards"},
    "pass": {"seat", "type"},
}
_GAIN_KEYS = {"supply": {"from"}, "space": {"from", "space"}, "seat": {"from", "seat"}}


def _malformed(where: str, problem: str) -> NoReturn:
    raise MalformedAction("malformed-action", where=where, problem=problem)


def _check_keys(value: object, keys: set[str], where: str) -> Json:
    if not isinstance(value, dict):
        _malformed(where, "not-an-object")
    for key in sorted(keys - set(value)):
        _malformed(f"{where}.{key}" if where else key, "missing")
    for key in sorted(map(str, set(value) - keys)):
        _malformed(f"{where}.{key}"[:80] if where else key[:80], "unknown-key")
    return value


def _check_number(value: object, limit: int, where: str) -> int:
    if type(value) is not int:
        _malformed(where, "not-an-integer")
    if not 0 <= value < limit:
        _malformed(where, "out-of-range")
    return value


def _check_card(value: object, where: str) -> int:
    if not isinstance(value, str):
        _malformed(where, "not-a-string")
    try:
        return card_year(value)
    except KeyError:
        _malformed(where, "unknown-card")


def _check_cards(value: object, where: str) -> list[int]:
    if not isinstance(value, list):
        _malformed(where, "not-an-array")
    cards = [_check_card(name, f"{where}[{index}]") for index, name in enumerate(value[:61])]
    if len(set(cards)) != len(cards):
        _malformed(where, "card-twice")
    return cards


def check_form(action: object) -> Json:
    """The action if its keys, types and ranges are those of the notation; MalformedAction otherwise."""
    if not isinstance(action, dict):
        _malformed("", "not-an-object")
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        _malformed("type", "unknown-type" if isinstance(kind, str) else "not-a-string")
    _check_keys(action, _KEYS[kind], "")
    _check_number(action["seat"], 4, "seat")
    if kind == "draw" and action["source"] != "deck":
        if isinstance(action["source"], str):
            _malformed("source", "unknown-source")
        _check_number(action["source"], 8, "source")
    elif kind == "discard":
        _check_cards(action["cards"], "cards")
    elif kind == "summon":
        _check_summon_form(action)
    return action


def _check_summon_form(action: Json) -> None:
    _check_card(action["card"], "card")
    _check_number(action["space"], 12, "space")
    if action["move"] is not None:
        move = _check_keys(action["move"], {"from", "to"}, "move")
        _check_number(move["from"], 12, "move.from")
        _check_number(move["to"], 12, "move.to")
    pay = _check_keys(action["pay"], {"cards", "tokens"}, "pay")
    _check_cards(pay["cards"], "pay.cards")
    _check_number(pay["tokens"], 11, "pay.tokens")
    gain = action["gain"]
    if gain is not None:
        if not isinstance(gain, dict):
            _malformed("gain", "not-an-object")
        origin = gain.get("from")
        if not isinstance(origin, str) or origin not in _GAIN_KEYS:
            _malformed("gain.from", "unknown-source")
        _check_keys(gain, _GAIN_KEYS[origin], "gain")
        if origin == "space":
            _check_number(gain["space"], 12, "gain.space")
        elif origin == "seat":
            _check_number(gain["seat"], 4, "gain.seat")


def canonical(action: Json) -> Json:
    """The action with its cards sorted by name, so that equal actions are equal as JSON."""
    if action["type"] == "discard":
        return {**action, "cards": sorted(action["cards"])}
    if action["type"] == "summon":
        pay = {"cards": sorted(action["pay"]["cards"]), "tokens": action["pay"]["tokens"]}
        return {**action, "pay": pay}
    return action


def steps_of(states: States, action: Json) -> list[int]:
    """The kernel steps of a well-formed action; IllegalAction with the rule it breaks if it is not legal."""
    s = states[0]
    kind = action["type"]
    if s["phase"] == OVER:
        raise IllegalAction("game-over", "R19" if s["cooperative"] else "R13")
    if action["seat"] != s["turn"]:
        raise IllegalAction("not-your-turn", "R4", seat_to_act=int(s["turn"]))
    if s["phase"] == DISCARD:
        if kind != "discard":
            raise IllegalAction("must-discard", "R9", count=int(s["due"]))
        return _discard_steps(s, action)
    if kind == "discard":
        raise IllegalAction("discard-not-due", "R9")
    if kind == "draw":
        return [_draw_step(s, action)]
    if kind == "pass":
        scratch = np.zeros(MAX_LEGAL, np.int16)
        if scratch[: legal_steps(s, scratch)].tolist() != [PASS]:
            raise IllegalAction("pass-not-allowed", "R7")
        return [PASS]
    return _summon_steps(states, action)


def _draw_step(s: Record, action: Json) -> int:
    if action["source"] == "deck":
        if s["dealt"] == 60:
            raise IllegalAction("deck-empty", "R8")
        return DRAW_DECK
    place = int(action["source"])
    if s["stream"][place] < 0:
        raise IllegalAction("stream-place-empty", "R8", place=place)
    return DRAW_STREAM + place


def _check_in_hand(s: Record, card: int, code: str, rule: str) -> None:
    if not int(s["hands"][s["turn"]]) >> card & 1:
        raise IllegalAction(code, rule, card=CARD_NAMES[card])


def _discard_steps(s: Record, action: Json) -> list[int]:
    cards = sorted(card_year(name) for name in action["cards"])
    for card in cards:
        _check_in_hand(s, card, "card-not-in-hand", "R9")
    if len(cards) != s["due"]:
        raise IllegalAction("discard-count", "R9", count=int(s["due"]), given=len(cards))
    return [CARD + card for card in cards]


def _summon_steps(states: States, action: Json) -> list[int]:
    card, space = card_year(action["card"]), action["space"]
    _check_in_hand(states[0], card, "card-not-in-hand", "R10")
    move = None if action["move"] is None else (action["move"]["from"], action["move"]["to"])
    table = states[0]
    if move is not None:
        _check_move(table, card, space, *move)
        table = after_move(states, *move)
    _check_space(table, card, space)
    chosen = placement(table, card, space, move)
    paid = sorted(card_year(name) for name in action["pay"]["cards"])
    _check_payment(chosen, paid, action["pay"]["tokens"])
    source = _check_gain(chosen, action["gain"])

    steps = [CARD + card]
    if move is not None:
        steps.append(MOVE + 12 * move[0] + move[1])
    if move is None or table["any_move"]:
        steps.append(SPACE + space)
    steps += [CARD + each for each in paid]
    if action["pay"]["tokens"]:
        steps.append(PAY_TOKENS)
    if chosen.sources.bit_count() > 1:
        steps.append(GAIN_SEAT + source)
    return steps


def _check_move(s: Record, card: int, space: int, origin: int, target: int) -> None:
    params = {"from": origin, "to": target}
    if not s["cooperative"]:
        raise IllegalAction("move-not-allowed", "R17", **params)
    if s["top"][origin] < 0:
        raise IllegalAction("move-nothing-there", "R17", **params)
    if s["top"][origin] >= 48:
        raise IllegalAction("move-ascended", "R18", **params)
    if not int(s["vines"][origin]) >> target & 1:
        raise IllegalAction("move-not-adjacent", "R17", **params)
    if s["top"][target] >= 0:
        raise IllegalAction("move-target-occupied", "R17", **params)
    if not s["any_move"] and (s["space_of"][ANIMAL[card]] >= 0 or space != origin):
        raise IllegalAction("move-not-vacated", "R17", **params)


def _check_space(s: Record, card: int, space: int) -> None:
    stack = int(s["space_of"][ANIMAL[card]])
    if stack >= 0 and s["top"][stack] >= card:
        raise IllegalAction(
            "rank-not-higher", "R10a", rank=card // 12 + 1, there=int(s["top"][stack]) // 12 + 1
        )
    if stack >= 0 and space != stack:
        raise IllegalAction("wrong-space", "R10a", space=space, stack=stack)
    if stack < 0 and s["top"][space] >= 0:
        raise IllegalAction("space-occupied", "R10a", space=space)


def _check_payment(chosen: Placement, paid: list[int], tokens: int) -> None:
    s, card = chosen.table, chosen.card
    for each in paid:
        if each == card:
            raise IllegalAction("payment-self", "R10c", card=CARD_NAMES[each])
        _check_in_hand(s, each, "payment-not-in-hand", "R10c")
        if not int(PAYING_CARDS[card]) >> each & 1:
            raise IllegalAction("payment-mismatch", "R10c", card=CARD_NAMES[each], pays_for=CARD_NAMES[card])
    if tokens > chosen.tokens:
        element = ELEMENTS[ELEMENT[card]]
        raise IllegalAction("payment-tokens", "R10c", element=element, held=chosen.tokens, offered=tokens)
    if len(paid) + tokens != chosen.cost:
        raise IllegalAction("payment-amount", "R10c", cost=chosen.cost, paid=len(paid) + tokens)


def _check_gain(chosen: Placement, gain: Json | None) -> int:
    """The chosen source, counted from GAIN_SEAT; 0 where none is due."""
    if chosen.sources == 0:
        if gain is not None:
            raise IllegalAction("gain-not-due", "R11")
        return 0
    known = [source_json(source) for source in bits(chosen.sources)]
    if gain is None:
        raise IllegalAction("gain-required", "R11", sources=known)
    if gain in known:
        return list(bits(chosen.sources))[known.index(gain)]
    if gain["from"] == "seat" and all(source["from"] != "seat" for source in known):
        raise IllegalAction("gain-not-from-seat", "R11", sources=known)
    raise IllegalAction("gain-unavailable", "R11", sources=known)


def action_of(states: States, steps: list[int]) -> Json:
    """The action that legal kernel steps from an action's beginning spell (the way back from `steps_of`)."""
    s = states[0]
    seat = int(s["turn"])
    first = steps[0]
    if s["phase"] == DISCARD:
        cards = sorted(CARD_NAMES[step - CARD] for step in steps)
        return {"seat": seat, "type": "discard", "cards": cards}
    if first == PASS:
        return {"seat": seat, "type": "pass"}
    if first <= DRAW_DECK:
        return {"seat": seat, "type": "draw", "source": "deck" if first == DRAW_DECK else first}
    card = first - CARD
    paid, space, move, source = [], -1, None, -1
    for step in steps[1:]:
        if step >= MOVE:
            move = divmod(step - MOVE, 12)
        elif step >= GAIN_SEAT:
            source = step - GAIN_SEAT
        elif SPACE <= step < PAY_TOKENS:
            space = step - SPACE
        elif step < SPACE:
            paid.append(step - CARD)
    if space < 0 and move is not None:
        space = move[0]
    chosen = placement(s if move is None else after_move(states, *move), card, space, move)
    if source < 0 and chosen.sources:
        source = next(bits(chosen.sources))
    return {
        "seat": seat,
        "type": "summon",
        "card": CARD_NAMES[card],
        "space": space,
        "move": None if move is None else {"from": move[0], "to": move[1]},
        "pay": {"cards": sorted(CARD_NAMES[each] for each in paid), "tokens": chosen.cost - len(paid)},
        "gain": source_json(source) if chosen.sources else None,
    }


def legal_actions(states: States) -> list[Json]:
    """Every complete legal action: each payment, move and gain choice. Empty when the game is over."""
    s = states[0]
    seat = int(s["turn"])
    if s["phase"] == OVER:
        return []
    hand = list(bits(s["hands"][seat]))
    if s["phase"] == DISCARD:
        return [
            {"seat": seat, "type": "discard", "cards": sorted(CARD_NAMES[card] for card in cards)}
            for cards in combinations(hand, int(s["due"]))
        ]
    actions: list[Json] = [{"seat": seat, "type": "draw", "source": source} for source in _draw_sources(s)]
    for card in hand:
        for each in placements(states, card):
            if each.payable:
                actions.extend(summon_actions(each))
    return actions or [{"seat": seat, "type": "pass"}]


def _draw_sources(s: Record) -> list[Any]:
    places: list[Any] = [place for place in range(8) if s["stream"][place] >= 0]
    return [*places, "deck"] if s["dealt"] < 60 else places


def choices(states: States) -> Json | None:
    """The legal actions in compact form: per card its spaces, costs, means of payment and gains.

    None when the game is over."""
    s = states[0]
    if s["phase"] == OVER:
        return None
    hand = list(bits(s["hands"][s["turn"]]))
    chosen: Json = {"seat": int(s["turn"]), "type": "action", "draw": None, "pass": False, "discard": None}
    if s["phase"] == DISCARD:
        discard = {"count": int(s["due"]), "cards": [CARD_NAMES[card] for card in hand]}
        return {**chosen, "type": "discard", "discard": discard, "summon": []}
    sources = _draw_sources(s)
    chosen["draw"] = {"deck": "deck" in sources, "stream": [source for source in sources if source != "deck"]}
    chosen["summon"] = [_card_choices(states, card) for card in hand]
    chosen["pass"] = not sources and all(card["blocked"] for card in chosen["summon"])
    return chosen


def _card_choices(states: States, card: int) -> Json:
    s = states[0]
    found = placements(states, card)
    blocked = None
    if not found:
        blocked = {"code": "rank-not-higher", "rule": "R10a"}
    elif not any(each.payable for each in found):
        blocked = {"code": "cannot-pay", "rule": "R10c"}
    return {
        "card": CARD_NAMES[card],
        "rank": card // 12 + 1,
        "usable": {
            "cards": [CARD_NAMES[each] for each in usable_cards(s, card)],
            "element": ELEMENTS[ELEMENT[card]],
            "tokens": int(s["tokens"][s["turn"], ELEMENT[card]]),
        },
        "placements": [placement_json(states, each) for each in found],
        "blocked": blocked,
    }
