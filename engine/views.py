"""What people see: views of a state, outcomes of actions, results. Nothing here changes a game."""

from typing import Any, Literal

from engine.cards import ANIMALS, CARD_NAMES, ELEMENTS, card_year, names_of, rank_name
from engine.kernel import ANIMAL, ANIMAL_CARDS, ELEMENT, ascended, final_years, matching_cards, score, winners
from engine.placement import Json, bits, token_on
from engine.state import ACTION, DISCARD, OVER, TRIGGER_DECK, Record, States

Viewer = int | Literal["spectator"]


def _trigger_reason(s: Record) -> str:
    return "deck" if s["trigger_reason"] == TRIGGER_DECK else "years"


def _by_element(counts: Any) -> dict[str, int]:
    return {element: int(count) for element, count in zip(ELEMENTS, counts, strict=True)}


def _space(s: Record, space: int) -> Json:
    top = int(s["top"][space])
    cards = int(s["placed"]) & int(ANIMAL_CARDS[ANIMAL[top]]) if top >= 0 else 0
    token = token_on(s, space)
    return {
        "space": space,
        "cards": names_of(cards),
        "token": None if token is None else ELEMENTS[token],
        "ascended": bool(s["cooperative"]) and top >= 48,
    }


def _table(s: Record) -> Json:
    owners: dict[str, int | None] = dict.fromkeys(ANIMALS)
    for seat in range(int(s["seats"])):
        owners.update({ANIMALS[animal]: seat for animal in bits(s["animals"][seat])})
    cooperative = bool(s["cooperative"])
    return {
        "spaces": [_space(s, space) for space in range(12)],
        "stream": [CARD_NAMES[card] if card >= 0 else None for card in s["stream"].tolist()],
        "deck": 60 - int(s["dealt"]),
        "discards": names_of(int(s["discards"])),
        "supply": _by_element(s["supply"]),
        "animal_tokens": owners,
        "ascended": [ANIMALS[animal] for animal in bits(ascended(s))] if cooperative else [],
        "score": int(score(s)) if cooperative else None,
    }


def observe(states: States, seat: int) -> States:
    """A copy of a state as a seat knows it: every card that it cannot see is zeroed and its count kept."""
    seen = states.copy()
    s = seen[0]
    s["deck"] = 0
    for other in range(int(s["seats"])):
        if other != seat and not s["open_hands"]:
            s["hands"][other] = s["known"][other]
    return seen


def sees_hand(s: Record, seat: int, viewer: Viewer) -> bool:
    """Whether a viewer sees the whole hand of a seat: its own, open ones (R6), all after the end (R22)."""
    return viewer == seat or bool(s["open_hands"]) or bool(s["phase"] == OVER)


def _player(s: Record, seat: int, viewer: Viewer) -> Json:
    return {
        "seat": seat,
        "years": int(s["years"][seat]),
        "cards": int(s["hand_size"][seat]),
        "known": names_of(int(s["known"][seat])),
        "hand": names_of(int(s["hands"][seat])) if sees_hand(s, seat, viewer) else None,
        "tokens": _by_element(s["tokens"][seat]),
        "animals": [ANIMALS[animal] for animal in bits(s["animals"][seat])],
    }


def _scoring(s: Record) -> list[Json] | None:
    if s["cooperative"] or s["phase"] != OVER:
        return None
    return [
        {
            "seat": seat,
            "years": int(s["years"][seat]) - int(final_years(s, seat)),
            "element_tokens": int(s["tokens"][seat].sum()),
            "matching_cards": int(matching_cards(s, seat)),
            "total": int(s["years"][seat]),
        }
        for seat in range(int(s["seats"]))
    ]


def result(s: Record) -> Json | None:
    """The result in the record's form (R14, R15, R20, R21); None while the game runs."""
    if s["phase"] != OVER:
        return None
    if not s["cooperative"]:
        years = [int(years) for years in s["years"][: s["seats"]]]
        return {"years": years, "winners": list(bits(winners(s)))}
    points = int(score(s))
    rank = None if s["family"] else rank_name(points)
    return {"score": points, "rank": rank, "won": int(ascended(s)).bit_count() == 12}


def view(states: States, viewer: Viewer) -> Json:
    """The game as a viewer may see it, as JSON for people."""
    s = states[0]
    phase = int(s["phase"])
    over = phase == OVER
    return {
        "seat_to_act": None if over else int(s["turn"]),
        "phase": {ACTION: "action", DISCARD: "discard", OVER: "over"}[phase],
        "actions_left": 0 if over else int(s["actions_left"]),
        "discards_due": int(s["due"]) if phase == DISCARD else 0,
        "over": over,
        "result": result(s),
        "turn": int(s["turns"]),
        "actions_played": int(s["played"]),
        "last_round": {"seat": int(s["trigger"]), "reason": _trigger_reason(s)}
        if s["trigger"] >= 0
        else None,
        "table": _table(s),
        "players": [_player(s, seat, viewer) for seat in range(int(s["seats"]))],
        "scoring": _scoring(s),
    }


def _gained(before: Record, action: Json) -> list[Json]:
    gained: list[Json] = []

    def take(element: int | None, by: str, source: Json) -> None:
        if element is not None:
            gained.append({"element": ELEMENTS[element], "by": by, "from": source})

    space, move = action["space"], action["move"]
    if move is not None:
        take(token_on(before, move["to"]), "move", {"from": "space", "space": move["to"]})
    if move is None or move["to"] != space:
        take(token_on(before, space), "space", {"from": "space", "space": space})
    if action["gain"] is not None:
        take(int(ELEMENT[_covered(before, action)]), "ascension", dict(action["gain"]))
    return gained


def _covered(before: Record, action: Json) -> int:
    """The card that a summon covers; -1 if it is the first of its animal."""
    stack = int(before["space_of"][ANIMAL[card_year(action["card"])]])
    return int(before["top"][stack]) if stack >= 0 else -1


def outcome(before: Record, after: Record, action: Json) -> Json:
    """What a legal action did, from the states around it: the log's words are made of it."""
    seat = int(before["turn"])
    over = bool(after["phase"] == OVER)
    triggered = before["trigger"] < 0 <= after["trigger"]
    told: Json = {
        "drawn": None,
        "hidden": False,
        "refill": None,
        "cost": None,
        "covered": None,
        "gained": [],
        "animal_token": None,
        "ascended": None,
        "years": int(after["years"][seat]) - int(before["years"][seat]),
        "turn_over": over or bool(after["turns"] != before["turns"]),
        "last_round": _trigger_reason(after) if triggered else None,
        "over": over,
    }
    if over and not before["cooperative"]:
        told["years"] -= int(final_years(after, seat))
    if action["type"] == "draw":
        if action["source"] == "deck":
            told.update(drawn=CARD_NAMES[before["deck"][before["dealt"]]], hidden=True)
        else:
            place = action["source"]
            refill = int(after["stream"][place])
            told["drawn"] = CARD_NAMES[before["stream"][place]]
            told["refill"] = CARD_NAMES[refill] if refill >= 0 else None
    elif action["type"] == "summon":
        card = card_year(action["card"])
        animal = int(ANIMAL[card])
        covered = _covered(before, action)
        told["cost"] = len(action["pay"]["cards"]) + action["pay"]["tokens"]
        told["covered"] = CARD_NAMES[covered] if covered >= 0 else None
        told["gained"] = _gained(before, action)
        if before["cooperative"]:
            told["ascended"] = ANIMALS[animal] if card >= 48 else None
        elif not int(before["animals"][seat]) >> animal & 1:
            owners = (other for other in range(4) if int(before["animals"][other]) >> animal & 1)
            told["animal_token"] = {"animal": ANIMALS[animal], "from": next(owners, None)}
    return told


def may_be_undone(told: Json) -> bool:
    """Whether an action of this outcome can be taken back fairly: it showed no hidden card, and its turn
    goes on."""
    return not (told["hidden"] or told["refill"] or told["turn_over"])


def hide_outcome(told: Json, seat: int, viewer: Viewer, all_seen: bool) -> Json:
    """The outcome of a seat's action as a viewer may know it: a card from the deck is its drawer's own (R22).

    `all_seen` holds with open hands and after the end."""
    if not told["hidden"] or all_seen or viewer == seat:
        return told
    return {**told, "drawn": None}
