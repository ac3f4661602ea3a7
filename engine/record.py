"""The game record: checking its form, and what of it a viewer may see."""

from typing import Any, NoReturn

from engine.boards import TOKENS, Board, board_from_json
from engine.cards import ANIMALS, CARD_NAMES, ELEMENTS
from engine.errors import BadRecord, BadSetup
from engine.placement import Json
from engine.views import Viewer

FORMAT = "stem-branch/1"
SEAT_COUNTS = {"competitive": (2, 3, 4), "cooperative": (1, 2, 3, 4)}
OPTION_CHOICES: dict[str, tuple[Any, ...]] = {
    "element_tokens": (True, False),
    "scoring": ("cards", "family"),
    "hands": ("open", "closed"),
    "move": ("vacated", "any"),
}
DEFAULT_OPTIONS = {name: values[0] for name, values in OPTION_CHOICES.items()}
NAME_LIMIT = 64
ACTION_LIMIT = 1000

_KEYS = {"format", "mode", "options", "board", "year_animal", "seats", "setup", "actions", "result"}


def check_mode(mode: object, seats: int) -> str:
    """The mode; BadSetup if there is no such mode or it is not for so many seats (R4)."""
    if not isinstance(mode, str) or mode not in SEAT_COUNTS:
        raise BadSetup("unknown-mode", known=list(SEAT_COUNTS))
    if seats not in SEAT_COUNTS[mode]:
        raise BadSetup("bad-seat-count", mode=mode, seats=seats, allowed=list(SEAT_COUNTS[mode]))
    return mode


def check_options(mode: str, options: object) -> Json:
    """All options of a game, defaults filled in (R6); BadSetup for one unknown or not for this mode."""
    if not isinstance(options, dict):
        raise BadSetup("bad-options")
    if mode == "competitive":
        if options:
            raise BadSetup("options-not-competitive", options=sorted(map(str, options)))
        return {}
    for name, value in options.items():
        if name not in OPTION_CHOICES:
            raise BadSetup("unknown-option", option=str(name))
        if not any(type(value) is type(choice) and value == choice for choice in OPTION_CHOICES[name]):
            raise BadSetup("bad-option", option=name, allowed=list(OPTION_CHOICES[name]))
    return {**DEFAULT_OPTIONS, **options}


def check_year_animal(animal: object) -> str:
    """The year's animal (R15); BadSetup for any other value."""
    if not isinstance(animal, str) or animal not in ANIMALS:
        raise BadSetup("unknown-animal", known=list(ANIMALS))
    return animal


def check_seats(seats: object) -> list[Json]:
    """The seats as a list of name and player; BadSetup for any other form."""
    if not isinstance(seats, list):
        raise BadSetup("bad-seats")
    checked = []
    for seat in seats:
        if not isinstance(seat, dict) or set(seat) != {"name", "player"}:
            raise BadSetup("bad-seats")
        if not all(isinstance(text, str) and len(text) <= NAME_LIMIT for text in seat.values()):
            raise BadSetup("bad-seats")
        checked.append({"name": seat["name"], "player": seat["player"]})
    return checked


def _bad(part: str) -> NoReturn:
    raise BadRecord("malformed-record", part=part)


def _check_keys(value: object, keys: set[str], part: str) -> Json:
    if not isinstance(value, dict) or set(value) != keys:
        _bad(part)
    return value


def check_record(record: object) -> tuple[Json, Board]:
    """A record's `header`, `actions` and `result`, checked but for the replay. Raises BadRecord."""
    if not isinstance(record, dict):
        _bad("record")
    if record.get("format") != FORMAT:
        raise BadRecord("unknown-format", known=[FORMAT])
    if "viewer" in record:
        raise BadRecord("withheld-record")
    _check_keys({key: value for key, value in record.items() if key != "ended"}, _KEYS, "keys")
    if "ended" in record and record["ended"] != "abandoned":
        _bad("ended")
    try:
        seats = check_seats(record["seats"])
        mode = check_mode(record["mode"], len(seats))
        options = check_options(mode, record["options"])
        board = board_from_json(record["board"])
        year_animal = check_year_animal(record["year_animal"])
    except BadSetup as problem:
        raise BadRecord(problem.code, **problem.params) from problem
    if set(options) != set(record["options"]):
        _bad("options")
    setup = _check_keys(record["setup"], {"first_seat", "deck", "tokens"}, "setup")
    _check_setup(setup, len(seats), options.get("element_tokens", True))
    actions = record["actions"]
    if not isinstance(actions, list) or len(actions) > ACTION_LIMIT:
        _bad("actions")
    header = {
        "format": FORMAT,
        "mode": mode,
        "options": options,
        "board": board.as_json(),
        "year_animal": year_animal,
        "seats": seats,
        "setup": {
            "first_seat": setup["first_seat"],
            "deck": list(setup["deck"]),
            "tokens": list(setup["tokens"]),
        },
    }
    if "ended" in record:
        header["ended"] = record["ended"]
    return {"header": header, "actions": actions, "result": record["result"]}, board


def _check_setup(setup: Json, seats: int, with_tokens: bool) -> None:
    first = setup["first_seat"]
    if type(first) is not int or not 0 <= first < seats:
        _bad("setup.first_seat")
    deck = setup["deck"]
    if not isinstance(deck, list) or not all(isinstance(name, str) for name in deck):
        _bad("setup.deck")
    if sorted(deck) != sorted(CARD_NAMES):
        _bad("setup.deck")
    tokens = setup["tokens"]
    if not isinstance(tokens, list) or not all(isinstance(name, str) for name in tokens):
        _bad("setup.tokens")
    expected = sorted(ELEMENTS * (TOKENS // len(ELEMENTS))) if with_tokens else []
    if sorted(tokens) != expected:
        _bad("setup.tokens")


def seen_deck(
    deck: list[str], seats: int, actions: list[Json], viewer: Viewer, open_hands: bool
) -> list[str | None]:
    """The deal with null wherever this viewer has not seen the card at that place (R22)."""
    seen = [open_hands or viewer == place // 4 for place in range(4 * seats)] + [True] * 8
    for action in actions:
        if action["type"] == "draw" and len(seen) < len(deck):
            seen.append(action["source"] != "deck" or open_hands or viewer == action["seat"])
    seen += [False] * (len(deck) - len(seen))
    return [card if visible else None for card, visible in zip(deck, seen, strict=True)]
