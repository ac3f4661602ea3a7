"""Games over HTTP: each endpoint as its users meet it."""

import json
import random
import threading
import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest

from api import reading
from engine import Game
from tests.api.tables import GAMES, HUMANS, Client, Table, error_code
from worker import Settings, Store, connect

DRAW = {"type": "draw", "source": "deck"}


def draw(table: Table) -> dict:
    return {"seat": table.read()["seat_to_act"], **DRAW}


def opener(table: Table) -> int:
    return int(table.read()["seat_to_act"])


def to_the_end(table: Table, seed: int = 1) -> None:
    """Play at random, rather summoning, until the game is over."""
    rng = random.Random(seed)

    def choose(legal):
        summons = [action for action in legal if action["type"] == "summon"]
        return rng.choice(summons if summons and rng.random() < 0.8 else legal)

    while not table.read()["over"]:
        table.play(10, choose)


# ---- creating


def test_a_new_game_gives_tokens_to_its_people_only(client: Client):
    seats = [
        {"name": "Lan", "player": "human"},
        {"player": "greedy"},
        {"player": "open"},
        {"player": "human"},
    ]
    answer = client.post(GAMES, {"mode": "competitive", "seats": seats})
    assert answer.status_code == 201
    created = answer.get_json()
    assert set(created["tokens"]) == {"0", "3"}
    assert len(set(created["tokens"].values())) == 2
    assert answer.headers["Location"] == f"{GAMES}/{created['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    read = client.get(answer.headers["Location"]).get_json()
    assert [(seat["seat"], seat["name"], seat["player"]) for seat in read["seats"]] == [
        (0, "Lan", "human"), (1, "Greedy", "greedy"), (2, "Open seat", "open"), (3, "Player 4", "human"),
    ]  # fmt: skip


@pytest.mark.parametrize(("mode", "counts"), [("competitive", (2, 3, 4)), ("cooperative", (1, 2, 3, 4))])
def test_a_game_of_every_mode_and_number_of_seats(client: Client, mode, counts):
    for count in range(1, 5):
        answer = client.post(GAMES, {"mode": mode, "seats": [{"player": "human"}] * count})
        assert answer.status_code == (201 if count in counts else 422)
        if count not in counts:
            assert error_code(answer) == "bad-seat-count"


def test_a_game_with_every_option(client: Client):
    options = {"element_tokens": False, "scoring": "family", "hands": "closed", "move": "any"}
    table = client.table("cooperative", HUMANS[:1], options=options, board="terraces", public=True)
    read = table.read()
    assert (read["options"], read["board"], read["public"]) == (options, "terraces", True)
    assert client.table("cooperative", HUMANS[:1]).read()["options"] == {
        "element_tokens": True, "scoring": "cards", "hands": "open", "move": "vacated",
    }  # fmt: skip


def test_options_are_refused_in_a_competitive_game_r6(client: Client):
    answer = client.post(
        GAMES, {"mode": "competitive", "seats": list(HUMANS), "options": {"hands": "closed"}}
    )
    assert (answer.status_code, error_code(answer)) == (422, "options-not-competitive")


def test_a_chosen_seed_deals_the_same_cards_and_says_so_to_everyone(client: Client):
    first, second = client.table(seed=2**53 - 1), client.table(seed=2**53 - 1)
    assert first.read(0)["table"] == second.read(0)["table"]
    assert first.read(0)["players"] == second.read(0)["players"]
    for seat in (0, 1, None):
        assert first.read(seat)["deal"] == "seed"
    assert client.table().read()["deal"] == "secret"
    assert "2**53" not in json.dumps(first.read(0))


# ---- reading


def test_a_seat_sees_its_hand_and_a_spectator_none(table: Table):
    for viewer in (0, 1, None):
        read = table.read(viewer)
        assert read["viewer"] == ("spectator" if viewer is None else viewer)
        assert [player["hand"] is not None for player in read["players"]] == [viewer == 0, viewer == 1]


def test_times_are_utc_with_z(table: Table):
    read = table.read()
    for key in ("created_at", "updated_at"):
        assert read[key].endswith("Z")
        at = datetime.fromisoformat(read[key])
        assert abs(at - datetime.now(at.tzinfo)) < timedelta(minutes=5)


def test_an_unchanged_game_is_304_with_its_etag_and_headers(table: Table):
    for viewer in (0, None):
        fresh = table.get(seat=viewer)
        again = table.get(seat=viewer, headers={"If-None-Match": fresh.headers["ETag"]})
        assert again.status_code == 304
        for header in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[header] == fresh.headers[header]
        assert "no-cache" in again.headers["Cache-Control"]


def test_the_etag_is_another_for_every_viewer_and_version(table: Table):
    tags = {table.get(seat=seat).headers["ETag"] for seat in (0, 1, None)}
    table.play(1)
    tags |= {table.get(seat=seat).headers["ETag"] for seat in (0, 1, None)}
    assert len(tags) == 6


@pytest.mark.serial
def test_wait_answers_as_soon_as_the_game_changes(app, table: Table):
    fresh = table.get(seat=0)
    action = draw(table)
    answers = []

    def wait():
        waiting = Client(app.test_client())
        began = time.monotonic()
        url = f"{table.url}?wait=20"
        answers.append(
            waiting.get(url, token=table.token(0), headers={"If-None-Match": fresh.headers["ETag"]})
        )
        answers.append(time.monotonic() - began)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.4)
    assert table.act(action).status_code == 201
    thread.join(5)
    assert answers[0].status_code == 200
    assert answers[0].get_json()["version"] == table.version + 1
    assert 0.4 <= answers[1] < 2


@pytest.mark.serial
def test_wait_ends_with_304_after_its_seconds(table: Table):
    fresh = table.get()
    began = time.monotonic()
    answer = table.get("?wait=1", headers={"If-None-Match": fresh.headers["ETag"]})
    assert answer.status_code == 304
    assert answer.headers["ETag"] == fresh.headers["ETag"]
    assert 1 <= time.monotonic() - began < 2


@pytest.mark.serial
def test_wait_without_a_known_version_answers_at_once(table: Table):
    began = time.monotonic()
    assert table.get("?wait=20").status_code == 200
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("wait", ["21", "-1", "1.0", "2.6e-42", "true", "", "+1", "1_0", "１", "9" * 5000])
def test_wait_is_a_whole_number_up_to_20(table: Table, wait):
    answer = table.get("", query_string={"wait": wait})
    assert (answer.status_code, error_code(answer)) == (400, "bad-fields")


def test_a_seat_left_while_its_holder_waits_is_not_shown_its_hand(app, table: Table):
    fresh = table.get(seat=0)
    answers = []

    def wait():
        waiting = Client(app.test_client())
        url = f"{table.url}?wait=10"
        answers.append(
            waiting.get(url, token=table.token(0), headers={"If-None-Match": fresh.headers["ETag"]})
        )

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.2)
    assert table.post("/seats/0/leave", {"replacement": "greedy"}, seat=0).status_code == 200
    thread.join(5)
    assert answers[0].status_code == 401


def test_the_poll_interval_tells_whom_the_game_waits_for(client: Client):
    table = client.table()
    mover = opener(table)
    assert table.read(mover)["poll_after_ms"] == reading.POLL_OWN_TURN
    assert table.read(1 - mover)["poll_after_ms"] == table.read()["poll_after_ms"] == reading.POLL_PERSON
    played_by_ai = client.table(seats=[HUMANS[0], {"player": "master"}], seed=first_seed_where(1))
    assert played_by_ai.read(0)["poll_after_ms"] == reading.POLL_AI
    waiting = client.table(seats=[HUMANS[0], {"player": "open"}], seed=first_seed_where(1))
    assert waiting.read(0)["poll_after_ms"] == reading.POLL_OPEN_SEAT
    assert reading.POLL_AI < reading.POLL_PERSON < reading.POLL_OVER


def first_seed_where(seat: int) -> int:
    """A seed that lets this seat of two begin."""
    return next(s for s in range(99) if Game.new("competitive", 2, seed=s).seat_to_act == seat)


def test_a_304_costs_one_small_read(app, table: Table):
    tags = {seat: table.get(seat=seat).headers["ETag"] for seat in (0, None)}
    table.get(seat=0, headers={"If-None-Match": tags[0]})
    monitored = app.extensions["store"].client
    for seat, tag in tags.items():
        before = monitored.info("commandstats")
        assert table.get(seat=seat, headers={"If-None-Match": tag}).status_code == 304
        after = monitored.info("commandstats")
        calls = {
            name: after[name]["calls"] - before.get(name, {"calls": 0})["calls"]
            for name in after
            if name != "cmdstat_info"
        }
        assert {name: count for name, count in calls.items() if count} == {"cmdstat_hget": 1}


# ---- acting


def test_an_action_is_answered_with_its_outcome_and_the_game(table: Table):
    action = draw(table)
    answer = table.act(action)
    assert answer.status_code == 201
    told = answer.get_json()
    assert (told["version"], told["index"]) == (table.version + 1, 0)
    assert told["outcome"]["drawn"] in told["game"]["players"][action["seat"]]["hand"]
    assert told["game"] == table.read(action["seat"])


def test_a_drawn_card_is_told_to_its_drawer_alone(table: Table):
    mover = opener(table)
    drawn = table.act({"seat": mover, **DRAW}).get_json()["outcome"]["drawn"]
    logs = {seat: table.get("/actions", seat=seat).get_json()["actions"][0] for seat in (0, 1, None)}
    assert logs[mover]["outcome"]["drawn"] == drawn
    for seat in (1 - mover, None):
        assert (logs[seat]["outcome"]["drawn"], logs[seat]["outcome"]["hidden"]) == (None, True)
        assert drawn not in table.get("/actions", seat=seat).get_data(as_text=True)


def test_open_hands_tell_everybody_what_was_drawn(client: Client):
    table = client.table("cooperative")
    drawn = table.act(draw(table)).get_json()["outcome"]["drawn"]
    assert table.get("/actions").get_json()["actions"][0]["outcome"]["drawn"] == drawn


def test_a_stale_version_is_409_with_the_current_one(table: Table):
    action = draw(table)
    table.play(1)
    answer = table.post(
        "/actions", {"expected_version": table.version, "action": action}, seat=action["seat"]
    )
    assert (answer.status_code, error_code(answer)) == (409, "stale-version")
    assert answer.get_json()["params"] == {"current_version": table.version + 1}


def test_an_illegal_action_is_422_with_the_rule(table: Table):
    mover = opener(table)
    answer = table.act({"seat": mover, "type": "pass"})
    assert answer.status_code == 422
    refusal = answer.get_json()
    assert (refusal["code"], refusal["rule"]) == ("pass-not-allowed", "R7")
    assert refusal["message"].endswith(".")
    out_of_turn = table.act({"seat": 1 - mover, **DRAW})
    assert (out_of_turn.status_code, error_code(out_of_turn)) == (422, "not-your-turn")


def test_an_idempotency_key_is_applied_once_and_answered_the_same(table: Table):
    action = draw(table)
    body = {"expected_version": table.read()["version"], "action": action}
    key = {"Idempotency-Key": "a1"}
    first = table.post("/actions", body, seat=action["seat"], headers=key)
    again = table.post("/actions", body, seat=action["seat"], headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_json() == first.get_json()
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert table.read()["actions_played"] == 1


def test_a_key_is_answered_the_same_after_the_game_went_on(table: Table):
    action = draw(table)
    body = {"expected_version": table.read()["version"], "action": action}
    key = {"Idempotency-Key": "a1"}
    first = table.post("/actions", body, seat=action["seat"], headers=key).get_json()
    table.play(2)
    again = table.post("/actions", body, seat=action["seat"], headers=key).get_json()
    for told in ("version", "index", "outcome"):
        assert again[told] == first[told]


def test_a_key_with_another_body_is_422(table: Table):
    action = draw(table)
    body = {"expected_version": table.read()["version"], "action": action}
    key = {"Idempotency-Key": "a1"}
    assert table.post("/actions", body, seat=action["seat"], headers=key).status_code == 201
    other = {**body, "action": {**action, "source": 0}}
    answer = table.post("/actions", other, seat=action["seat"], headers=key)
    assert (answer.status_code, error_code(answer)) == (422, "key-reused")


def test_keys_of_different_seats_do_not_meet(client: Client):
    table = client.table()
    key = {"Idempotency-Key": "same"}
    movers = set()
    while len(movers) < 2:
        action = draw(table)
        movers.add(action["seat"])
        headers = key if table.read()["actions_left"] == 2 else {}
        assert table.act(action, headers=headers).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 65, "white space", "Tết", "tab\t"])
def test_a_key_is_short_printable_ascii(table: Table, key):
    before = table.everything()
    answer = table.act(draw(table), headers={"Idempotency-Key": key.encode().decode("latin-1")})
    assert (answer.status_code, error_code(answer)) == (400, "bad-key")
    assert table.everything() == before


# ---- what may be done


def test_legal_actions_and_choices_are_for_the_seat_to_act(table: Table):
    mover = opener(table)
    legal = table.get("/legal-actions", seat=mover).get_json()
    assert legal["version"] == table.version
    assert {"seat": mover, **DRAW} in legal["actions"]
    choices = table.get("/choices", seat=mover).get_json()["choices"]
    assert (choices["seat"], choices["type"], len(choices["summon"])) == (mover, "action", 4)
    assert table.get("/legal-actions", seat=1 - mover).get_json()["actions"] == []
    assert table.get("/choices", seat=1 - mover).get_json()["choices"] is None


def test_every_legal_action_of_a_turn_is_accepted(client: Client):
    table = client.table(seed=11)
    table.play(6)
    record = table.get("/record").get_json()
    whole = {
        **{key: value for key, value in record.items() if key != "viewer"},
        "setup": Game.new("competitive", list(HUMANS), seed=11).record()["setup"],
    }
    for action in table.legal()[::3]:
        copy = client.imported(whole)
        assert copy.act(action).status_code == 201


@pytest.mark.parametrize("path", ["/legal-actions", "/choices"])
def test_what_may_be_done_is_not_told_without_a_token(table: Table, path):
    answer = table.get(path)
    assert (answer.status_code, error_code(answer)) == (401, "no-token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


# ---- the log


def test_the_log_is_paged(table: Table):
    table.play(7)
    whole = table.get("/actions").get_json()
    assert whole["next_after"] is None
    assert [entry["index"] for entry in whole["actions"]] == list(range(7))
    paged, after = [], -1
    while after is not None:
        page = table.get(f"/actions?after={after}&limit=3").get_json()
        paged += page["actions"]
        after = page["next_after"]
    assert paged == whole["actions"]
    assert table.get("/actions?after=6").get_json() == {"actions": [], "next_after": None, "undone": []}
    beyond = table.get("/actions?after=2147483647").get_json()
    assert beyond == {"actions": [], "next_after": None, "undone": []}


def test_log_entries_are_the_records_actions(table: Table):
    table.play(5)
    entries = table.get("/actions").get_json()["actions"]
    assert [entry["action"] for entry in entries] == table.get("/record").get_json()["actions"]
    assert [entry["version"] for entry in entries] == list(range(table.version + 1, table.version + 6))


# ---- records, positions, imports


def test_a_running_games_record_holds_what_its_viewer_has_seen(table: Table):
    table.play(3)
    for viewer in (0, 1, None):
        record = table.get("/record", seat=viewer).get_json()
        assert record["viewer"] == ("spectator" if viewer is None else viewer)
        hands = [record["setup"]["deck"][4 * seat : 4 * seat + 4] for seat in (0, 1)]
        assert [hand != [None] * 4 for hand in hands] == [viewer == 0, viewer == 1]
        refused = table.client.post("/api/v1/imports", {"record": record, "purpose": "replay"})
        assert (refused.status_code, error_code(refused)) == (422, "withheld-record")


def test_after_the_end_everybody_gets_the_whole_game(client: Client):
    table = client.table(seed=3)
    to_the_end(table)
    read = table.read()
    assert read["over"]
    assert read["result"]["winners"]
    assert [line["total"] for line in read["scoring"]] == read["result"]["years"]
    assert all(player["hand"] is not None for player in read["players"])
    record = table.get("/record").get_json()
    assert record == table.get("/record", seat=1).get_json()
    assert Game.from_record(record).result == record["result"] == read["result"]
    assert all(
        entry["outcome"]["drawn"]
        for entry in table.get("/actions").get_json()["actions"]
        if entry["outcome"]["hidden"]
    )
    act = table.act({"seat": 0, **DRAW})
    assert (act.status_code, error_code(act)) == (422, "game-over")
    leave = table.post("/seats/0/leave", {"replacement": "good"}, seat=0)
    assert (leave.status_code, error_code(leave)) == (409, "game-over")


def test_positions_are_the_game_as_each_viewer_saw_it(client: Client):
    table = client.table(seed=3)
    views = []
    for _ in range(9):
        views.append({viewer: table.read(viewer) for viewer in (0, 1, None)})
        table.play(1)
    for index, seen in enumerate(views):
        for viewer, read in seen.items():
            position = table.get(f"/positions/{index}", seat=viewer).get_json()
            assert position.pop("index") == index
            assert position == {key: read[key] for key in position}


def test_others_eyes_only_after_the_end_or_in_a_replay(client: Client):
    table = client.table(seed=3)
    table.play(4)
    for seat, eyes in ((0, "1"), (1, "0"), (None, "all"), (0, "all")):
        answer = table.get(f"/positions/2?seat={eyes}", seat=seat)
        assert (answer.status_code, error_code(answer)) == (403, "not-your-seat")
    assert table.get("/positions/2?seat=spectator", seat=0).get_json()["viewer"] == "spectator"
    assert table.get("/positions/2?seat=0", seat=0).get_json()["viewer"] == 0
    nobody = table.get("/positions/2?seat=0")
    assert (nobody.status_code, error_code(nobody)) == (401, "no-token")
    missing = table.get("/positions/2?seat=3", seat=0)
    assert (missing.status_code, error_code(missing)) == (404, "no-such-seat")
    to_the_end(table)
    for eyes in (0, 1, "spectator", "all"):
        position = table.get(f"/positions/2?seat={eyes}").get_json()
        assert position["viewer"] == eyes
        shown = [player["hand"] is not None for player in position["players"]]
        assert shown == [eyes in (0, "all"), eyes in (1, "all")]


@pytest.mark.parametrize("index", ["1", "999999", "1000000", "-1", "1.0", "１", "9" * 5000])
def test_a_position_that_never_was_is_404(table: Table, index):
    assert table.get(f"/positions/{index}").status_code == 404


def test_an_imported_record_is_played_on_and_its_deal_is_told(client: Client):
    game = Game.new("cooperative", [{"name": "Lan", "player": "human"}], seed=4, board="terraces")
    for _ in range(5):
        game.apply(game.legal_actions()[-1])
    table = client.imported(game.record())
    read = table.read(0)
    assert (read["deal"], read["replay"], read["actions_played"]) == ("record", False, 5)
    assert set(table.tokens) == {"0"}
    assert {key: read[key] for key in game.view(0)} == game.view(0)
    assert len(table.get("/actions").get_json()["actions"]) == 5
    table.play(3)
    assert table.read()["actions_played"] == 8


def test_a_replay_shows_every_hand_and_cannot_be_changed(client: Client):
    game = Game.new("competitive", list(HUMANS), seed=4)
    for _ in range(5):
        game.apply({"seat": game.seat_to_act, **DRAW})
    replay = client.imported(game.record(), "replay")
    assert replay.tokens == {}
    read = replay.read()
    assert (read["replay"], read["deal"]) == (True, "record")
    assert all(player["hand"] for player in read["players"])
    assert replay.get("/record").get_json() == game.record()
    for index in range(6):
        position = replay.get(f"/positions/{index}").get_json()
        assert position["viewer"] == "all"
        assert all(player["hand"] for player in position["players"])
        seen = replay.get(f"/positions/{index}?seat=1").get_json()
        assert [player["hand"] is None for player in seen["players"]] == [True, False]
    drawn = [
        e["outcome"]["drawn"] for e in replay.get("/actions").get_json()["actions"] if e["outcome"]["hidden"]
    ]
    assert drawn
    assert all(drawn)
    answer = client.post(
        f"{replay.url}/actions",
        {"expected_version": 6, "action": {"seat": 0, **DRAW}},
        token="x" * 43,
    )
    assert answer.status_code == 401
    joined = client.post(f"{replay.url}/seats/0/join", {"name": "Eve"})
    assert (joined.status_code, error_code(joined)) == (409, "read-only")


def test_a_finished_record_is_only_for_looking_at(client: Client):
    table = client.table(seed=3)
    to_the_end(table)
    record = table.get("/record").get_json()
    refused = client.post("/api/v1/imports", {"record": record, "purpose": "play"})
    assert (refused.status_code, error_code(refused)) == (422, "record-finished")
    replay = client.imported(record, "replay")
    assert replay.read()["result"] == record["result"]


def test_a_game_given_up_can_be_looked_at(client: Client):
    game = Game.new("competitive", list(HUMANS), seed=4)
    game.apply(game.legal_actions()[0])
    game.abandon()
    replay = client.imported(game.record(), "replay")
    read = replay.read()
    assert (read["over"], read["result"], read["seat_to_act"]) == (True, None, None)
    assert replay.get("/record").get_json()["ended"] == "abandoned"
    assert replay.get("/positions/0").status_code == 200


def broken(record: dict, **changes) -> dict:
    return {**record, **changes}


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        (lambda r: {}, 422, "unknown-format"),
        (lambda r: {**r, "format": "stem-branch/99"}, 422, "unknown-format"),
        (lambda r: {**r, "extra": 1}, 400, "malformed-record"),
        (lambda r: {k: v for k, v in r.items() if k != "result"}, 400, "malformed-record"),
        (lambda r: {**r, "actions": "none"}, 400, "malformed-record"),
        (lambda r: {**r, "mode": "solo"}, 422, "unknown-mode"),
        (lambda r: {**r, "seats": r["seats"] * 3}, 422, "bad-seat-count"),
        (lambda r: {**r, "setup": {**r["setup"], "deck": ["pig"] * 60}}, 400, "malformed-record"),
        (lambda r: {**r, "setup": {**r["setup"], "first_seat": 2}}, 400, "malformed-record"),
        (lambda r: {**r, "board": {**r["board"], "vines": [[0, 12]]}}, 422, "bad-board"),
        (lambda r: {**r, "actions": [{"seat": 0, "type": "pass"}]}, 422, "does-not-replay"),
        (lambda r: {**r, "actions": [{"seat": 0, "type": "dance"}]}, 422, "does-not-replay"),
        (lambda r: {**r, "result": {"years": [1, 2], "winners": [1]}}, 422, "result-differs"),
        (lambda r: {**r, "year_animal": "rabbit"}, 422, "unknown-animal"),
        (lambda r: {**r, "seats": [{"name": "a\nb", "player": "human"}] * 2}, 400, "bad-fields"),
        (lambda r: {**r, "seats": [{"name": "Hal", "player": "hal9000"}] * 2}, 422, "unknown-player"),
    ],
)  # fmt: skip
def test_a_broken_record_is_refused(client: Client, change, status, code):
    record = Game.new("competitive", list(HUMANS), seed=4).record()
    answer = client.post("/api/v1/imports", {"record": change(record), "purpose": "play"})
    assert (answer.status_code, error_code(answer)) == (status, code)


def test_a_replay_may_show_players_that_are_unknown_here(client: Client):
    record = Game.new("competitive", [{"name": "Hal", "player": "hal9000"}] * 2, seed=4).record()
    assert client.imported(record, "replay").read()["seats"][0]["player"] == "hal9000"


# ---- seats


def test_an_open_seat_is_joined_once_and_its_token_works(client: Client):
    table = client.table(seats=[HUMANS[0], {"player": "open"}])
    answer = client.post(f"{table.url}/seats/1/join", {"name": "Minh"})
    assert answer.status_code == 201
    joined = answer.get_json()
    assert (joined["seat"], joined["version"]) == (1, table.version + 1)
    table.tokens["1"] = joined["token"]
    read = table.read(1)
    assert (read["viewer"], read["seats"][1]) == (1, {"seat": 1, "name": "Minh", "player": "human"})
    again = client.post(f"{table.url}/seats/1/join", {"name": "Eve"})
    assert (again.status_code, error_code(again)) == (409, "seat-taken")
    table.play(4)


def test_a_left_seat_is_the_computers_and_its_token_is_dead(table: Table):
    before = table.get()
    answer = table.post("/seats/1/leave", {"replacement": "good"}, seat=1)
    assert answer.get_json() == {"version": table.version + 1}
    assert table.read()["seats"][1]["player"] == "good"
    assert table.get().headers["ETag"] != before.headers["ETag"]
    for path in ("", "/record", "/choices", "/actions"):
        dead = table.get(path, seat=1)
        assert (dead.status_code, error_code(dead)) == (401, "wrong-token")
    assert table.read(0)["viewer"] == 0


@pytest.mark.parametrize(
    ("path", "body", "seat", "status", "code"),
    [
        ("/seats/0/join", {"name": "Eve"}, None, 409, "seat-taken"),
        ("/seats/2/join", {"name": "Eve"}, None, 404, "no-such-seat"),
        ("/seats/9999999/join", {"name": "Eve"}, None, 404, "not-found"),
        ("/seats/0/leave", {"replacement": "good"}, 1, 403, "not-your-seat"),
        ("/seats/0/leave", {"replacement": "good"}, None, 401, "no-token"),
        ("/seats/0/leave", {"replacement": "human"}, 0, 400, "bad-fields"),
        ("/seats/0/leave", {}, 0, 400, "bad-fields"),
        ("/seats/7/leave", {"replacement": "good"}, 0, 404, "no-such-seat"),
    ],
)
def test_seats_that_cannot_be_taken_or_left(table: Table, path, body, seat, status, code):
    before = table.everything()
    answer = table.post(path, body, seat=seat)
    assert (answer.status_code, error_code(answer)) == (status, code)
    assert table.everything() == before


# ---- the list


@pytest.fixture
def lobby(store_url: str):
    """A client of an empty database, and so of an empty list."""
    from api import create_app

    settings = Settings(redis_url=f"{store_url}?db=14")
    with connect(settings) as connection:
        connection.flushdb()
    return Client(create_app(settings).test_client())


def test_public_games_are_listed_newest_first_with_cursors(lobby: Client):
    made = [lobby.table(public=True).id for _ in range(5)]
    lobby.table()
    listed, query = [], "?limit=2"
    while True:
        page = lobby.get(f"{GAMES}{query}").get_json()
        assert len(page["games"]) <= 2
        listed += [game["id"] for game in page["games"]]
        if page["next_cursor"] is None:
            break
        query = f"?limit=2&cursor={page['next_cursor']}"
    assert listed == made[::-1]


def test_the_list_by_state(lobby: Client):
    running = lobby.table(public=True)
    waiting = lobby.table(seats=[HUMANS[0], {"player": "open"}], public=True)
    over = lobby.table(public=True, seed=3)
    to_the_end(over)
    for state, table in (("running", running), ("open", waiting), ("over", over)):
        games = lobby.get(f"{GAMES}?state={state}").get_json()["games"]
        assert [game["id"] for game in games] == [table.id]
        read = table.read()
        assert games[0] == {key: read[key] for key in games[0]}
    assert len(lobby.get(GAMES).get_json()["games"]) == 3


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("cursor=next", "bad-cursor"), ("cursor=٣", "bad-cursor"), ("cursor=" + "9" * 99, "bad-cursor"),
        ("cursor=", "bad-fields"), ("limit=0", "bad-fields"), ("limit=101", "bad-fields"),
        ("limit=1.0", "bad-fields"), ("state=lost", "bad-fields"), ("page=2", "bad-fields"),
    ],
)  # fmt: skip
def test_a_bad_query_of_the_list(lobby: Client, query, code):
    answer = lobby.get(f"{GAMES}?{query}")
    assert (answer.status_code, error_code(answer)) == (400, code)


def test_the_location_of_a_new_game_is_a_path(client: Client):
    location = client.post(GAMES, {"mode": "competitive", "seats": list(HUMANS)}).headers["Location"]
    assert urlsplit(location).netloc == ""


def test_a_store_that_comes_back_elsewhere_is_found_again(store_url: str, tmp_path):
    from api import create_app

    app = create_app(Settings(redis_url=f"unix://{tmp_path}/nowhere.sock", store_timeout=0.2))
    client = Client(app.test_client())
    answer = client.get(f"{GAMES}/abc")
    assert (answer.status_code, error_code(answer)) == (503, "store-unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    app.extensions["store_maker"] = lambda: Store(connect(Settings(redis_url=store_url)))
    assert client.get(f"{GAMES}/abc").status_code == 404
