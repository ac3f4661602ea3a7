"""flask-smorest with its rough edges smoothed once: strict bodies, our refusals, complete descriptions.

Views are described by one decorator, `Routes.operation`, and answer with `answer(...)`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import marshmallow as ma
from flask import Flask, Response, request
from flask_smorest import Api, Blueprint
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.routing import BaseConverter

from api.bodies import Described, NothingQuery
from api.errors import Refusal
from api.examples import ANSWERS, BODIES, REFUSALS
from api.rates import check_rate
from api.schemas import SCHEMAS, Json, ref

BODY_LIMIT = 16_384
DEEPEST_JSON = 16
LARGEST_INTEGER = 2**53 - 1

View = TypeVar("View", bound=Callable[..., Response])

REFUSAL_MEANINGS = {
    400: "Malformed: not JSON, a wrong type, a field missing or unknown, a value out of its range",
    401: "The token is missing or wrong",
    403: "The token is another seat's, or the game does not allow it",
    404: "There is no such thing, or it is not for you to know",
    409: "The game is not, or no longer, at the point where this can be done",
    413: "The body is too large",
    415: "The body is not application/json",
    422: "Well-formed, but the rules of the game forbid it",
    429: "This client has asked too often for such a thing",
    503: "The store cannot be reached, or there is no room for another game; try again",
}
_REFUSAL_HEADERS: dict[int, Json] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}},
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds", "required": True}},
    503: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds"}},
}
ETAG = {
    "ETag": {"description": "Stands for version and viewer", "schema": {"type": "string"}, "required": True}
}
LOCATION = {
    "Location": {
        "description": "The address of what was made",
        "schema": {"type": "string"},
        "required": True,
    }
}


# ---- answers


def answer(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer, sent as it is."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, headers, mimetype="application/json")


def known_to_client(tag: str) -> bool:
    """Whether If-None-Match names this tag, strong or weak: RFC 9110 wants the weak comparison here."""
    return request.if_none_match.contains_weak(tag)


def not_modified(tag: str, headers: dict[str, str]) -> Response:
    """304 with the ETag and the caching headers that the 200 would carry."""
    response = Response(status=304, headers=headers)
    response.set_etag(tag)
    del response.headers["Content-Type"]
    return response


# ---- request bodies


def _small_integer(text: str) -> int:
    # Length first: Python itself refuses to read thousands of digits, with another error.
    if len(text) > 17 or abs(int(text)) > LARGEST_INTEGER:
        raise Refusal(400, "bad-json", reason="number too large")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Refusal(400, "bad-json", reason="number too large")
    return value


def _no_constant(text: str) -> None:
    raise Refusal(400, "bad-json", reason=f"{text} is not JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refusal(400, "bad-json", reason="a key twice")
    return found


def _check_tree(root: object) -> None:
    """Refuse what later code could stumble over: depth, and text that is no Unicode (lone surrogates)."""
    layer, depth = [root], 0
    while layer:
        if depth > DEEPEST_JSON:
            raise Refusal(400, "bad-json", reason="nested too deeply")
        below: list[object] = []
        for value in layer:
            if isinstance(value, dict):
                below += value.keys()
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
                raise Refusal(400, "bad-json", reason="not Unicode")
        layer, depth = below, depth + 1


def read_json(data: bytes) -> Any:
    """The JSON value of a body; Refusal 400 `bad-json` says what is wrong with it."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            parse_int=_small_integer,
            parse_float=_finite,
            parse_constant=_no_constant,
            object_pairs_hook=_no_duplicates,
        )
    except UnicodeDecodeError as error:
        raise Refusal(400, "bad-json", reason="not UTF-8") from error
    except RecursionError as error:
        raise Refusal(400, "bad-json", reason="nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Refusal(400, "bad-json", reason="not JSON", at=error.pos) from error
    _check_tree(value)
    return value


def _flat(messages: Any, path: str = "") -> dict[str, list[str]]:
    """Marshmallow's nested messages as `{"seats.0.player": [...]}`."""
    if isinstance(messages, dict):
        found: dict[str, list[str]] = {}
        for key, value in messages.items():
            step = "" if key == "_schema" or (not path and key in ("json", "query")) else str(key)
            found |= _flat(value, ".".join(part for part in (path, step) if part))
        return found
    return {path: [str(message) for message in messages]}


class StrictParser(FlaskParser):
    """Reads application/json only, refuses unknown fields, answers 400 with the fields at fault."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 - declared so by the library
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
    }

    def _raw_load_json(self, req: Any) -> Any:
        encoding = req.headers.get("Content-Encoding", "identity").lower()
        if req.mimetype != "application/json" or encoding != "identity":
            raise Refusal(415, "not-json")
        data = req.get_data()
        if len(data) >= req.max_content_length:
            raise RequestEntityTooLarge
        return read_json(data)

    def handle_error(self, error: ma.ValidationError, req: Any, schema: ma.Schema, **_: Any) -> Any:
        location = "query" if "query" in error.messages_dict else "body"
        raise Refusal(400, "bad-fields", location=location, fields=_flat(error.messages))


# ---- paths


class GameId(BaseConverter):
    """An id as the store makes them; anything else is not found before the store is asked."""

    regex = "[A-Za-z0-9_-]{1,40}"


class Index(BaseConverter):
    """A small number in plain ASCII digits (Flask's own `int` fails on thousands of digits)."""

    regex = "[0-9]{1,6}"

    def to_python(self, value: str) -> int:
        return int(value)


# ---- the description


class Routes(Blueprint):  # type: ignore[misc]
    """A blueprint whose views are described by `operation`."""

    ARGUMENTS_PARSER = StrictParser()

    def operation(
        self,
        method: str,
        rule: str,
        status: int,
        schema: str,
        *,
        refusals: Iterable[int] = (),
        body: type[ma.Schema] | None = None,
        query: type[ma.Schema] = NothingQuery,
        who: str = "anybody",
        headers: Json | None = None,
        request_headers: Iterable[Json] = (),
        conditional: bool = False,
        body_limit: int = BODY_LIMIT,
        at_once: bool = False,
        rate: str | None = None,
    ) -> Callable[[View], View]:
        """Route and describe a view that answers `status` with component `schema`.

        The view gets the query's values (if it takes any), then the body's, then the path's. `who` only
        describes: "anybody", a "viewer" (a token is optional), a "seat" or "admin" (theirs is needed). With
        `at_once` the answer may also be 200: nothing is left to be done. `rate` names what is counted by
        client: see `check_rate`. The docstring's first line is the summary.
        """
        refused = {400, *refusals}
        if body is not None:
            refused |= {413, 415}
        if who != "anybody":
            refused |= {401}
        if rate is not None:
            refused |= {429, 503}

        def decorate(view: View) -> View:
            described: Any = _without_query(view) if query is NothingQuery else view
            if body is not None:
                described = self.arguments(body, location="json", examples=BODIES.get(view.__name__))(
                    described
                )
            described = self.arguments(query, location="query")(described)
            described = self.response(
                status,
                ref(schema),
                examples=ANSWERS.get(schema),
                headers={**(headers or {}), **(ETAG if conditional else {})},
            )(described)
            if at_once:
                described = self.alt_response(
                    200, schema=ref(schema), examples=ANSWERS.get(schema), success=True
                )(described)
            if conditional:
                described = self.alt_response(304, description="Nothing has changed", headers=ETAG)(described)
            for code in sorted(refused):
                described = self.alt_response(code, f"Refused{code}")(described)
            security: list[Json] = _SECURITY[who]
            parameters = [*request_headers, *([_IF_NONE_MATCH] if conditional else [])]
            described = self.doc(operationId=_camel(view.__name__), security=security)(described)
            described._apidoc.setdefault("arguments", {}).setdefault("parameters", []).extend(parameters)

            @wraps(described)
            def limited(*args: Any, **kwargs: Any) -> Response:
                # One more than the limit: a body sent in chunks is cut there without a word, and seen to be.
                request.max_content_length = body_limit + 1
                if rate is not None:
                    check_rate(rate)
                response: Response = described(*args, **kwargs)
                return response

            limited._apidoc = described._apidoc  # type: ignore[attr-defined]
            self.add_url_rule(rule, view.__name__, limited, methods=[method])
            return view

        return decorate


def _without_query(view: Callable[..., Response]) -> Callable[..., Response]:
    @wraps(view)
    def called(_query: Json, *args: Any, **kwargs: Any) -> Response:
        return view(*args, **kwargs)

    return called


_SECURITY: dict[str, list[Json]] = {
    "anybody": [],
    "viewer": [{}, {"seat": []}],
    "seat": [{"seat": []}],
    "admin": [{"admin": []}],
}
_IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "The ETag of the answer that the client has",
}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


class Description(Api):  # type: ignore[misc]
    """The application's OpenAPI description."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Ours are registered by the application."""

    def _register_responses(self) -> None:
        for status, meaning in REFUSAL_MEANINGS.items():
            media = {"schema": ref("Error"), "examples": REFUSALS[status]}
            response: Json = {"description": meaning, "content": {"application/json": media}}
            if status in _REFUSAL_HEADERS:
                response["headers"] = _REFUSAL_HEADERS[status]
            self.spec.components.response(f"Refused{status}", response)

    def _register_etag_headers(self) -> None:
        """Described by each operation that sends them."""

    def _register_pagination_header(self) -> None:
        """Not used: lists have cursors."""


def describe(app: Flask) -> Description:
    """Attach the description to an application; blueprints are then registered through it."""
    app.url_map.converters |= {"game": GameId, "index": Index}
    description = Description(app)
    spec = description.spec
    for name, schema in SCHEMAS.items():
        spec.components.schema(name, schema)
    spec.components.security_scheme(
        "seat",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A seat's token, from creating a game or joining it",
        },
    )
    spec.components.security_scheme(
        "admin",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The administrator's token, from the server's settings or its file",
        },
    )
    description.ma_plugin.converter.add_attribute_function(_described_schema)
    description.register_converter(GameId, lambda _: {"type": "string", "pattern": f"^{GameId.regex}$"})
    description.register_converter(Index, lambda _: {"type": "integer", "minimum": 0, "maximum": 999_999})
    return description


def _described_schema(_converter: Any, field: Any, ret: Json) -> Json:
    if not isinstance(field, Described):
        return {}
    ret.clear()
    return ref(field.schema_name)
