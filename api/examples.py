"""The examples of the OpenAPI document: answers and bodies from `examples.json`, and refusals by status."""

import json
from importlib.resources import files
from typing import Any

from api.messages import sentence

Json = dict[str, Any]

# By status: code, rule and facts
_REFUSED: dict[int, list[tuple[str, str | None, Json]]] = {
    400: [
        (
            "bad-fields",
            None,
            {"location": "body", "fields": {"seats.0.player": ["Missing data for required field."]}},
        ),
        ("bad-json", None, {"reason": "not JSON", "at": 17}),
    ],
    401: [("no-token", None, {}), ("wrong-token", None, {})],
    403: [
        ("not-your-seat", None, {}),
        ("own-seat", None, {}),
        ("hints-off", None, {}),
        ("not-admin", None, {}),
    ],
    404: [("no-such-game", None, {}), ("no-hint", None, {})],
    409: [
        ("stale-version", None, {"current_version": 8}),
        ("seat-taken", None, {}),
        ("read-only", None, {}),
        ("not-your-turn", None, {"seat_to_act": 1}),
        ("not-absent", None, {"absent_at": "2026-02-17T09:36:41.381Z"}),
        ("nothing-to-undo", None, {}),
        ("action-undone", None, {}),
        ("still-running", None, {}),
        ("rematch-made", None, {"game": "k3b5vq7xw2mtzcfa"}),
    ],
    413: [("body-too-large", None, {})],
    415: [("not-json", None, {})],
    422: [
        ("payment-amount", "R10c", {"cost": 3, "paid": 2}),
        ("key-reused", None, {}),
        ("date-out-of-range", None, {"date": "1900-05-01", "first": "1901-01-01", "last": "2100-12-31"}),
    ],
    429: [("too-many-requests", None, {})],
    503: [("store-unavailable", None, {}), ("too-many-games", None, {}), ("newer-format", None, {})],
}

REFUSALS: dict[int, Json] = {
    status: {
        code: {"value": {"code": code, "message": sentence(code, params), "rule": rule, "params": params}}
        for code, rule, params in cases
    }
    for status, cases in _REFUSED.items()
}


def _examples(part: str) -> dict[str, Json]:
    data: dict[str, dict[str, Any]] = json.loads((files("api") / "examples.json").read_text("utf-8"))
    return {
        owner: {name: {"value": value} for name, value in cases.items()}
        for owner, cases in data[part].items()
    }


# By the name of the component schema, and by the name of the view whose body it is
ANSWERS = _examples("answers")
_FACTS = [
    next(iter(ANSWERS[part].values())) for part in ("CardFacts", "BoardFacts", "PlayerFacts", "OptionFacts")
]
ANSWERS["RuleFacts"] = {
    "all": {"value": {name: fact for part in _FACTS for name, fact in part["value"].items()}}
}
BODIES = _examples("bodies")
