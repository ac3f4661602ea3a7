"""schemathesis over the whole document: no 5xx, nothing undocumented, every answer as its schema says."""

from __future__ import annotations

import random
from typing import Any

import pytest
import schemathesis
from flask import Flask
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from api import openapi_document
from engine import Game
from tests.api.tables import HUMANS, Client, Table

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
STRICT = [*CHECKS, checks.negative_data_rejection, checks.unsupported_method, checks.missing_required_header]


def cases_of(mode: str, examples: int) -> Any:
    """The document as a source of so many cases for each operation, always the same ones."""
    generation = {"mode": mode, "deterministic": True, "max-examples": examples, "database": "none"}
    config = schemathesis.Config.from_dict({"generation": generation})
    # /readyz is 503 here, as it should be: no worker runs.
    return schemathesis.openapi.from_dict(openapi_document(), config=config).exclude(path="/readyz")


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
