"""What flask-smorest and Werkzeug do otherwise: each trap by name."""

import json
from io import BytesIO

import pytest
from flask import Flask, Response
from werkzeug.exceptions import TooManyRequests

from api import create_app, reading
from api.spec import BODY_LIMIT
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code
from worker import Settings

NEW_GAME = {"mode": "competitive", "seats": list(HUMANS)}


@pytest.fixture
def another_app(store_url: str) -> Flask:
    """An application of the test's own, to be changed, that answers 500 as it does in production."""
    return create_app(Settings(redis_url=store_url))


def test_304_carries_the_etag(table: Table):
    tag = table.get().headers["ETag"]
    answer = table.get(headers={"If-None-Match": tag})
    assert (answer.status_code, answer.headers["ETag"], answer.get_data()) == (304, tag, b"")
    assert "Content-Type" not in answer.headers


@pytest.mark.parametrize("form", ["{tag}", "W/{tag}", '"other", {tag}', '"other", W/{tag}', "*"])
def test_if_none_match_is_compared_weakly(table: Table, form):
    tag = table.get().headers["ETag"]
    assert table.get(headers={"If-None-Match": form.format(tag=tag)}).status_code == 304


@pytest.mark.parametrize("form", ['"other"', 'W/"other"', "", "garbage", '"', "{bare}x"])
def test_if_none_match_of_something_else_is_answered_in_full(table: Table, form):
    bare = table.get().headers["ETag"].strip('"')
    assert table.get(headers={"If-None-Match": form.format(bare=bare)}).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_405_keeps_its_allow_header(client: Client, method):
    answer = client.send(method, GAMES)
    assert (answer.status_code, error_code(answer)) == (405, "method-not-allowed")
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))


def test_retry_after_is_kept(another_app: Flask):
    @another_app.get("/api/v1/busy")
    def busy() -> Response:
        raise TooManyRequests(retry_after=7)

    answer = another_app.test_client().get("/api/v1/busy")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "7")
    assert answer.get_json()["code"] == "too-many-requests"


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "text/json", "application/vnd.api+json", "application/x-www-form-urlencoded",
     "multipart/form-data; boundary=x", "application/jsonx", "", None],
)  # fmt: skip
def test_a_post_of_anything_but_application_json_is_415(client: Client, content_type):
    answer = client.send("POST", GAMES, data=json.dumps(NEW_GAME), content_type=content_type)
    assert (answer.status_code, error_code(answer)) == (415, "not-json")


def test_a_compressed_body_is_415(client: Client):
    answer = client.post(GAMES, NEW_GAME, headers={"Content-Encoding": "gzip"})
    assert (answer.status_code, error_code(answer)) == (415, "not-json")


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "Application/JSON"]
)
def test_application_json_is_taken_with_any_parameter(client: Client, content_type):
    answer = client.send("POST", GAMES, data=json.dumps(NEW_GAME), content_type=content_type)
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "number", ["2.6e-42", "1.0", "1e0", "-0.0", "true", "false", '"1"', "null", "[1]", "{}"]
)
def test_only_whole_numbers_are_whole_numbers(client: Client, table: Table, number):
    mover = table.read()["seat_to_act"]
    action = json.dumps({"seat": mover, "type": "draw", "source": "deck"})
    before = table.everything()
    for path, body in (
        (GAMES, f'{{"mode": "competitive", "seats": {json.dumps(HUMANS)}, "seed": {number}}}'),
        (f"{table.url}/actions", f'{{"expected_version": {number}, "action": {action}}}'),
        (f"{table.url}/actions", action.replace("deck", "@").replace('"@"', number).join(
            ('{"expected_version": 1, "action": ', "}"))),
    ):  # fmt: skip
        answer = client.send(
            "POST", path, token=table.token(mover), data=body, content_type="application/json"
        )
        assert (answer.status_code, error_code(answer) in ("bad-fields", "malformed-action")) == (400, True)
    assert table.everything() == before


def test_answers_are_validated_so_a_wrong_one_does_not_pass(table: Table, monkeypatch):
    monkeypatch.setattr(reading, "POLL_OWN_TURN", "soon")
    mover = table.get("/actions") and table.client.flask_client.get(table.url).get_json()["seat_to_act"]
    with pytest.raises(AssertionError, match="poll_after_ms"):
        table.read(mover)


def test_an_unknown_address_of_the_api_is_404_for_every_method(client: Client):
    for method in ("GET", "POST", "PUT", "DELETE"):
        for path in (
            "/api/v1/nothing",
            "/api/v2/games",
            "/api/",
            f"{GAMES}/",
            f"{GAMES}//x",
            "/api/v1/games/a/b/c",
        ):
            answer = client.send(method, path)
            assert (answer.status_code, error_code(answer)) == (404, "not-found"), (method, path)


def test_slashes_are_not_merged_into_a_redirect(client: Client):
    assert client.send("POST", "//api/v1/games", json=NEW_GAME).status_code in (404, 405)
    assert client.get("/api//v1/games").status_code == 404


def test_thousands_of_digits_in_an_address_are_404(table: Table):
    digits = "1" * 5000
    assert table.get(f"/positions/{digits}").status_code == 404
    assert table.post(f"/seats/{digits}/join", {"name": "Eve"}).status_code == 404


@pytest.mark.parametrize(
    "game_id", ["x", "-", "a" * 40, "a" * 41, "a%00b", "..", "%2e%2e%2f", "é", "*", "{id}"]
)
def test_an_id_of_any_kind_is_404(client: Client, game_id):
    for path in ("", "/actions", "/record", "/choices", "/positions/0"):
        assert client.get(f"{GAMES}/{game_id}{path}").status_code in (404, 401)
    assert client.get(f"{GAMES}/{game_id}").status_code == 404


def test_deep_json_is_400(client: Client):
    for depth in (17, 900, 5000):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            body = opening * depth + "1" + closing * depth
            answer = client.send("POST", GAMES, data=body[:BODY_LIMIT], content_type="application/json")
            assert (answer.status_code, error_code(answer)) == (400, "bad-json")


def test_deep_json_of_a_record_is_400(client: Client):
    body = "[" * 100_000 + "]" * 100_000
    answer = client.send("POST", "/api/v1/imports", data=body, content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-json")


@pytest.mark.parametrize("body", ["[", "{", '{"a": 1', "nonsense", "'single'", "{a: 1}", "[1,]", "\ufeff{}"])
def test_what_is_no_json_is_400(client: Client, body):
    answer = client.send("POST", GAMES, data=body.encode(), content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-json")


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe{\x00}\x00", b'{"mode": "\xe9"}', b'{"mode": "\\ud800"}', b'{"\\udfff": 1}', b"\x00"],
)  # fmt: skip
def test_what_is_no_unicode_is_400(client: Client, body):
    answer = client.send("POST", GAMES, data=body, content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-json")


@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9007199254740992", "1" * 18,
      "1" * 5000, "-" + "1" * 5000],
)  # fmt: skip
def test_numbers_beyond_what_json_readers_agree_on_are_400(client: Client, value):
    body = f'{{"mode": "competitive", "seats": {json.dumps(HUMANS)}, "seed": {value}}}'
    answer = client.send("POST", GAMES, data=body, content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-json")


def test_a_key_given_twice_is_400(client: Client):
    body = '{"mode": "competitive", "mode": "cooperative", "seats": []}'
    answer = client.send("POST", GAMES, data=body, content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-json")


def test_a_body_over_the_limit_is_413(client: Client):
    seats = [{"name": "x" * BODY_LIMIT, "player": "human"}]
    answer = client.post(GAMES, {"mode": "cooperative", "seats": seats})
    assert (answer.status_code, error_code(answer)) == (413, "body-too-large")
    record = client.post("/api/v1/imports", {"record": {"format": "x" * 300_000}, "purpose": "play"})
    assert (record.status_code, error_code(record)) == (413, "body-too-large")
    larger_than_others = client.post(
        "/api/v1/imports", {"record": {"format": "x" * 100_000}, "purpose": "play"}
    )
    assert larger_than_others.status_code == 422


@pytest.mark.parametrize("more", [-1, 0, 1, 2, 9 * BODY_LIMIT])
def test_a_body_sent_in_chunks_is_not_cut_at_the_limit_but_413(client: Client, more):
    # Cut at the limit, this would be a good body.
    body = json.dumps(NEW_GAME).encode().ljust(BODY_LIMIT + more)
    answer = client.send(
        "POST",
        GAMES,
        input_stream=BytesIO(body),
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
        environ_base={"wsgi.input_terminated": True},
    )
    assert answer.status_code == (201 if more <= 0 else 413)


def test_what_goes_wrong_in_a_view_is_500_in_our_form_and_tells_nothing(another_app: Flask, caplog):
    @another_app.get("/api/v1/broken")
    def broken() -> Response:
        raise RuntimeError("the deck is fire-pig")

    answer = another_app.test_client().get("/api/v1/broken", headers={"Authorization": "Bearer t0ken"})
    assert (answer.status_code, answer.get_json()["code"]) == (500, "internal-error")
    assert "fire-pig" not in answer.get_data(as_text=True)
    assert "t0ken" not in caplog.text


@pytest.mark.parametrize(
    "header",
    ["Basic dTpw", "Bearer", "Bearer ", "bearer", "Token x", "Bearer " + "x" * 5000, "Bearer Tết", "x", ""],
)  # fmt: skip
def test_a_token_of_another_kind_is_refused_never_taken_for_none(table: Table, header):
    for path in ("", "/actions", "/record", "/positions/0", "/choices", "/legal-actions"):
        answer = table.get(path, headers={"Authorization": header.encode().decode("latin-1")})
        assert (answer.status_code, error_code(answer)) == (401, "wrong-token")
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_the_word_bearer_in_any_case(table: Table):
    answer = table.get(headers={"Authorization": f"BEARER {table.token(1)}"})
    assert answer.get_json()["viewer"] == 1


def test_a_token_of_another_game_is_refused(client: Client, table: Table):
    other = client.table()
    answer = client.get(table.url, token=other.token(0))
    assert (answer.status_code, error_code(answer)) == (401, "wrong-token")


def test_tokens_in_the_query_are_not_taken(table: Table):
    answer = table.get("", query_string={"token": table.token(0)})
    assert (answer.status_code, error_code(answer)) == (400, "bad-fields")


def test_head_and_options_work(table: Table):
    head = table.client.flask_client.head(table.url)
    assert (head.status_code, head.get_data()) == (200, b"")
    assert head.headers["ETag"] == table.get().headers["ETag"]
    options = table.client.flask_client.options(table.url)
    assert "GET" in options.headers["Allow"]
    assert "Access-Control-Allow-Origin" not in options.headers
