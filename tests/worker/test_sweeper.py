"""The sweeper: a lost turn is queued again, and after repeated failures a quick legal move is played."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import structlog

import ai
from tests.worker.conftest import Crew, game_where, until
from worker import Settings, Store
from worker.queues import MOVES, queue
from worker.store import Turn
from worker.sweeper import sweep


@pytest.fixture
def impatient(settings: Settings, open_store: Callable[[Settings], Store]) -> Store:
    """A store where turns of the quick players count as lost after 0.2 seconds."""
    return open_store(replace(settings, ai_margin=0.1))


def lose_jobs(store: Store) -> list[str]:
    """What is queued, which nobody will ever do."""
    moves = queue(store.client, MOVES)
    ids = moves.job_ids
    moves.empty()
    return ids


def test_a_turn_is_left_alone_until_its_deadline_has_passed(store: Store):
    store.create(game_where(0, "greedy", "human"))
    assert sweep(store) == 0


def test_a_lost_turn_is_queued_again(impatient: Store):
    id = impatient.create(game_where(0, "greedy", "human")).id
    assert lose_jobs(impatient) == [f"{id}-1-0"]
    until(lambda: sweep(impatient) == 1)
    assert lose_jobs(impatient) == [f"{id}-1-1"]
    assert sweep(impatient) == 0
    assert impatient.version(id) == 1


def test_after_repeated_failures_a_legal_move_is_played_and_logged_so_that_no_game_hangs(impatient: Store):
    id = impatient.create(game_where(0, "greedy", "human")).id
    with structlog.testing.capture_logs() as events:
        until(lambda: impatient.version(id) == 2, also=lambda: (sweep(impatient), lose_jobs(impatient)))
    told = [(event["event"], event["attempt"], event["log_level"]) for event in events]
    assert told == [
        ("turn_queued_again", 1, "warning"),
        ("turn_queued_again", 2, "warning"),
        ("fallback_played", 3, "error"),
    ]
    [entry] = impatient.log(id)
    assert entry.seat == 0
    assert not {"action", "card", "cards", "hand", "token"} & {key for event in events for key in event}


def test_the_count_of_failures_starts_anew_with_every_move(impatient: Store):
    id = impatient.create(game_where(0, "greedy", "human")).id
    until(lambda: impatient.version(id) == 2, also=lambda: (sweep(impatient), lose_jobs(impatient)))
    until(lambda: sweep(impatient))
    assert impatient.client.hget(f"sb:game:{id}", "attempts") == b"1"


def test_a_turn_that_waits_for_a_busy_worker_is_not_lost_and_its_player_moves_in_the_end(
    crew: Crew, settings: Settings, open_store: Callable[[Settings], Store]
):
    store = open_store(replace(settings, ai_margin=0.0))
    settings = replace(settings, ai_margin=60.0)
    worker = crew.hire(MOVES)
    until(lambda: store.workers_alive(MOVES), 60)
    assert worker.pid
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        # The store may hand the first job to the worker that listened when it was stopped.
        open_store(settings).create(game_where(0, "greedy", "human"))
        id = store.create(game_where(0, "greedy", "human")).id
        for _ in range(3):
            store.hold(id, 1, 0)
            assert sweep(store) == 0
        assert queue(store.client, MOVES).job_ids[-1] == f"{id}-1-0"
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    until(lambda: store.version(id) == 2)
    assert store.client.hget(f"sb:game:{id}", "attempts") == b"0"


def test_without_any_worker_whole_games_come_to_their_end(
    settings: Settings, open_store: Callable[[Settings], Store]
):
    store = open_store(replace(settings, ai_margin=0.0, ai_attempts=0))
    id = store.create(game_where(0, "random", "greedy", mode="cooperative")).id

    def hurry() -> None:
        store.hold(id, store.version(id), 0)
        sweep(store)

    until(lambda: store.read(id).game.over, 30, also=hurry)
    assert sweep(store) == 0


def test_of_several_sweepers_one_takes_on_a_turn(impatient: Store):
    made = {impatient.create(game_where(0, "greedy", "human")).id for _ in range(5)}
    until(lambda: impatient.client.zcount("sb:due", 0, impatient.client.time()[0] * 1000) == 5)
    with ThreadPoolExecutor(4) as threads:
        taken = [turn for turns in threads.map(lambda _: impatient.overdue(), range(4)) for turn in turns]
    assert sorted(taken, key=lambda turn: turn.id) == [Turn(id, 1, 1) for id in sorted(made)]


def test_a_game_that_cannot_be_helped_does_not_keep_others_waiting(
    impatient: Store, monkeypatch: pytest.MonkeyPatch
):
    broken, sound = sorted(impatient.create(game_where(0, "greedy", "human")).id for _ in range(2))
    impatient.client.hset(f"sb:game:{broken}", "header", "not JSON")
    with structlog.testing.capture_logs() as events:
        until(lambda: impatient.version(sound) == 2, also=lambda: (sweep(impatient), lose_jobs(impatient)))
    assert {event["game"] for event in events if event["event"] == "rescue_failed"} == {broken}


def test_deadlines_of_games_that_have_expired_are_dropped(impatient: Store):
    id = impatient.create(game_where(0, "greedy", "human")).id
    impatient.client.delete(f"sb:game:{id}")
    until(lambda: impatient.client.zcard("sb:due") == 0, also=lambda: sweep(impatient))


def test_a_fallback_is_quick():
    game = game_where(0, "greedy", "human")
    game.apply(ai.fallback(game.observe(0)))
    assert game.actions_played == 1
