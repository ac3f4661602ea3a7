"""The OpenAPI document: valid, complete, with examples that are true, and always the same."""

import json
import re

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from api import openapi_document
from tests.api.described import check_schema, document
from tests.api.tables import Client

OPERATIONS = [
    (path, method, operation)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
]


def names(cases):
    return [f"{method} {path}" for path, method, _ in cases]


def test_it_is_openapi_3_1():
    assert document()["openapi"] == "3.1.0"
    assert list(OPENAPI_31_VALIDATOR.iter_errors(document())) == []


def test_every_schema_is_a_json_schema_and_every_reference_leads_somewhere():
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for pointer in re.findall(r'"#/(components/[^"]+)"', json.dumps(document())):
        found = document()
        for step in pointer.split("/"):
            found = found[step]


def test_every_schema_is_used():
    used = set(re.findall(r"#/components/(\w+/\w+)", json.dumps(document())))
    there = {f"{kind}/{name}" for kind in ("schemas", "responses") for name in document()["components"][kind]}
    assert there == {each for each in used if not each.startswith("securitySchemes")}


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=names(OPERATIONS))
def test_every_operation_is_described_with_examples(path, method, operation):
    assert operation["summary"]
    assert operation["operationId"]
    assert operation["tags"]
    good = [status for status in operation["responses"] if status.startswith("2")]
    media = [operation["responses"][status]["content"]["application/json"] for status in good]
    if "requestBody" in operation:
        assert operation["requestBody"]["required"]
        media.append(operation["requestBody"]["content"]["application/json"])
        assert {"400", "413", "415"} <= set(operation["responses"])
    assert "400" in operation["responses"]
    if operation["security"]:
        assert "401" in operation["responses"]
    for described in media:
        examples = described["examples"]
        assert examples
        for example in examples.values():
            check_schema(described["schema"]["$ref"].rpartition("/")[2], example["value"])


def test_the_examples_of_refusals_are_what_is_sent():
    for response in document()["components"]["responses"].values():
        for code, example in response["content"]["application/json"]["examples"].items():
            check_schema("Error", example["value"])
            assert example["value"]["code"] == code


def test_tokens_are_described_as_bearer_tokens():
    assert document()["components"]["securitySchemes"]["seat"]["scheme"] == "bearer"
    needed = {
        (path, method) for path, method, operation in OPERATIONS if operation["security"] == [{"seat": []}]
    }
    game = "/api/v1/games/{game_id}"
    assert needed == {
        (f"{game}/actions", "post"),
        (f"{game}/choices", "get"),
        (f"{game}/hint", "get"),
        (f"{game}/hint", "post"),
        (f"{game}/legal-actions", "get"),
        (f"{game}/seats/{{seat}}/leave", "post"),
        (f"{game}/seats/{{seat}}/replace", "post"),
        (f"{game}/undo", "post"),
    }


def test_the_document_is_served_and_always_the_same(client: Client):
    answer = client.get("/api/v1/openapi.json")
    assert answer.get_json() == openapi_document() == openapi_document()
    assert (
        answer.get_data(as_text=True)
        == json.dumps(openapi_document(), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    )
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, answer.headers["ETag"])


def test_schemas_refuse_what_they_should():
    wrong = {"seat": 0, "type": "draw", "source": 8}
    assert not jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/Action", "components": document()["components"]}
    ).is_valid(wrong)
