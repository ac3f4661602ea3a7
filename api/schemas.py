"""What the API answers with, as JSON Schemas (OpenAPI 3.1 uses them unchanged).

Answers are built by hand and sent as they are, so these schemas only describe; tests hold every answer
against them. What the API accepts is in `bodies.py`.
"""

from typing import Any

from ai import PLAYERS
from ai.ladder import FAULTS
from api.messages import MESSAGES
from engine import ANIMALS, CARDS, ELEMENTS, OPTION_CHOICES, RANK_NAMES

Json = dict[str, Any]

MAX_VERSION = 2**31 - 1
MAX_SEED = 2**53 - 1  # the largest integer that every JSON reader keeps exactly
NAME_LENGTH = 40
LONGEST_ABSENCE = 7 * 24 * 60  # minutes
REPLACEMENTS = list(PLAYERS)
SEAT_PLAYERS = ["human", "open", *REPLACEMENTS]

CODES = (
    "Stable, for programs. `game-over` and `not-your-turn` come with 422 where an action breaks that rule, "
    "with 409 where something else has to wait. One of "
) + ", ".join(f"`{code}`" for code in sorted(MESSAGES))


def record_of(properties: Json, *, optional: tuple[str, ...] = (), about: str = "") -> Json:
    """An object with exactly these properties, all required but the optional ones."""
    schema: Json = {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
    return {"description": about, **schema} if about else schema


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def list_of(items: Json, *, length: int | None = None) -> Json:
    schema: Json = {"type": "array", "items": items}
    return schema if length is None else {**schema, "minItems": length, "maxItems": length}


def or_null(schema: Json) -> Json:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(names: tuple[str, ...] | list[str]) -> Json:
    return {"type": "string", "enum": list(names)}


def whole(minimum: int, maximum: int | None = None) -> Json:
    schema: Json = {"type": "integer", "minimum": minimum}
    return schema if maximum is None else {**schema, "maximum": maximum}


def tagged(schemas: dict[str, str], key: str) -> Json:
    """One of several objects, told apart by the value of `key`."""
    return {
        "oneOf": [ref(name) for name in schemas.values()],
        "discriminator": {
            "propertyName": key,
            "mapping": {value: f"#/components/schemas/{name}" for value, name in schemas.items()},
        },
    }


SEAT = whole(0, 3)
SPACE = whole(0, 11)
VERSION = {
    **whole(0, MAX_VERSION),
    "description": "Grows with every change that anybody may see: actions, seats taken or left, a rematch",
}
COUNT = whole(0)
TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
MOMENT = {"type": "string", "format": "date-time", "description": "UTC, ISO 8601, ending in Z"}
DAY = {"type": "string", "format": "date"}
TOKEN = {"type": "string", "description": "A seat's bearer token. It is shown once: keep it."}
VIEWER = {
    "oneOf": [SEAT, {"type": "string", "const": "spectator"}],
    "description": "Whose eyes this was seen with",
}
DEAL = {
    **one_of(["secret", "seed", "record"]),
    "description": "Where the deal came from. Anybody may have known the cards of a `seed` or a `record`.",
}
OUTLOOK = {
    **list_of({"type": "number", "minimum": 0, "maximum": 60}),
    "description": "For each seat its chance to win, from 0 to 1; in co-op the score to be expected",
}
POLL_AGAIN = {**or_null(COUNT), "description": "When it is worth asking again; null when all is there"}
PHASE = one_of(["action", "discard", "over"])
ELEMENT_COUNTS = record_of({element: whole(0, 2) for element in ELEMENTS})

# The part of a game that a viewer sees, the same in a game read and in a position.
VIEW: Json = {
    "seat_to_act": or_null(SEAT),
    "phase": PHASE,
    "actions_left": whole(0, 2),
    "discards_due": COUNT,
    "over": FLAG,
    "result": or_null(ref("Result")),
    "turn": {**whole(1), "description": "Number of the current turn"},
    "actions_played": COUNT,
    "last_round": or_null(ref("LastRound")),
    "table": ref("Table"),
    "players": list_of(ref("PlayerView")),
    "scoring": or_null(list_of(ref("Scoring"))),
}

SUMMARY: Json = {
    "id": TEXT,
    "mode": ref("Mode"),
    "seats": list_of(ref("Seat")),
    "seat_to_act": or_null(SEAT),
    "over": FLAG,
    "result": or_null(ref("Result")),
    "actions_played": COUNT,
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "deal": DEAL,
}

LADDER_STATE = one_of(["running", "paused", "stopped", "stuck", "done"])
LADDER: Json = {
    "id": TEXT,
    "name": TEXT,
    "state": LADDER_STATE,
    "created_at": MOMENT,
    "mode": ref("Mode"),
    "seats": whole(1, 4),
    "players": list_of(TEXT),
    "matches": {**COUNT, "description": "A match is one deal in every rotation of the seats"},
    "played": {**COUNT, "description": "Matches played"},
    "games": {**COUNT, "description": "Games of all matches"},
}

CARD_FACTS: Json = {"cards": list_of(ref("CardFact"), length=60)}
BOARD_FACTS: Json = {"boards": list_of(ref("BoardFact"))}
PLAYER_FACTS: Json = {"players": list_of(ref("PlayerFact"))}
OPTION_FACTS: Json = {
    "options": list_of(ref("OptionFact")),
    "seats": record_of({"competitive": list_of(whole(1, 4)), "cooperative": list_of(whole(1, 4))}),
    "ranks": {
        **list_of(ref("RankFact"), length=len(RANK_NAMES)),
        "description": "What a score in co-op earns, from the lowest; below the first: nothing",
    },
}
OPTIONS_FOR_COOP = "Options are for co-operative games only"

SCHEMAS: dict[str, Json] = {
    "Animal": one_of(ANIMALS),
    "Element": one_of(ELEMENTS),
    "CardName": one_of([card.name for card in CARDS]),
    "Mode": one_of(["competitive", "cooperative"]),
    "Player": {
        "type": "string",
        "description": "Who holds a seat: human, open (nobody yet), or a computer player by its name",
        "examples": SEAT_PLAYERS,
    },
    "Options": {
        "type": "object",
        "description": "Empty in a competitive game",
        "properties": {
            name: {"type": "boolean"} if isinstance(choices[0], bool) else one_of(list(choices))
            for name, choices in OPTION_CHOICES.items()
        },
        "additionalProperties": False,
    },
    "Error": record_of(
        {
            "code": {**TEXT, "description": CODES},
            "message": {**TEXT, "description": "An English sentence, for people"},
            "rule": {"type": ["string", "null"], "description": "The number of the rule it breaks"},
            "params": {"type": "object", "description": "The facts behind the refusal"},
        },
        about="A refusal. Nothing has changed.",
    ),
    # Actions, in the one notation of game records
    "DrawAction": record_of(
        {
            "seat": SEAT,
            "type": {"type": "string", "const": "draw"},
            "source": {
                "oneOf": [{"type": "string", "const": "deck"}, whole(0, 7)],
                "description": "The deck, or a place of the Stream",
            },
        }
    ),
    "SummonAction": record_of(
        {
            "seat": SEAT,
            "type": {"type": "string", "const": "summon"},
            "card": ref("CardName"),
            "space": SPACE,
            "move": or_null(ref("Move")),
            "pay": ref("Payment"),
            "gain": or_null(ref("GainSource")),
        }
    ),
    "DiscardAction": record_of(
        {
            "seat": SEAT,
            "type": {"type": "string", "const": "discard"},
            "cards": {**list_of(ref("CardName")), "uniqueItems": True},
        }
    ),
    "PassAction": record_of({"seat": SEAT, "type": {"type": "string", "const": "pass"}}),
    "Action": tagged(
        {
            "draw": "DrawAction",
            "summon": "SummonAction",
            "discard": "DiscardAction",
            "pass": "PassAction",
        },
        "type",
    ),
    "Move": record_of({"from": SPACE, "to": SPACE}, about="All cards of one space go along a vine"),
    "Payment": record_of(
        {
            "cards": {**list_of(ref("CardName")), "uniqueItems": True},
            "tokens": {**whole(0, 2), "description": "Own tokens of the summoned card's element"},
        }
    ),
    "FromSupply": record_of({"from": {"type": "string", "const": "supply"}}),
    "FromSpace": record_of({"from": {"type": "string", "const": "space"}, "space": SPACE}),
    "FromSeat": record_of({"from": {"type": "string", "const": "seat"}, "seat": SEAT}),
    "GainSource": tagged({"supply": "FromSupply", "space": "FromSpace", "seat": "FromSeat"}, "from"),
    # What an action brought about
    "Gained": record_of(
        {
            "element": ref("Element"),
            "by": one_of(["move", "space", "ascension"]),
            "from": ref("GainSource"),
        }
    ),
    "AnimalTokenTaken": record_of({"animal": ref("Animal"), "from": or_null(SEAT)}),
    "Outcome": record_of(
        {
            "drawn": or_null(ref("CardName")),
            "hidden": {**FLAG, "description": "The card came from the deck; others are shown null"},
            "refill": or_null(ref("CardName")),
            "cost": or_null(COUNT),
            "covered": or_null(ref("CardName")),
            "gained": list_of(ref("Gained")),
            "animal_token": or_null(ref("AnimalTokenTaken")),
            "ascended": or_null(ref("Animal")),
            "years": COUNT,
            "turn_over": FLAG,
            "last_round": or_null(one_of(["deck", "years"])),
            "over": FLAG,
        },
        about="What happened, as the viewer may know it",
    ),
    # The table
    "LastRound": record_of({"seat": SEAT, "reason": one_of(["deck", "years"])}),
    "CompetitiveResult": record_of({"years": list_of(COUNT), "winners": list_of(SEAT)}),
    "CooperativeResult": record_of(
        {
            "score": COUNT,
            "rank": or_null(one_of(RANK_NAMES)),
            "won": {**FLAG, "description": "All twelve animals ascended"},
        }
    ),
    "Result": {"anyOf": [ref("CompetitiveResult"), ref("CooperativeResult")]},
    "SpaceView": record_of(
        {
            "space": SPACE,
            "cards": {**list_of(ref("CardName")), "description": "From bottom to top"},
            "token": or_null(ref("Element")),
            "ascended": FLAG,
        }
    ),
    "Table": record_of(
        {
            "spaces": list_of(ref("SpaceView"), length=12),
            "stream": list_of(or_null(ref("CardName")), length=8),
            "deck": {**COUNT, "description": "Cards left"},
            "discards": {**list_of(ref("CardName")), "description": "By year"},
            "supply": ELEMENT_COUNTS,
            "animal_tokens": record_of({animal: or_null(SEAT) for animal in ANIMALS}),
            "ascended": list_of(ref("Animal")),
            "score": {**or_null(COUNT), "description": "Co-operative: the score if it ended now"},
        }
    ),
    "PlayerView": record_of(
        {
            "seat": SEAT,
            "years": COUNT,
            "cards": {**COUNT, "description": "Cards in hand"},
            "known": {**list_of(ref("CardName")), "description": "Cards in hand that all have seen"},
            "hand": {**or_null(list_of(ref("CardName"))), "description": "Null where it is hidden"},
            "tokens": ELEMENT_COUNTS,
            "animals": list_of(ref("Animal")),
        }
    ),
    "Scoring": record_of(
        {
            "seat": SEAT,
            "years": COUNT,
            "element_tokens": COUNT,
            "matching_cards": COUNT,
            "total": COUNT,
        }
    ),
    # Games
    "Seat": record_of({"seat": SEAT, "name": TEXT, "player": ref("Player")}),
    "Game": record_of(
        {
            "id": TEXT,
            "version": VERSION,
            "viewer": VIEWER,
            "mode": ref("Mode"),
            "options": ref("Options"),
            "board": {**TEXT, "description": "The board's name; the record holds its vines"},
            "year_animal": ref("Animal"),
            "public": FLAG,
            "deal": DEAL,
            "replay": {**FLAG, "description": "Loaded for looking at: every hand is shown, nobody may act"},
            "hints": {**FLAG, "description": "The seat to move may ask for a hint"},
            "absence_minutes": {
                **or_null(whole(1, LONGEST_ABSENCE)),
                "description": "How long the others wait for a person; null: for ever",
            },
            "absent_at": {
                **or_null(MOMENT),
                "description": "When the person to act may be replaced: UTC, ISO 8601, ending in Z",
            },
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "next_game": {**or_null(TEXT), "description": "The id of its rematch"},
            "seats": list_of(ref("Seat")),
            **VIEW,
            "can_undo": {**FLAG, "description": "This seat may take back its last action"},
            "poll_after_ms": {**COUNT, "description": "When it is worth asking again"},
        },
        about="A game as its viewer may see it",
    ),
    "Position": record_of(
        {
            "index": {**COUNT, "description": "How many actions of the record had been played"},
            "viewer": {
                "oneOf": [SEAT, {"type": "string", "enum": ["spectator", "all"]}],
                "description": "Whose eyes this was seen with; all: every hand is shown",
            },
            **VIEW,
        },
        about="The game as it stood after some of its actions",
    ),
    "GameSummary": record_of(SUMMARY),
    "GameList": record_of({"games": list_of(ref("GameSummary")), "next_cursor": or_null(TEXT)}),
    "CreatedGame": record_of(
        {
            "id": TEXT,
            "version": VERSION,
            "tokens": {
                "type": "object",
                "description": "For each human seat its bearer token",
                "patternProperties": {"^[0-3]$": TOKEN},
                "additionalProperties": False,
            },
        }
    ),
    "PlayedAction": record_of(
        {
            "index": {**COUNT, "description": "Its index in the record's actions"},
            "version": VERSION,
            "at": MOMENT,
            "seat": SEAT,
            "action": ref("Action"),
            "outcome": ref("Outcome"),
        }
    ),
    "ActionList": record_of(
        {
            "actions": list_of(ref("PlayedAction")),
            "next_after": {**or_null(COUNT), "description": "Null at the end"},
            "undone": {
                **list_of(ref("TakenBack")),
                "description": "The latest 40 actions that were taken back, whatever page is asked for",
            },
        }
    ),
    "TakenBack": record_of(
        {
            "index": {**COUNT, "description": "Its index in the record's actions, while it was there"},
            "version": {**VERSION, "description": "The game's version after the action"},
            "undone_version": {**VERSION, "description": "The game's version after taking it back"},
            "at": {**MOMENT, "description": "When it was played: UTC, ISO 8601, ending in Z"},
            "seat": SEAT,
            "action": ref("Action"),
        },
        about="An action that was played and taken back",
    ),
    "AppliedAction": record_of(
        {
            "version": VERSION,
            "index": COUNT,
            "outcome": ref("Outcome"),
            "game": ref("Game"),
        },
        about="What was played, and the game as it is now: a quick computer may have played on already",
    ),
    "UndoneAction": record_of({"version": VERSION, "game": ref("Game")}),
    "JoinedSeat": record_of({"seat": SEAT, "token": TOKEN, "version": VERSION}),
    "LeftSeat": record_of({"version": VERSION}),
    "ReplacedSeat": record_of({"version": VERSION}),
    "LegalActions": record_of(
        {"version": VERSION, "actions": list_of(ref("Action"))},
        about="Every complete action of this seat; none when it is not to act",
    ),
    # The same choices, compact
    "Choices": record_of(
        {
            "seat": SEAT,
            "type": one_of(["action", "discard"]),
            "draw": or_null(ref("DrawChoice")),
            "pass": FLAG,
            "discard": or_null(ref("DiscardChoice")),
            "summon": list_of(ref("SummonChoice")),
        }
    ),
    "DrawChoice": record_of({"deck": FLAG, "stream": list_of(whole(0, 7))}),
    "DiscardChoice": record_of({"count": whole(1), "cards": list_of(ref("CardName"))}),
    "SummonChoice": record_of(
        {
            "card": ref("CardName"),
            "rank": whole(1, 5),
            "usable": record_of(
                {"cards": list_of(ref("CardName")), "element": ref("Element"), "tokens": whole(0, 2)}
            ),
            "placements": list_of(ref("Placement")),
            "blocked": or_null(ref("Blocked")),
        }
    ),
    "Blocked": record_of(
        {"code": one_of(["rank-not-higher", "cannot-pay", "no-space"]), "rule": TEXT},
        about="Why no placement can be paid",
    ),
    "Placement": record_of(
        {
            "space": SPACE,
            "move": or_null(ref("Move")),
            "cost": COUNT,
            "breakdown": record_of(
                {"rank": whole(1, 5), "underneath": whole(0, 5), "shared": list_of(SPACE)},
                about="cost = rank - underneath - the number of shared spaces, never below 0",
            ),
            "tokens": {**whole(0, 2), "description": "Own tokens that may pay, with one gained by the move"},
            "payable": FLAG,
            "gains": record_of(
                {
                    "move": or_null(ref("Element")),
                    "space": or_null(ref("Element")),
                    "ascension": or_null(ref("AscensionGain")),
                }
            ),
            "years": or_null(ref("YearsPreview")),
        }
    ),
    "AscensionGain": record_of({"element": ref("Element"), "sources": list_of(ref("GainSource"))}),
    "YearsPreview": record_of(
        {"for": one_of(["animal_tokens", "element_tokens"]), "base": COUNT},
        about="Years gained; for element tokens the base less the tokens paid",
    ),
    "ChoicesAnswer": record_of({"version": VERSION, "choices": or_null(ref("Choices"))}),
    # Advice
    "Candidate": record_of(
        {
            "action": ref("Action"),
            "outlook": OUTLOOK,
            "visits": {**COUNT, "description": "How often the search tried its card or draw"},
        }
    ),
    "Hint": record_of(
        {
            "version": VERSION,
            "candidates": {
                **or_null(list_of(ref("Candidate"))),
                "description": "The best first, one for each card or draw; null until they are found",
            },
            "poll_after_ms": POLL_AGAIN,
        },
        about="The best few actions of the seat to move, from what that seat sees",
    ),
    "Judgement": record_of(
        {
            "index": {**COUNT, "description": "The action's index in the record"},
            "seat": SEAT,
            "action": ref("Action"),
            "before": {**OUTLOOK, "description": "Before the action: after the best one found"},
            "after": {**OUTLOOK, "description": "After the action that was played"},
            "better": {
                **or_null(ref("Action")),
                "description": "The best one, where more than 0.1 of win chance or 3 points were lost",
            },
        },
        about="An action, judged from what its seat saw at that time",
    ),
    "Analysis": record_of(
        {
            "actions": {**COUNT, "description": "How many actions the game has"},
            "judgements": {
                **list_of(ref("Judgement")),
                "description": "Of the actions judged so far, in order",
            },
            "done": FLAG,
            "poll_after_ms": POLL_AGAIN,
        }
    ),
    # The record
    "RecordSeat": record_of({"name": TEXT, "player": TEXT}),
    "RecordBoard": record_of(
        {
            "name": TEXT,
            "vines": list_of(list_of(SPACE, length=2)),
            "token_spaces": list_of(SPACE),
        }
    ),
    "Record": record_of(
        {
            "format": {"type": "string", "pattern": "^stem-branch/[0-9]+$"},
            "mode": ref("Mode"),
            "options": ref("Options"),
            "board": ref("RecordBoard"),
            "year_animal": ref("Animal"),
            "seats": {**list_of(ref("RecordSeat")), "minItems": 1, "maxItems": 4},
            "viewer": VIEWER,
            "setup": record_of(
                {
                    "first_seat": SEAT,
                    "deck": {
                        **list_of(or_null(ref("CardName")), length=60),
                        "description": "In the order dealt and drawn; null where the viewer has not seen it",
                    },
                    "tokens": list_of(ref("Element")),
                }
            ),
            "actions": list_of(ref("Action")),
            "result": or_null(ref("Result")),
            "ended": {"type": "string", "const": "abandoned"},
        },
        optional=("viewer", "ended"),
        about="A whole game in one JSON form; with a `viewer`, only what that viewer may see of it",
    ),
    # Ladders
    "LadderState": record_of({"state": LADDER_STATE}),
    "CreatedLadder": record_of({"id": TEXT}),
    "LadderSummary": record_of(LADDER),
    "LadderList": record_of(
        {
            "ladders": list_of(ref("LadderSummary")),
            "bots": {**list_of(TEXT), "description": "Bots that take part in ladders, beside the levels"},
        }
    ),
    "LadderStanding": record_of(
        {
            "name": TEXT,
            "rating": {"type": "number"},
            "low": {"type": "number", "description": "Of the rating's 95 % interval"},
            "high": {"type": "number"},
            "games": COUNT,
            "wins": {"type": "number", "description": "Shares of wins; in co-op the sum of scores"},
            "mean": {"type": "number", "description": "Wins a game; in co-op the mean score"},
            "seconds_per_action": {"type": "number"},
            "faults": record_of(dict.fromkeys(FAULTS, COUNT), about="Games lost by forfeit"),
        }
    ),
    "LadderPairing": record_of(
        {
            "player": TEXT,
            "against": TEXT,
            "games": COUNT,
            "won": {"type": "number", "description": "Games placed before the other; an equal place is half"},
        }
    ),
    "Ladder": record_of(
        {
            **LADDER,
            "seed": COUNT,
            "gauntlet": FLAG,
            "options": ref("Options"),
            "workers": {**COUNT, "description": "Ladder workers that are alive"},
            "method": {**or_null(one_of(["Elo", "PlackettLuce", "mean score"])), "description": "Of rating"},
            "standings": {**list_of(ref("LadderStanding")), "description": "The best first"},
            "pairings": list_of(ref("LadderPairing")),
            "poll_after_ms": COUNT,
        }
    ),
    "LadderGame": record_of(
        {
            "seats": {**list_of(TEXT), "description": "Who sat where"},
            "shares": {**list_of({"type": "number"}), "description": "Of the win; in co-op the score"},
            "places": {**list_of(COUNT), "description": "0 is the best"},
            "fault": or_null(one_of(FAULTS)),
            "faulty_seat": or_null(SEAT),
        }
    ),
    "LadderMatch": record_of({"index": COUNT, "games": list_of(ref("LadderGame"))}),
    "LadderMatches": record_of(
        {
            "matches": list_of(ref("LadderMatch")),
            "next_after": {**or_null(COUNT), "description": "Null at the end"},
        }
    ),
    # Facts about the game
    "CardFact": record_of(
        {
            "year": whole(0, 59),
            "name": ref("CardName"),
            "element": ref("Element"),
            "animal": ref("Animal"),
            "rank": whole(1, 5),
            "can_chi": {**TEXT, "description": "The year's Vietnamese name"},
        }
    ),
    "CardFacts": record_of(CARD_FACTS),
    "BoardSpace": record_of(
        {
            "space": SPACE,
            "x": {"type": "number", "minimum": 0, "maximum": 1},
            "y": {"type": "number", "minimum": 0, "maximum": 1},
        },
        about="The centre of a space in the drawing area, x to the right and y downwards",
    ),
    "BoardFact": record_of(
        {
            "name": TEXT,
            "default": FLAG,
            "spaces": list_of(ref("BoardSpace"), length=12),
            "vines": list_of(list_of(SPACE, length=2)),
            "token_spaces": list_of(SPACE),
        }
    ),
    "BoardFacts": record_of(BOARD_FACTS),
    "PlayerFact": record_of(
        {
            "name": one_of(REPLACEMENTS),
            "kind": one_of(["simple", "search"]),
            "seconds": {"type": "number", "minimum": 0, "description": "Thinking time an action, at most"},
        }
    ),
    "PlayerFacts": record_of(PLAYER_FACTS),
    "OptionFact": record_of(
        {
            "name": one_of(list(OPTION_CHOICES)),
            "values": list_of({"type": ["string", "boolean"]}),
            "default": {"type": ["string", "boolean"]},
        }
    ),
    "RankFact": record_of({"name": one_of(RANK_NAMES), "from": whole(1, 60)}),
    "OptionFacts": record_of(OPTION_FACTS, about=OPTIONS_FOR_COOP),
    "RuleFacts": record_of(
        {**CARD_FACTS, **BOARD_FACTS, **PLAYER_FACTS, **OPTION_FACTS}, about=OPTIONS_FOR_COOP
    ),
    "DailyDeal": record_of(
        {
            "date": DAY,
            "seed": {**whole(0, MAX_SEED), "description": "It follows from the date alone"},
            "mode": ref("Mode"),
            "options": ref("Options"),
            "next_at": {**MOMENT, "description": "When the next day's begins: UTC, ISO 8601, ending in Z"},
        },
        about="A solo game that is the same for everybody",
    ),
    "AlmanacDay": record_of(
        {
            "date": DAY,
            "element": ref("Element"),
            "animal": ref("Animal"),
            "card": ref("CardName"),
            "can_chi": TEXT,
            "lunar_year": whole(1900, 2100),
            "first_day": DAY,
            "last_day": DAY,
        },
        about="The year of the Vietnamese lunar calendar (UTC+7) that the date belongs to",
    ),
    "Health": record_of({"status": {"type": "string", "const": "ok"}}),
    "Readiness": record_of({"status": {"type": "string", "const": "ready"}, "workers": whole(1)}),
}
