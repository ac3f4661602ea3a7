"""Holds answers against the OpenAPI document: every status documented, every body as its schema says."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import jsonschema_rs

from api import openapi_document

Json = dict[str, Any]

# Answers of addresses or methods that the document does not have
ELSEWHERE = (404, 405)


@cache
def document() -> Json:
    return openapi_document()


@cache
def operations() -> list[tuple[str, re.Pattern[str], Json]]:
    def pattern(path: str) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))

    return [
        (method.upper(), pattern(path), item[method])
        for path, item in document()["paths"].items()
        for method in ("get", "post")
        if method in item
    ]


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    schema = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(schema)


def check_schema(name: str, body: object) -> None:
    """Fail unless the body is as the component schema says."""
    faults = [
        f"{'/'.join(map(str, e.instance_path))}: {e.message}" for e in validator(name).iter_errors(body)
    ]
    assert not faults, f"{name}: {faults[:5]}"


def check_answer(method: str, path: str, response: Any) -> None:
    """Fail unless the answer is one that the document describes for this method and path."""
    operation = next((o for m, p, o in operations() if m == method and p.fullmatch(path)), None)
    if operation is None:
        if path.startswith("/api/") and response.status_code in ELSEWHERE:
            check_schema("Error", response.get_json())
        return
    answer = operation["responses"].get(str(response.status_code))
    assert answer is not None, f"{method} {path} answers {response.status_code}, which is not documented"
    if "$ref" in answer:
        answer = document()["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    for header, told in answer.get("headers", {}).items():
        assert header in response.headers or not told.get("required"), f"{method} {path} lacks {header}"
    if "content" not in answer:
        assert response.get_data() == b""
        return
    assert response.mimetype == "application/json"
    check_schema(
        answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2], response.get_json()
    )
