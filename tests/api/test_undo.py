"""Taking an action back over HTTP: who may, when, and what everybody sees of it."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from engine import Game
from tests.api.tables import HUMANS, Client, Table, error_code

Json = dict[str, Any]


def a_summon(table: Table) -> Json:
    return next(action for action in table.legal() if action["type"] == "summon")


def seed_with_a_summon(mode: str, seats: int, first: int = 0) -> int:
    """A seed with which seat `first` begins and can summon a card at once."""
    for seed in itertools.count():
        game = Game.new(mode, seats, seed=seed)
        if game.seat_to_act == first and any(a["type"] == "summon" for a in game.legal_actions()):
            return seed
    raise AssertionError


@pytest.fixture
def summoned(client: Client) -> Table:
    """A competitive game whose seat 0 has just summoned and has an action left."""
    table = client.table(seed=seed_with_a_summon("competitive", 2))
    assert table.act(a_summon(table)).status_code == 201
    return table


def undo(table: Table, seat: int | None = 0, version: int | None = None, **more: Any) -> Any:
    version = table.read()["version"] if version is None else version
    return table.post("/undo", {"expected_version": version}, seat=seat, **more)


def test_a_summon_is_taken_back_in_the_same_turn(client: Client):
    table = client.table(seed=seed_with_a_summon("competitive", 2))
    before = [table.read(seat) for seat in (0, 1, None)]
    record = table.get("/record", seat=0).get_json()
    table.act(a_summon(table))
    answer = undo(table)
    assert answer.status_code == 200
    told = answer.get_json()
    assert told["version"] == table.version + 2
    assert told["game"] == table.read(0)
    for seat, old in zip((0, 1, None), before, strict=True):
        changed = {"version", "updated_at"}
        now = table.read(seat)
        assert {k: v for k, v in now.items() if k not in changed} == {
            k: v for k, v in old.items() if k not in changed
        }
    assert table.get("/record", seat=0).get_json() == record
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_log_keeps_what_was_taken_back_for_everybody(summoned: Table):
    [played] = summoned.get("/actions").get_json()["actions"]
    undo(summoned)
    for seat in (0, 1, None):
        log = summoned.get("/actions", seat=seat).get_json()
        assert log["actions"] == []
        kept = {key: played[key] for key in ("index", "version", "at", "seat", "action")}
        assert log["undone"] == [{**kept, "undone_version": played["version"] + 1}]
    again = summoned.act({"seat": 0, "type": "draw", "source": 2}).get_json()
    assert (again["index"], again["version"]) == (0, played["version"] + 2)
    assert len(summoned.get("/actions?after=0").get_json()["undone"]) == 1


def test_can_undo_is_true_for_the_seat_that_may_and_for_nobody_else(client: Client):
    table = client.table(seed=seed_with_a_summon("competitive", 2))
    assert [table.read(seat)["can_undo"] for seat in (0, 1, None)] == [False, False, False]
    table.act(a_summon(table))
    assert [table.read(seat)["can_undo"] for seat in (0, 1, None)] == [True, False, False]
    undo(table)
    assert table.read(0)["can_undo"] is False
    table.act({"seat": 0, "type": "draw", "source": "deck"})
    assert table.read(0)["can_undo"] is False
    table.act(a_summon(table))
    assert [table.read(seat)["can_undo"] for seat in (0, 1, None)] == [False, False, False]


def test_can_undo_never_lies(client: Client):
    """Through whole games: what is offered is done, and what is not offered is refused."""
    rng = random.Random(2)
    offered = {True: 0, False: 0}
    for mode in ("competitive", "cooperative"):
        table = client.table(mode, seed=11)
        while not (read := table.read())["over"]:
            mover = read["seat_to_act"]
            can = table.read(mover)["can_undo"]
            offered[can] += 1
            if rng.random() < (0.5 if can else 0.2):
                answer = undo(table, mover)
                assert answer.status_code == (200 if can else 409)
            else:
                legal = table.legal()
                table.act(rng.choice([a for a in legal if a["type"] == "summon"] or legal))
        assert not any(table.read(seat)["can_undo"] for seat in (0, 1, None))
        record = table.get("/record").get_json()
        assert Game.from_record(record).result == record["result"]
    assert min(offered.values()) > 5


def test_on_one_device_and_together_the_same_rule_holds(client: Client):
    for mode, seats in (("cooperative", HUMANS[:1]), ("cooperative", HUMANS)):
        table = client.table(mode, seats, seed=seed_with_a_summon(mode, len(seats)))
        table.act(a_summon(table))
        assert table.read(0)["can_undo"]
        assert undo(table).status_code == 200


@pytest.mark.parametrize(
    ("actions", "seat", "behind", "status", "code"),
    [
        ([], 0, 0, 409, "nothing-to-undo"),
        (["deck"], 0, 0, 409, "nothing-to-undo"),
        ([5], 0, 0, 409, "nothing-to-undo"),
        (["summon", "deck"], 0, 0, 409, "nothing-to-undo"),
        (["deck", "summon"], 0, 0, 409, "nothing-to-undo"),
        (["deck", "summon"], 1, 0, 409, "nothing-to-undo"),
        (["summon"], 1, 0, 403, "not-your-seat"),
        (["summon"], None, 0, 401, "no-token"),
        (["summon"], 0, 1, 409, "stale-version"),
        (["summon"], 0, -1, 409, "stale-version"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_and_nothing_changes(
    client: Client, actions, seat, behind, status, code
):
    table = client.table(seed=seed_with_a_summon("competitive", 2))
    for action in actions:
        summon = action == "summon"
        table.act(a_summon(table) if summon else {"seat": 0, "type": "draw", "source": action})
    before = table.everything()
    answer = undo(table, seat, table.read()["version"] - behind)
    assert (answer.status_code, error_code(answer)) == (status, code)
    assert table.everything() == before


@pytest.mark.parametrize(
    "body",
    [
        {}, {"expected_version": "2"}, {"expected_version": 2.0}, {"expected_version": -1}, [],
        {"expected_version": 2, "action": {}},
    ],
)  # fmt: skip
def test_a_malformed_request_is_400(summoned: Table, body):
    before = summoned.everything()
    answer = summoned.post("/undo", body, seat=0)
    assert (answer.status_code, error_code(answer)) == (400, "bad-fields")
    assert summoned.everything() == before


def test_a_game_that_is_not_there_and_a_token_that_is_wrong(client: Client, summoned: Table):
    absent = client.post("/api/v1/games/nowhere/undo", {"expected_version": 1}, token="x" * 43)
    assert (absent.status_code, error_code(absent)) == (404, "no-such-game")
    wrong = client.post(f"{summoned.url}/undo", {"expected_version": 2}, token="x" * 43)
    assert (wrong.status_code, error_code(wrong)) == (401, "wrong-token")


def test_an_imported_game_is_not_undone_beyond_its_import(client: Client, summoned: Table):
    game = Game.new("competitive", list(HUMANS), seed=seed_with_a_summon("competitive", 2))
    for action in summoned.get("/actions").get_json()["actions"]:
        game.apply(action["action"])
    table = client.imported(game.record())
    assert table.read(0)["can_undo"] is False
    refused = undo(table)
    assert (refused.status_code, error_code(refused)) == (409, "nothing-to-undo")


def test_an_undo_repeated_with_its_key_is_answered_the_same(summoned: Table):
    version = summoned.read()["version"]
    key = {"Idempotency-Key": "u1"}
    first = undo(summoned, version=version, headers=key)
    again = undo(summoned, version=version, headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.get_json() == first.get_json()
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = undo(summoned, version=version + 1, headers=key)
    assert (other.status_code, error_code(other)) == (422, "key-reused")


def test_the_key_of_an_action_taken_back_says_so(client: Client):
    table = client.table(seed=seed_with_a_summon("competitive", 2))
    body = {"expected_version": table.version, "action": a_summon(table)}
    key = {"Idempotency-Key": "a1"}
    assert table.post("/actions", body, seat=0, headers=key).status_code == 201
    undo(table)
    before = table.everything()
    again = table.post("/actions", body, seat=0, headers=key)
    assert (again.status_code, error_code(again)) == (409, "action-undone")
    assert table.everything() == before


def test_positions_and_hints_know_nothing_of_what_was_taken_back(summoned: Table):
    undo(summoned)
    assert summoned.get("/positions/1", seat=0).status_code == 404
    read = summoned.read(0)
    position = summoned.get("/positions/0", seat=0).get_json()
    assert {key: read[key] for key in ("table", "players")} == {
        key: position[key] for key in ("table", "players")
    }
