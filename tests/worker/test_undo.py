"""Taking actions back: one whole change, only in one's own turn, and never what showed a hidden card."""

import itertools
import json
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine import Game, may_be_undone
from tests.worker.conftest import everything, game_where, seats
from tests.worker.test_store import LossyStore
from worker import (
    ActionUndone,
    AnothersAction,
    KeyReused,
    NoSuchGame,
    NothingToUndo,
    ReadOnly,
    Settings,
    StaleVersion,
    Store,
)

OpenStore = Callable[[Settings], Store]
Json = dict[str, Any]


def one_to_undo() -> Game:
    """A new game in which seat 0 begins and can summon a card at once."""
    games = (Game.new("competitive", seats("human", "human"), seed=seed) for seed in itertools.count())
    return next(game for game in games if game.seat_to_act == 0 and summons(game))


def summons(game: Game) -> list[Json]:
    return [action for action in game.legal_actions() if action["type"] == "summon"]


def with_a_summon(store: Store) -> tuple[str, Json]:
    """A game at version 2, after a summon that can be taken back."""
    game = one_to_undo()
    id, action = store.create(game).id, summons(game)[0]
    assert store.act(id, 0, action, 1, key="k1", body_hash="b1").version == 2
    return id, action


def test_undo_restores_the_position_and_moves_the_action_to_those_undone(store: Store):
    game = one_to_undo()
    id, action = store.create(game).id, summons(game)[0]
    before = store.load(id)
    assert before.undoable == 0
    store.act(id, 0, action, 1)
    [played] = store.log(id)
    assert store.read(id).undoable == 1
    undone = store.undo(id, 0, 2)
    assert (undone.version, undone.index, undone.repeated) == (3, 0, False)
    after = store.load(id)
    assert (after.version, after.undoable) == (3, 0)
    assert after.game.state_bytes() == before.game.state_bytes()
    assert after.game.record() == before.game.record()
    entries, [entry] = store.history(id)
    assert entries == []
    assert (entry.index, entry.version, entry.undone_version) == (0, 2, 3)
    assert (entry.at, entry.seat, entry.action) == (played.at, 0, played.action)


def test_what_can_be_undone_is_known_without_the_games_actions(store: Store):
    id, _ = with_a_summon(store)
    store.client.delete(f"sb:game:{id}:log")
    assert store.read(id).undoable == 1


def test_both_actions_of_a_turn_go_back_one_after_the_other(store: Store):
    """A hand over its limit still owes the discard: the turn is not over after its second action."""
    game = game_where(0, "human", "human", mode="cooperative")
    while game.view(0)["table"]["deck"] or game.view(0)["actions_left"] != 2:
        actions = game.legal_actions()
        game.apply(next((a for a in actions if a.get("source") == "deck"), actions[0]))
        assert not game.over
    seat = game.seat_to_act
    assert seat is not None
    created = store.create(game)
    with pytest.raises(NothingToUndo):
        store.undo(created.id, seat, created.version)  # into what was played elsewhere
    version = created.version
    positions = []
    for _ in range(2):
        stored = store.read(created.id)
        positions.append(stored.game.state_bytes())
        draws = [action for action in stored.game.legal_actions() if action["type"] == "draw"]
        version = store.act(created.id, seat, draws[0], version).version
    stored = store.read(created.id)
    assert (stored.game.view(0)["phase"], stored.undoable) == ("discard", 2)
    for left, position in zip((1, 0), reversed(positions), strict=True):
        version = store.undo(created.id, seat, version).version
        stored = store.read(created.id)
        assert (stored.undoable, stored.game.state_bytes()) == (left, position)
    with pytest.raises(NothingToUndo):
        store.undo(created.id, seat, version)
    assert [entry.index for entry in store.history(created.id)[1]] == [created.version, created.version - 1]


def test_what_cannot_be_undone_says_why_and_nothing_changes(store: Store):
    id, _ = with_a_summon(store)
    fresh = store.create(one_to_undo()).id
    shown = store.create(one_to_undo()).id
    store.act(shown, 0, {"seat": 0, "type": "draw", "source": "deck"}, 1)
    refilled = store.create(one_to_undo()).id
    store.act(refilled, 0, {"seat": 0, "type": "draw", "source": 3}, 1)
    turn_over = store.create(one_to_undo()).id
    store.act(turn_over, 0, {"seat": 0, "type": "draw", "source": 3}, 1)
    last = summons(store.read(turn_over).game)[0]
    store.act(turn_over, 0, last, 2)
    replay = store.create(Game.from_record(store.load(id).game.record()), deal="record", replay=True).id
    before = everything(store)
    for attempt, refusal in (
        (lambda: store.undo(id, 0, 1), StaleVersion),
        (lambda: store.undo(id, 0, 3), StaleVersion),
        (lambda: store.undo(id, 1, 2), AnothersAction),
        (lambda: store.undo(fresh, 0, 1), NothingToUndo),
        (lambda: store.undo(shown, 0, 2), NothingToUndo),
        (lambda: store.undo(refilled, 0, 2), NothingToUndo),
        (lambda: store.undo(turn_over, 0, 3), NothingToUndo),
        (lambda: store.undo(turn_over, 1, 3), NothingToUndo),
        (lambda: store.undo(replay, 0, 2), ReadOnly),
        (lambda: store.undo("nowhere", 0, 1), NoSuchGame),
        (lambda: store.undo(id, 0, 2, key="k1", body_hash="b2"), KeyReused),
    ):
        with pytest.raises(refusal):
            attempt()
    assert everything(store) == before


def test_the_turn_of_a_lone_player_ends_too(store: Store):
    game = Game.new("cooperative", seats("human"), seed=1)
    id = store.create(game).id
    store.act(id, 0, {"seat": 0, "type": "draw", "source": "deck"}, 1)
    store.act(id, 0, summons(store.read(id).game)[0], 2)
    assert store.read(id).game.seat_to_act == 0
    with pytest.raises(NothingToUndo):
        store.undo(id, 0, 3)


def test_a_game_stored_before_there_was_undo_is_read_and_played_on(store: Store):
    id, _ = with_a_summon(store)
    store.client.hdel(f"sb:game:{id}", "undoable")
    assert store.read(id).undoable == 0
    with pytest.raises(NothingToUndo):
        store.undo(id, 0, 2)
    game = store.read(id).game
    store.act(id, 0, game.legal_actions()[0], 2)


def test_the_same_key_gets_the_same_answer_and_undoes_once(store: Store):
    id, _ = with_a_summon(store)
    first = store.undo(id, 0, 2, key="u1", body_hash="b3")
    before = everything(store)
    again = store.undo(id, 0, 2, key="u1", body_hash="b3")
    assert (again.version, again.index, again.repeated) == (first.version, first.index, True)
    with pytest.raises(KeyReused):
        store.undo(id, 0, 3, key="u1", body_hash="b4")
    with pytest.raises(KeyReused):
        store.act(id, 0, {"seat": 0, "type": "draw", "source": 1}, 3, key="u1", body_hash="b5")
    assert everything(store) == before


def test_without_a_digest_of_the_request_its_version_is_compared(store: Store):
    id, action = with_a_summon(store)
    store.undo(id, 0, 2, key="u1")
    assert store.undo(id, 0, 2, key="u1").repeated
    store.act(id, 0, action, 3)
    with pytest.raises(KeyReused):
        store.undo(id, 0, 4, key="u1")


def test_the_key_of_an_action_undone_does_not_answer_as_if_it_stood(store: Store):
    id, action = with_a_summon(store)
    store.undo(id, 0, 2)
    other = {"seat": 0, "type": "draw", "source": 1}
    for then in (None, action, other):
        if then is not None:
            version = store.act(id, 0, then, store.version(id)).version
        before = everything(store)
        with pytest.raises(ActionUndone):
            store.act(id, 0, action, 1, key="k1", body_hash="b1")
        with pytest.raises(KeyReused):
            store.act(id, 0, action, 1, key="k1", body_hash="b2")
        assert everything(store) == before
        if then is action:
            store.undo(id, 0, version)
    store.client.delete(f"sb:game:{id}", f"sb:game:{id}:log")
    with pytest.raises(NoSuchGame):
        store.act(id, 0, action, 1, key="k1", body_hash="b1")


@pytest.mark.parametrize("rival", ["act", "undo"])
def test_of_an_undo_and_what_is_done_at_the_same_time_one_wins(
    settings: Settings, open_store: OpenStore, rival: str
):
    stores = [open_store(settings) for _ in range(2)]
    won = {"undo": 0, "rival": 0}
    for _ in range(20):
        id, _ = with_a_summon(stores[0])
        action = {"seat": 0, "type": "draw", "source": 2}
        start = threading.Barrier(2)

        def do(who: int, id: str = id, action: Json = action, start: threading.Barrier = start) -> bool:
            start.wait()
            try:
                if who == 0 or rival == "undo":
                    stores[who].undo(id, 0, 2)
                else:
                    stores[who].act(id, 0, action, 2)
            except StaleVersion:
                return False
            return True

        with ThreadPoolExecutor(2) as threads:
            done = list(threads.map(do, range(2)))
        assert sorted(done) == [False, True]
        won["undo" if done[0] else "rival"] += 1
        stored = stores[0].load(id)
        entries, undone = stores[0].history(id)
        assert stored.version == 3
        assert stored.game.actions_played == len(entries) == len(stored.game.actions)
        undos = 1 if done[0] or rival == "undo" else 0
        assert (len(entries), len(undone)) == (2 * (1 - undos), undos)
        assert Game.from_record(stored.game.record()).state_bytes() == stored.game.state_bytes()
    assert sum(won.values()) == 20


def test_an_undo_whose_reply_was_lost_is_done_once(lossy: LossyStore):
    id, _ = with_a_summon(lossy.store)
    lossy.lose_next_reply()
    assert lossy.store.undo(id, 0, 2).version == 3
    assert lossy.lost == 1
    entries, undone = lossy.store.history(id)
    assert (len(entries), len(undone), lossy.store.version(id)) == (0, 1, 3)


def test_what_was_undone_expires_with_its_game_and_only_the_latest_is_kept(store: Store):
    id, action = with_a_summon(store)
    version = 2
    for _ in range(45):
        version = store.undo(id, 0, version).version
        version = store.act(id, 0, action, version).version
    undone = store.history(id)[1]
    assert len(undone) == 40
    assert [entry.undone_version for entry in undone] == list(range(version - 79, version, 2))
    assert store.client.ttl(f"sb:game:{id}:undone") > 29 * 86_400


def test_a_request_repeated_after_sixty_four_others_is_stale_and_changes_nothing(store: Store):
    id, action = with_a_summon(store)
    version = 2
    for _ in range(32):
        version = store.undo(id, 0, version, key=f"u{version}").version
        version = store.act(id, 0, action, version, key=f"a{version}").version
    before = everything(store)
    with pytest.raises(StaleVersion):
        store.act(id, 0, action, 1, key="k1", body_hash="b1")
    assert store.act(id, 0, action, version - 1, key=f"a{version - 1}").repeated
    with pytest.raises(ActionUndone):
        store.act(id, 0, action, 3, key="a3")
    assert everything(store) == before


def test_an_undo_is_told_in_the_processes_log(store: Store, capfd: pytest.CaptureFixture[str]):
    from worker import set_up_logs

    set_up_logs("info", "test")
    id, _ = with_a_summon(store)
    store.undo(id, 0, 2)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    [line] = [line for line in lines if line.get("event") == "action_undone"]
    assert {key: line[key] for key in ("game", "version", "seat", "index")} == {
        "game": id, "version": 3, "seat": 0, "index": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("mode", "players"), [("competitive", 2), ("competitive", 4), ("cooperative", 3)])
def test_a_whole_game_with_undos_in_between_replays(store: Store, mode: str, players: int):
    """Against a game that was never undone in: what is left is a record like any other."""
    chance = random.Random(players)
    id = store.create(game_where(0, *["human"] * players, mode=mode)).id
    history: list[tuple[bytes, bool]] = []
    undos = 0
    while not (stored := store.read(id)).game.over:
        game, seat = stored.game, stored.game.seat_to_act
        assert seat is not None
        fair = 0
        for _, undoable in reversed(history):
            if not undoable:
                break
            fair += 1
        assert stored.undoable == fair
        if fair and chance.random() < 0.5:
            store.undo(id, seat, stored.version)
            position, _ = history.pop()
            assert store.read(id).game.state_bytes() == position
            undos += 1
            continue
        if not fair:
            with pytest.raises(NothingToUndo):
                store.undo(id, seat, stored.version)
        legal = game.legal_actions()
        action = chance.choice([a for a in legal if a["type"] == "summon"] or legal)
        outcome = store.act(id, seat, action, stored.version).outcome
        history.append((game.state_bytes(), may_be_undone(outcome)))
    whole = store.load(id)
    again = Game.from_record(whole.game.record())
    assert again.state_bytes() == whole.game.state_bytes()
    assert again.result is not None
    entries, undone = store.history(id, limit=1000)
    assert [entry.action for entry in entries] == whole.game.actions
    assert len(undone) == undos > 3
    assert whole.version == 1 + len(history) + 2 * undos
    versions = [e.version for e in entries] + [v for u in undone for v in (u.version, u.undone_version)]
    assert sorted(versions) == list(range(2, whole.version + 1))


@pytest.fixture
def lossy(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Any:
    line = LossyStore(settings, Path(tmp_path_factory.mktemp("l")))
    yield line
    line.close()
