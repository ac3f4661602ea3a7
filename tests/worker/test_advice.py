"""Hints and analyses: worked out once, by jobs that may die, and never from what a seat cannot see."""

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace

import pytest

import ai
from engine import Game
from tests.ai.positions import hidden_dealt_otherwise
from tests.worker.conftest import Crew, game_where, seats, until
from worker import (
    GameOver,
    HintsOff,
    NoSuchGame,
    NotToMove,
    ReadOnly,
    Settings,
    StillRunning,
    Store,
    ask_analysis,
    ask_hint,
    read_analysis,
    read_hint,
)
from worker.advice import analyse_game, give_hint
from worker.moves import use
from worker.queues import ADVICE, queue

QUICK = {"hint_iterations": 200, "analysis_iterations": 100}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    chosen = replace(settings, **QUICK)
    use(chosen)
    return chosen


def with_hints(store: Store, *players: str) -> str:
    return store.create(game_where(0, *(players or ("human", "human"))), hints=True).id


def finished(store: Store) -> str:
    game = ai.play_game(game_where(0, "human", "human"), ["greedy", "random"], seed=3)
    return store.create(game).id


def run_jobs(store: Store) -> int:
    """Does the advice jobs that are queued, one after the other, in this process: how many there were."""
    jobs = 0
    waiting = queue(store.client, ADVICE)
    while job := next(iter(waiting.jobs), None):
        waiting.remove(job)
        {"worker.advice.give_hint": give_hint, "worker.advice.analyse_game": analyse_game}[job.func_name](
            *job.args
        )
        jobs += 1
    return jobs


def test_a_hint_is_worked_out_once_for_a_version_and_then_read(store: Store) -> None:
    id = with_hints(store)
    assert read_hint(store, id, 0) is None
    assert [ask_hint(store, id, 0).candidates for _ in range(3)] == [None] * 3
    assert run_jobs(store) == 1
    hint = ask_hint(store, id, 0)
    assert hint == read_hint(store, id, 0)
    assert hint.candidates is not None
    legal = store.read(id).game.legal_actions()
    assert 1 <= len(hint.candidates) <= 3
    for candidate in hint.candidates:
        assert candidate["action"] in legal
        assert sum(candidate["outlook"]) == pytest.approx(1, abs=0.001)
    assert sum(candidate["visits"] for candidate in hint.candidates) <= 200
    assert run_jobs(store) == 0


def test_after_an_action_the_old_hint_is_nobodys_any_more(store: Store) -> None:
    id = with_hints(store)
    ask_hint(store, id, 0)
    stored = store.read(id)
    store.act(id, 0, stored.game.legal_actions()[0], stored.version)
    assert run_jobs(store) == 1  # too late: it does nothing
    assert read_hint(store, id, 0) is None
    assert ask_hint(store, id, 0).version == stored.version + 1


def test_games_that_differ_only_in_hidden_cards_give_the_same_hint(store: Store) -> None:
    id = with_hints(store)
    ask_hint(store, id, 0)
    run_jobs(store)
    hint = read_hint(store, id, 0)
    stored = store.read(id)
    other = hidden_dealt_otherwise(store.load(id).game, 0, seed=5)
    assert other.record() != store.load(id).game.record()
    key = f"sb:game:{id}"
    header = other.header()
    header.pop("seats")
    store.client.hset(key, mapping={"state": other.state_bytes(), "header": json.dumps(header)})
    store.client.delete(f"{key}:hint:{stored.version}")
    ask_hint(store, id, 0)
    run_jobs(store)
    assert read_hint(store, id, 0) == hint


def test_hints_are_refused_to_everybody_but_the_seat_to_move(store: Store) -> None:
    id = with_hints(store)
    with pytest.raises(NotToMove) as refused:
        ask_hint(store, id, 1)
    assert refused.value.seat_to_act == 0
    with pytest.raises(NoSuchGame):
        ask_hint(store, "nowhere", 0)
    with pytest.raises(HintsOff):
        ask_hint(store, store.create(game_where(0, "human", "human")).id, 0)
    with pytest.raises(GameOver):
        ask_hint(store, finished(store), 0)
    replay = store.create(Game.new("competitive", seats("human", "human")), replay=True, hints=True)
    with pytest.raises(ReadOnly):
        ask_hint(store, replay.id, 0)
    assert not run_jobs(store)


def test_an_analysis_judges_every_action_in_slices_and_is_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.advice.SLICE", 0.02)
    id = finished(store)
    game = store.load(id).game
    assert read_analysis(store, id) is None
    assert ask_analysis(store, id).judgements == []
    assert ask_analysis(store, id).actions == game.actions_played
    assert run_jobs(store) > 2
    analysis = read_analysis(store, id)
    assert analysis is not None
    assert analysis.done
    assert [each["action"] for each in analysis.judgements] == game.actions
    assert [each["index"] for each in analysis.judgements] == list(range(game.actions_played))
    assert any(each["better"] for each in analysis.judgements if each["seat"] == 1)
    assert ask_analysis(store, id) == analysis
    assert not run_jobs(store)


def test_a_replay_that_stops_in_the_middle_can_be_analysed_and_a_running_game_not(store: Store) -> None:
    game = game_where(0, "human", "human")
    for _ in range(6):
        game.apply(game.legal_actions()[0])
    with pytest.raises(StillRunning):
        ask_analysis(store, store.create(game).id)
    with pytest.raises(NoSuchGame):
        read_analysis(store, "nowhere")
    replay = store.create(game, replay=True).id
    ask_analysis(store, replay)
    run_jobs(store)
    analysis = read_analysis(store, replay)
    assert analysis is not None
    assert len(analysis.judgements) == 6


def test_two_jobs_for_one_analysis_do_not_do_its_work_twice(store: Store) -> None:
    id = finished(store)
    ask_analysis(store, id)
    store.client.set(f"sb:game:{id}:analysis:job", "running")
    run_jobs(store)
    analysis = read_analysis(store, id)
    assert analysis is not None
    assert analysis.judgements == []


@pytest.mark.serial
def test_advice_survives_a_killed_worker_and_moves_go_before_it(
    settings: Settings, crew: Crew, open_store: Callable[[Settings], Store]
) -> None:
    crew.settings = replace(settings, analysis_iterations=12_000)
    store = open_store(crew.settings)
    worker = crew.hire("advice")
    until(lambda: store.workers_alive("advice") == 1, 60)
    id = finished(store)
    ask_analysis(store, id)

    def judged() -> int:
        return len((read_analysis(store, id) or ask_analysis(store, id)).judgements)

    until(lambda: judged() >= 3, 30)
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    before = judged()
    until(lambda: judged() > before + 3, 60, also=crew.supervisor.tend)
    moving = store.create(game_where(0, "greedy", "human"))
    until(lambda: store.version(moving.id) > moving.version, 10)
    assert not ask_analysis(store, id).done
    until(lambda: ask_analysis(store, id).done, 120)
