"""What earlier releases stored is read, replayed and played on for ever; what a later one did is refused."""

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import ai
from engine import Game
from tests.fixtures.make import FOLDER, what_the_rules_say
from worker import EmbeddedStore, NewerFormat, Settings, Store, actionlog, connect
from worker.moves import _play_turn
from worker.store import _FIELDS, DUE, STORED_FORMAT
from worker.sweeper import sweep
from worker.tokens import short_digest, token_digest

RELEASES = sorted(path.parent.name for path in FOLDER.glob("*/games.json"))
GAMES = [
    pytest.param(release, game, id=f"{release}: {game['name']}")
    for release in RELEASES
    for game in json.loads((FOLDER / release / "games.json").read_text())
]

# What is kept of a game in each format: the digest that `form_of` gives.
FORMS = {1: "4a60ca743d89f076"}

NEW_RULES = (
    "A recorded game means something else now. If the rules or the notation were to change, give"
    " engine.record.FORMAT a new number, and let records of the old one be read by the old rules."
)
NEW_FORM = (
    "What is stored of a game has another form now. Give worker.store.STORED_FORMAT the next number, read"
    " games of all earlier ones, and add the new form's digest here. (A format that was never released keeps"
    " its number: make its fixture anew, and change its digest.)"
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """By release, a store that was started on its files."""
    opened = {}
    servers = []
    for release in RELEASES:
        folder = tmp_path_factory.mktemp("release")
        shutil.copytree(FOLDER / release / "store", folder / "store")
        server = EmbeddedStore(Settings(data_dir=folder))
        server.start()
        servers.append(server)
        settings = replace(server.settings, redis_url=server.url)
        opened[release] = Store(connect(settings), settings)
    yield opened
    for store in opened.values():
        store.client.close()
    for server in servers:
        server.stop()


def test_the_first_release_is_among_them():
    assert "0.1.0" in RELEASES


@pytest.mark.parametrize(("release", "kept"), GAMES)
def test_a_game_of_every_release_is_read_and_played_on(
    stores: dict[str, Store], release: str, kept: dict[str, Any]
):
    store, id = stores[release], kept["id"]
    stored = store.load(id)
    assert stored.game.record() == kept["record"]
    assert (stored.version, stored.undoable) == (kept["version"], kept["undoable"])
    assert stored.game.seat_to_act == kept["seat_to_act"]
    assert {key: getattr(stored, key) for key in kept["stored"]} == kept["stored"]
    assert [entry.action for entry in store.log(id, limit=1000)] == kept["record"]["actions"]
    assert [entry.action for entry in store.history(id)[1]] == kept["undone"]
    for seat, token in kept["tokens"].items():
        assert store.seat_of(id, token) == int(seat)
    for viewer in ("spectator", *range(len(stored.game.seats))):
        assert stored.game.view(viewer)["over"] is stored.game.over
    if kept["last_key"]:
        sent = kept["last_key"]
        again = store.act(id, sent["seat"], sent["action"], sent["version"] - 1, sent["key"], "body")
        assert (again.version, again.repeated) == (sent["version"], True)
    seat = stored.game.seat_to_act
    if seat is None or stored.replay:
        return
    action = ai.fallback(stored.game.observe(seat))
    assert store.act(id, seat, action, stored.version).version == stored.version + 1
    if store.read(id).undoable:
        store.undo(id, seat, stored.version + 1)
        assert store.load(id).game.record()["actions"] == kept["record"]["actions"]


@pytest.mark.parametrize(("release", "kept"), GAMES)
def test_the_rules_say_of_a_recorded_game_what_they_said_then(release: str, kept: dict[str, Any]):
    record = kept["record"]
    assert Game.from_record(record).record() == record
    assert what_the_rules_say(record) == kept["rules"], NEW_RULES


def form_of(store: Store) -> str:
    """A digest of how a game is kept: its keys, their fields, and the phrases that its log is packed with."""
    game = Game.new("competitive", [{"name": "", "player": "human"}] * 2, seed=1)
    id = store.create(game, public=True).id
    seat = store.read(id).game.seat_to_act
    assert seat is not None
    store.act(id, seat, {"seat": seat, "type": "draw", "source": "deck"}, 1, "key")
    keys = sorted(key.decode().replace(id, "ID") for key in store.client.keys(f"sb:game:{id}*"))
    fields = sorted(field.decode() for field in store.client.hkeys(f"sb:game:{id}"))
    entry = [field.name for field in dataclasses.fields(actionlog.LogEntry)]
    told = [keys, fields, entry, actionlog.USUAL, actionlog._PHRASES.decode(), game.header()["format"]]
    told += [_FIELDS, token_digest("a"), short_digest("a", "b")]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def test_a_change_of_the_stored_form_takes_a_new_format(store: Store):
    form = form_of(store)
    assert FORMS.get(STORED_FORMAT) == form, f"{NEW_FORM} {form}"


def test_a_game_stored_before_formats_were_numbered_has_the_first(store: Store):
    id = store.create(Game.new("competitive", 2, seed=1)).id
    store.client.hdel(f"sb:game:{id}", "format")
    assert store.read(id).version == 1


def test_a_game_that_a_newer_version_has_stored_is_refused_and_left_as_it_is(store: Store):
    game = Game.new("competitive", [{"name": "", "player": "greedy"}] * 2, seed=1)
    id = store.create(game).id
    seat = game.seat_to_act
    assert seat is not None
    store.client.hset(f"sb:game:{id}", "format", STORED_FORMAT + 1)
    store.client.zadd(DUE, {id: 1})
    before = store.client.dump(f"sb:game:{id}:log"), store.client.hget(f"sb:game:{id}", "version")
    draw = {"seat": seat, "type": "draw", "source": "deck"}
    for look in (
        lambda: store.read(id),
        lambda: store.load(id),
        lambda: store.act(id, seat, draw, 1),
        lambda: store.undo(id, seat, 1),
        lambda: store.join(id, seat, "Lan"),
        lambda: store.leave(id, seat, "greedy"),
    ):
        with pytest.raises(NewerFormat):
            look()
    sweep(store)
    _play_turn(store, id, 1, 0)
    assert (store.client.dump(f"sb:game:{id}:log"), store.client.hget(f"sb:game:{id}", "version")) == before
