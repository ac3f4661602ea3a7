"""schemathesis over the whole document: no 5xx, nothing undocumented, every answer as its schema says.

`FUZZ=50 pytest tests/api/test_fuzz.py` tries fifty times as much, and something else each time.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from api import create_app, openapi_document
from engine import Game
from tests.api.tables import HUMANS, Client, Json, Table
from worker import Settings

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
STRICT = [*CHECKS, checks.negative_data_rejection, checks.unsupported_method, checks.missing_required_header]


FUZZ = int(os.environ.get("FUZZ", "1"))


def cases_of(mode: str, examples: int, document: Json | None = None) -> Any:
    """The document as a source of so many cases for each operation; without FUZZ always the same ones."""
    generation = {
        "mode": mode,
        "deterministic": FUZZ == 1,
        "max-examples": examples * FUZZ,
        "database": "none",
    }
    config = schemathesis.Config.from_dict({"generation": generation})
    # /readyz is 503 here, as it should be: no worker runs.
    source = schemathesis.openapi.from_dict(document or openapi_document(), config=config)
    return source.exclude(path="/readyz")


@pytest.fixture(scope="module")
def app(store_url: str) -> Flask:
    """Without limits by client, which so many requests would soon meet."""
    limits = {
        f"limit_{what}": "off" for what in ("games", "imports", "joins", "hints", "analyses", "ladders")
    }
    application = create_app(Settings(redis_url=store_url, **limits))
    application.testing = True
    return application


@pytest.fixture(scope="module")
def tables(app: Flask) -> list[Table]:
    """Games in every mode and stage, one with an open seat, and a replay."""
    client = Client(app.test_client())
    rng = random.Random(3)
    made = [
        client.table(seed=1),
        client.table("cooperative", options={"hands": "closed", "move": "any"}, board="terraces"),
        client.table("cooperative", seats=[*HUMANS, {"player": "open"}], public=True),
        client.imported(Game.new("competitive", list(HUMANS), seed=2).record(), "replay"),
    ]
    for steps, table in zip((25, 12), made, strict=False):
        table.play(steps, rng.choice)
    return made


@cases_of("all", 10).parametrize()
def test_nothing_that_is_sent_breaks_the_api(app: Flask, case: Any):
    case.call_and_validate(app=app, checks=STRICT)


@cases_of("positive", 8).parametrize()
def test_nothing_that_is_sent_to_a_real_game_breaks_it(app: Flask, case: Any, tables: list[Table]):
    """The same, with ids and tokens that exist, so that the views behind the checks are reached."""
    table = random.Random(str(case.body) + str(case.query)).choice(tables)
    case.path_parameters = {**(case.path_parameters or {}), "game_id": table.id}
    for name in {"seat", "index"} & set(case.path_parameters):
        case.path_parameters[name] = int(case.path_parameters[name]) % 4
    case.query = {name: value for name, value in (case.query or {}).items() if name != "wait"}
    tokens = list(table.tokens.values())
    headers = {"Authorization": f"Bearer {tokens[0]}"} if tokens else {}
    case.call_and_validate(app=app, checks=CHECKS, headers=headers)


def linked_document() -> Json:
    """The document with links from each new game to all that may be asked of it."""
    document = openapi_document()
    of_a_game = {
        operation["operationId"]: {
            "operationId": operation["operationId"],
            "parameters": {"path.game_id": "$response.body#/id"},
        }
        for path, item in document["paths"].items()
        if path.startswith("/api/v1/games/{game_id}")
        for method, operation in item.items()
        if method in ("get", "post")
    }
    for path in ("/api/v1/games", "/api/v1/imports"):
        document["paths"][path]["post"]["responses"]["201"]["links"] = of_a_game
    return document


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
def test_nothing_that_is_sent_in_any_order_breaks_the_api(app: Flask):
    """Games are made, joined, played, taken back, left and looked at in any order, by whoever has a seat."""
    tokens: dict[str, dict[str, str]] = {}
    answered: dict[str, int] = {}
    chance = random.Random(None if FUZZ > 1 else 5)

    class Players(cases_of("positive", 1, linked_document()).as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Any) -> None:
            id = (case.path_parameters or {}).get("game_id")
            case.query = {name: value for name, value in (case.query or {}).items() if name != "wait"}
            if not tokens.get(id):
                return
            seat, token = chance.choice(list(tokens[id].items()))
            if isinstance(case.body, dict) and "expected_version" in case.body and chance.random() < 0.9:
                seat, token = self.come_near(case.body, id)
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
            if "seat" in case.path_parameters:
                case.path_parameters["seat"] = chance.choice([int(seat), 0, 1, 2])

        def come_near(self, body: Json, id: str) -> tuple[str, str]:
            """The version that is now, a legal action and its seat, or nothing would ever be played."""
            client = app.test_client()
            for seat, token in tokens[id].items():
                headers = {"Authorization": f"Bearer {token}"}
                legal = client.get(f"/api/v1/games/{id}/legal-actions", headers=headers).get_json()
                body["expected_version"] = legal.get("version", body["expected_version"])
                if legal.get("actions"):
                    if "action" in body:
                        body["action"] = chance.choice(legal["actions"])
                    return seat, token
            return chance.choice(list(tokens[id].items()))

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"app": app}

        def after_call(self, response: Any, case: Any) -> None:
            name = f"{case.operation.definition.raw['operationId']} {response.status_code}"
            answered[name] = answered.get(name, 0) + 1
            if response.status_code == 201 and "tokens" in (made := response.json()):
                tokens[made["id"]] = made["tokens"]

        def validate_response(self, response: Any, case: Any, *_: Any, **__: Any) -> None:
            case.validate_response(response, checks=CHECKS)

    few = settings(
        max_examples=10,
        stateful_step_count=12,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    # Short searches, each with chance of its own, and not a long one: after its first ten cases Hypothesis
    # varies them, and takes it for a fault that a new game has another id and other cards.
    for _ in range(3 * FUZZ):
        seed(chance.getrandbits(32))(Players)
        Players.run(settings=few)
    assert {"createGame 201", "act 201", "readGame 200"} <= set(answered), answered
