"""Bad input gets its proper refusal with a machine code, and changes nothing."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import CARD_NAMES, Game
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code

SUMMON: dict[str, Any] = {
    "type": "summon",
    "card": "fire-pig",
    "space": 3,
    "move": None,
    "pay": {"cards": [], "tokens": 0},
    "gain": None,
}
GOOD: dict[str, Any] = {"mode": "competitive", "seats": list(HUMANS)}


def with_seat(table: Table, action: Any) -> Any:
    return {"seat": table.read()["seat_to_act"], **action} if isinstance(action, dict) else action


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "mode"),
        ([], ""),
        (None, ""),
        ("competitive", ""),
        (7, ""),
        ({**GOOD, "mode": "solo"}, "mode"),
        ({**GOOD, "mode": None}, "mode"),
        ({**GOOD, "mode": ["competitive"]}, "mode"),
        ({**GOOD, "seats": 2}, "seats"),
        ({**GOOD, "seats": {}}, "seats"),
        ({**GOOD, "seats": []}, "seats"),
        ({**GOOD, "seats": [*HUMANS] * 3}, "seats"),
        ({**GOOD, "seats": [HUMANS[0], "human"]}, "seats.1"),
        ({**GOOD, "seats": [HUMANS[0], {}]}, "seats.1.player"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "robot"}]}, "seats.1.player"),
        ({**GOOD, "seats": [HUMANS[0], {"player": 1}]}, "seats.1.player"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "human", "name": ""}]}, "seats.1.name"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "human", "name": "x" * 41}]}, "seats.1.name"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "human", "name": "a\x00b"}]}, "seats.1.name"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "human", "name": None}]}, "seats.1.name"),
        ({**GOOD, "seats": [HUMANS[0], {"player": "human", "token": "mine"}]}, "seats.1.token"),
        ({**GOOD, "deck": ["fire-pig"]}, "deck"),
        ({**GOOD, "seed": -1}, "seed"),
        ({**GOOD, "seed": None}, "seed"),
        ({**GOOD, "seed": "7"}, "seed"),
        ({**GOOD, "board": "hexagons"}, "board"),
        ({**GOOD, "board": "../scroll"}, "board"),
        ({**GOOD, "public": 1}, "public"),
        ({**GOOD, "public": "yes"}, "public"),
        ({**GOOD, "options": []}, "options"),
        ({**GOOD, "options": {"speed": "fast"}}, "options.speed"),
        ({**GOOD, "options": {"element_tokens": 0}}, "options.element_tokens"),
        ({**GOOD, "options": {"hands": "OPEN"}}, "options.hands"),
        ({**GOOD, "year_animal": "pig"}, "year_animal"),
    ],
)
def test_a_malformed_game_names_its_fields(client: Client, body, field):
    answer = client.send("POST", GAMES, data=json.dumps(body), content_type="application/json")
    assert (answer.status_code, error_code(answer)) == (400, "bad-fields")
    assert answer.get_json()["params"]["location"] == "body"
    assert field in answer.get_json()["params"]["fields"]


def test_names_of_any_script_are_kept_as_they_are(client: Client):
    for name in (
        "Nguyễn Thị Lan",
        "<b>Lan</b>",
        "\u202eevil",
        "🐉🐉",
        'O\'Neil "&amp;"',
        "x" * 40,
        "  . ",
        "न",
        "ㅤm",
    ):
        table = client.table(seats=[{"name": name, "player": "human"}, HUMANS[1]])
        assert table.read()["seats"][0]["name"] == name


@pytest.mark.parametrize(
    "name", [" ", "\u3000\u2003", "\u200b", "\u202e\u202c", "\ufeff", "\u2800", "\u3164 "]
)
def test_a_name_that_nobody_can_see_is_refused(client: Client, name: str):
    answer = client.post(GAMES, {**GOOD, "seats": [{"name": name, "player": "human"}, *GOOD["seats"][1:]]})
    assert (answer.status_code, error_code(answer)) == (400, "bad-fields")
    assert "seen" in str(answer.get_json()["params"]["fields"])


@pytest.mark.parametrize(
    ("action", "status", "code"),
    [
        ([], 400, "bad-fields"),
        (None, 400, "bad-fields"),
        ("draw", 400, "bad-fields"),
        ({}, 400, "malformed-action"),
        ({"type": "dance"}, 400, "malformed-action"),
        ({"type": None}, 400, "malformed-action"),
        ({"type": "draw"}, 400, "malformed-action"),
        ({"type": "draw", "source": "stream"}, 400, "malformed-action"),
        ({"type": "draw", "source": 8}, 400, "malformed-action"),
        ({"type": "draw", "source": -1}, 400, "malformed-action"),
        ({"type": "draw", "source": 2**53 - 1}, 400, "malformed-action"),
        ({"type": "draw", "source": 1.0}, 400, "malformed-action"),
        ({"type": "draw", "source": True}, 400, "malformed-action"),
        ({"type": "draw", "source": None}, 400, "malformed-action"),
        ({"type": "draw", "source": "deck", "card": "fire-pig"}, 400, "malformed-action"),
        ({"type": "discard", "cards": "fire-pig"}, 400, "malformed-action"),
        ({"type": "discard", "cards": ["fire-pig", "fire-pig"]}, 400, "malformed-action"),
        ({"type": "discard", "cards": ["ice-pig"]}, 400, "malformed-action"),
        ({"type": "discard", "cards": [7]}, 400, "malformed-action"),
        ({"type": "discard", "cards": []}, 422, "discard-not-due"),
        ({"type": "pass"}, 422, "pass-not-allowed"),
        ({**SUMMON, "card": "fire-unicorn"}, 400, "malformed-action"),
        ({**SUMMON, "card": 7}, 400, "malformed-action"),
        ({**SUMMON, "space": 12}, 400, "malformed-action"),
        ({**SUMMON, "space": -1}, 400, "malformed-action"),
        ({**SUMMON, "space": "3"}, 400, "malformed-action"),
        ({**SUMMON, "move": {"from": 1}}, 400, "malformed-action"),
        ({**SUMMON, "move": {"from": 1, "to": 99}}, 400, "malformed-action"),
        ({**SUMMON, "move": [1, 2]}, 400, "malformed-action"),
        ({**SUMMON, "pay": None}, 400, "malformed-action"),
        ({**SUMMON, "pay": {"cards": []}}, 400, "malformed-action"),
        ({**SUMMON, "pay": {"cards": ["fire-dog", "fire-dog"], "tokens": 0}}, 400, "malformed-action"),
        ({**SUMMON, "pay": {"cards": [], "tokens": -1}}, 400, "malformed-action"),
        ({**SUMMON, "pay": {"cards": [], "tokens": 10**15}}, 400, "malformed-action"),
        ({**SUMMON, "pay": {"cards": [], "tokens": 0.5}}, 400, "malformed-action"),
        ({**SUMMON, "gain": "supply"}, 400, "malformed-action"),
        ({**SUMMON, "gain": {"from": "bank"}}, 400, "malformed-action"),
        ({**SUMMON, "gain": {"from": "supply", "space": 1}}, 400, "malformed-action"),
        ({**SUMMON, "gain": {"from": "seat", "seat": 4}}, 400, "malformed-action"),
        ({k: v for k, v in SUMMON.items() if k != "move"}, 400, "malformed-action"),
        ({**SUMMON, "undo": True}, 400, "malformed-action"),
    ],
)
def test_a_bad_action_is_refused_and_nothing_changes(table: Table, action, status, code):
    mover = table.read()["seat_to_act"]
    before = table.everything()
    body = {"expected_version": table.version, "action": with_seat(table, action)}
    answer = table.post("/actions", body, seat=mover)
    assert (answer.status_code, error_code(answer)) == (status, code)
    assert table.everything() == before


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"expected_version": None}, 400, "bad-fields"),
        ({"expected_version": -1}, 400, "bad-fields"),
        ({"expected_version": 2**31}, 400, "bad-fields"),
        ({"expected_version": 2**31 - 1}, 409, "stale-version"),
        ({"expected_version": 0}, 409, "stale-version"),
        ({"unknown": 1}, 400, "bad-fields"),
    ],
)
def test_a_bad_request_around_a_good_action(table: Table, change, status, code):
    mover = table.read()["seat_to_act"]
    before = table.everything()
    action = {"seat": mover, "type": "draw", "source": "deck"}
    answer = table.post("/actions", {"expected_version": 1, "action": action, **change}, seat=mover)
    assert (answer.status_code, error_code(answer)) == (status, code)
    assert table.everything() == before


def test_another_seats_token_cannot_act_and_no_token_neither(table: Table):
    mover = table.read()["seat_to_act"]
    before = table.everything()
    body = {"expected_version": 1, "action": {"seat": mover, "type": "draw", "source": "deck"}}
    for token, status, code in (
        (table.token(1 - mover), 403, "not-your-seat"),
        (None, 401, "no-token"),
        ("x" * 43, 401, "wrong-token"),
        (table.id, 401, "wrong-token"),
    ):
        answer = table.client.post(f"{table.url}/actions", body, token=token)
        assert (answer.status_code, error_code(answer)) == (status, code)
    # The same token, its own seat: the rules say whose turn it is.
    own = {**body, "action": {**body["action"], "seat": 1 - mover}}
    answer = table.post("/actions", own, seat=1 - mover)
    assert (answer.status_code, error_code(answer)) == (422, "not-your-turn")
    beyond = {**body, "action": {**body["action"], "seat": 3}}
    assert table.post("/actions", beyond, seat=mover).status_code == 403
    assert table.everything() == before


def test_every_refusal_of_a_summon_tells_its_rule(client: Client):
    game = Game.new("competitive", list(HUMANS), seed=2)
    hand = game.view(game.seat_to_act)["players"][game.seat_to_act]["hand"]
    other = next(card for card in CARD_NAMES if card not in hand)
    table = client.table(seed=2)
    costly = next(card for card in hand if not card.startswith("wood"))
    for action, code, rule in (
        ({**SUMMON, "card": other}, "card-not-in-hand", "R10"),
        ({**SUMMON, "card": costly, "pay": {"cards": [costly], "tokens": 0}}, "payment-self", "R10c"),
        ({**SUMMON, "card": costly, "pay": {"cards": [other], "tokens": 0}}, "payment-not-in-hand", "R10c"),
        ({**SUMMON, "card": costly, "pay": {"cards": [], "tokens": 2}}, "payment-tokens", "R10c"),
        ({**SUMMON, "card": costly}, "payment-amount", "R10c"),
        ({**SUMMON, "card": costly, "move": {"from": 0, "to": 1}}, "move-not-allowed", "R17"),
    ):
        answer = table.act(with_seat(table, action))
        told = answer.get_json()
        assert (answer.status_code, told["code"], told["rule"]) == (422, code, rule)
    assert table.read()["version"] == table.version


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 70) | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from([*CARD_NAMES[:6], "deck", "supply", "seat", "space", "draw", "summon"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["seat", "type", "cards", "from", "to", "x"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_mangled_action_is_a_500_and_none_changes_the_game(table: Table, data):
    mover = table.read()["seat_to_act"]
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    action = dict(rng.choice(table.legal()))
    key = data.draw(st.sampled_from([*action, "extra"]))
    if data.draw(st.booleans()) and key in action:
        del action[key]
    else:
        action[key] = data.draw(JSON.filter(lambda value: value != action.get(key)))
    before = table.everything()
    text = json.dumps({"expected_version": table.read()["version"], "action": action})
    answer = table.client.send(
        "POST", f"{table.url}/actions", token=table.token(mover), data=text, content_type="application/json"
    )
    if answer.status_code == 201:  # mangled into another legal action
        assert table.read()["version"] == json.loads(text)["expected_version"] + 1
    else:
        assert answer.status_code in (400, 403, 422), answer.get_json()
        assert table.everything() == before


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_mangled_record_is_a_500(client: Client, data):
    game = Game.new("cooperative", list(HUMANS), seed=5)
    for _ in range(4):
        game.apply(game.legal_actions()[0])
    record = game.record()
    part: Any = record
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(part[key], dict | list) and part[key] and data.draw(st.booleans()):
            part = part[key]
        else:
            break
    if data.draw(st.booleans()) and isinstance(part, dict):
        del part[key]
    else:
        part[key] = data.draw(JSON)
    purpose = data.draw(st.sampled_from(["play", "replay"]))
    text = json.dumps({"record": record, "purpose": purpose})
    answer = client.send("POST", "/api/v1/imports", data=text, content_type="application/json")
    assert answer.status_code in (201, 400, 422), answer.get_json()
