"""The AI's jobs: one action each, visible as it happens, and harmless when they come twice or too late."""

import json
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rq.job import Job
from rq.serializers import JSONSerializer

import ai
from engine import STATE, Game
from tests.worker.conftest import everything, game_where, until
from worker import NoSuchGame, Settings, StaleVersion, Store
from worker import moves as jobs
from worker.queues import MOVES, enqueue_turn, queue


@pytest.fixture
def at_work(settings: Settings) -> Settings:
    """This process plays the part of a worker."""
    jobs.use(settings)
    return settings


def queued(store: Store) -> list[str]:
    return queue(store.client, MOVES).job_ids


class TestAtWork:
    def test_an_ai_turn_is_seen_action_by_action(self, running: Store):
        id = running.create(game_where(1, "human", "master")).id
        until(lambda: running.read(id).game.seat_to_act == 0)
        log = running.log(id)
        assert len(log) >= 2
        assert [entry.version for entry in log] == list(range(2, len(log) + 2))
        assert [entry.seat for entry in log] == [1] * len(log)
        assert log[0].at < log[1].at

    def test_ai_players_play_a_game_to_its_end_and_its_record_replays(self, running: Store):
        id = running.create(game_where(0, "random", "beginner", "greedy", "random")).id
        until(lambda: running.read(id).game.over, 60)
        whole = running.load(id)
        assert whole.game.result is not None
        assert Game.from_record(whole.game.record()).state_bytes() == whole.game.state_bytes()
        assert running.client.zscore("sb:due", id) is None

    def test_an_ai_takes_over_the_turn_of_whoever_leaves(self, running: Store):
        id = running.create(game_where(0, "human", "human")).id
        assert running.leave(id, 0, "greedy") == 2
        until(lambda: running.read(id).game.seat_to_act == 1)
        assert {entry.seat for entry in running.log(id)} == {0}

    def test_an_open_seat_is_waited_for(self, running: Store):
        id = running.create(game_where(0, "greedy", "open")).id
        until(lambda: running.read(id).game.seat_to_act == 1)
        waiting = running.version(id)
        assert running.client.zscore("sb:due", id) is None
        assert running.join(id, 1, "Mai")[1] == waiting + 1

    def test_finished_jobs_leave_nothing_behind(self, running: Store):
        id = running.create(game_where(0, "random", "human")).id
        until(lambda: running.read(id).game.seat_to_act == 1)
        until(lambda: not running.client.keys(f"rq:*{id}*"))

    def test_people_move_freely_while_workers_are_busy(self, running: Store):
        slow = running.create(game_where(0, "master", "human")).id
        id = running.create(game_where(0, "human", "human")).id
        for version in (1, 2):
            running.act(id, 0, {"seat": 0, "type": "draw", "source": "deck"}, version)
        assert running.version(slow) == 1
        until(lambda: running.version(slow) == 2)


class TestHints:
    def test_a_job_is_json_and_its_id_has_no_colon(self, store: Store):
        id = store.create(game_where(0, "greedy", "human")).id
        assert queued(store) == [f"{id}-1-0"]
        job = Job.fetch(f"{id}-1-0", store.client, JSONSerializer)
        assert json.loads(job.data) == ["worker.moves.play_turn", None, [id, 1, 0], {}]
        assert (job.result_ttl, job.origin) == (0, "moves")
        assert job.timeout is not None
        assert job.timeout > ai.PLAYERS["greedy"].seconds
        assert job.failure_ttl is not None
        assert job.ttl is not None

    def test_a_turn_is_queued_once_for_each_attempt(self, store: Store):
        for attempt in (0, 0, 1, 1):
            enqueue_turn(store.client, "game", 3, attempt, 1.0)
        assert queued(store) == ["game-3-0", "game-3-1"]

    @pytest.mark.usefixtures("at_work")
    def test_a_job_plays_one_action_and_queues_the_next(self, store: Store):
        id = store.create(game_where(0, "random", "human")).id
        jobs.play_turn(id, 1, 0)
        assert store.version(id) == 2
        assert queued(store) == [f"{id}-1-0", f"{id}-2-0"]
        jobs.play_turn(id, 2, 0)
        if store.read(id).game.seat_to_act == 1:
            assert len(queued(store)) == 2

    @pytest.mark.usefixtures("at_work")
    def test_a_job_that_comes_too_late_twice_or_for_nobody_does_nothing(self, store: Store):
        id = store.create(game_where(0, "greedy", "human")).id
        humans = store.create(game_where(0, "human", "greedy")).id
        replay = store.create(game_where(0, "greedy", "human"), deal="record", replay=True).id
        jobs.play_turn(id, 1, 0)
        before = everything(store)
        for game, version in ((id, 1), (id, 3), (humans, 1), (replay, 1), ("nowhere", 1)):
            jobs.play_turn(game, version, 0)
        assert everything(store) == before

    @pytest.mark.usefixtures("at_work")
    def test_two_jobs_for_one_turn_make_one_move(self, store: Store, monkeypatch: pytest.MonkeyPatch):
        id = store.create(game_where(0, "greedy", "human")).id
        together = threading.Barrier(2)
        choose = ai.choose_counted

        def slow(*args: Any, **kwargs: Any) -> Any:
            together.wait()
            return choose(*args, **kwargs)

        monkeypatch.setattr(ai, "choose_counted", slow)
        threads = [threading.Thread(target=jobs.play_turn, args=(id, 1, attempt)) for attempt in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.version(id) == 2
        assert len(store.log(id)) == 1

    @pytest.mark.usefixtures("at_work")
    @pytest.mark.parametrize("players", [("greedy", "human"), ("greedy", "human", "human")])
    def test_a_player_is_handed_what_its_seat_observes_and_nothing_else(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, players: tuple[str, ...]
    ):
        given: list[Any] = []
        choose = ai.choose_counted

        def spy(*args: Any, **kwargs: Any) -> Any:
            given.extend((args, kwargs))
            return choose(*args, **kwargs)

        monkeypatch.setattr(ai, "choose_counted", spy)
        id = store.create(game_where(0, *players)).id
        seen = store.read(id).game.observe(0)
        jobs.play_turn(id, 1, 0)
        (player, observation), named = given
        assert (player, named) == ("greedy", {"budget": ai.PLAYERS["greedy"].budget})
        assert isinstance(observation, np.ndarray)
        assert (observation.dtype, observation.shape) == (STATE, (1,))
        assert observation.tobytes() == seen.tobytes()


class TestDeadlines:
    def test_the_master_thinks_as_long_as_the_settings_say(self, store: Store):
        patient = Store(store.client, replace(store.settings, master_seconds=7.5, master_threads=3))
        assert patient.budget("master") == ai.Budget(7.5, threads=3)
        assert patient.patience("master") == 7.5 + store.settings.ai_margin
        assert patient.budget("expert") == ai.PLAYERS["expert"].budget

    def test_the_deadline_is_the_thinking_time_and_a_margin_after_the_commit(self, store: Store):
        id = store.create(game_where(0, "master", "human")).id
        updated = store.read(id).updated_at.timestamp()
        patience = store.settings.master_seconds + store.settings.ai_margin
        assert store.client.zscore("sb:due", id) / 1000 == pytest.approx(updated + patience, abs=0.01)

    def test_there_is_no_deadline_for_people(self, store: Store):
        id = store.create(game_where(0, "human", "greedy")).id
        assert store.client.zscore("sb:due", id) is None
        for version in (1, 2):
            store.act(id, 0, {"seat": 0, "type": "draw", "source": "deck"}, version)
        assert store.client.zscore("sb:due", id) is not None

    def test_a_thinking_job_is_heard_of_all_the_while_and_then_no_more(
        self, store: Store, at_work: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        id = store.create(game_where(0, "greedy", "human")).id
        choose = ai.choose_counted
        heard: list[float] = []

        def slow(*args: Any, **kwargs: Any) -> Any:
            until(lambda: len(set(heard)) >= 3, also=lambda: heard.append(store.client.zscore("sb:due", id)))
            return choose(*args, **kwargs)

        monkeypatch.setattr(ai, "choose_counted", slow)
        jobs.play_turn(id, 1, 0)
        gaps = [
            later - sooner
            for sooner, later in zip(sorted(set(heard))[1:], sorted(set(heard))[2:], strict=False)
        ]
        assert all(gap < 1000 * at_work.ai_lease for gap in gaps)
        assert not [thread for thread in threading.enumerate() if thread.name == "hold"]

    def test_a_job_about_an_earlier_version_cannot_hold_the_turn(self, store: Store):
        id = store.create(game_where(0, "greedy", "open")).id
        assert store.hold(id, 1, 5)
        store.join(id, 1, "Mai")
        due = store.client.zscore("sb:due", id)
        assert not store.hold(id, 1, 50)
        assert store.client.zscore("sb:due", id) == due

    @pytest.mark.usefixtures("at_work")
    def test_a_player_that_fails_leaves_its_turn_to_the_sweeper_at_once(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ):
        def fail(*_: Any, **__: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(ai, "choose_counted", fail)
        id = store.create(game_where(0, "greedy", "human")).id
        with pytest.raises(ZeroDivisionError):
            jobs.play_turn(id, 1, 0)
        assert [(turn.id, turn.version, turn.attempt) for turn in store.overdue()] == [(id, 1, 1)]


def test_what_a_job_may_meet_is_told_apart(store: Store):
    with pytest.raises(NoSuchGame):
        store.act("nowhere", 0, {}, 1)
    with pytest.raises(StaleVersion):
        store.act(store.create(game_where(0, "human", "human")).id, 0, {}, 7)
