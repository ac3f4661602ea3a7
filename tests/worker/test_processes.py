"""Workers, sweeper and supervisor as processes: killed, stopped, restarted; the game goes on."""

import itertools
import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.worker.conftest import Crew, alive, game_where, under_way, until
from worker import MOVES, EmbeddedStore, Process, Settings, Store, Supervisor, connect, run_worker
from worker.queues import HEARTBEAT, queue

# How long a start may take on a busy machine, kernels loaded from their cache or compiled.
START = 60


def thinking(store: Store, crew: Crew) -> str:
    """A game in which the AI of seat 0 thinks right now."""
    id = store.create(game_where(0, "master", "human")).id
    granted = store.client.zscore("sb:due", id)
    until(lambda: store.client.zscore("sb:due", id) != granted, also=crew.supervisor.tend)
    assert store.version(id) == 1
    return id


def killed(worker: Process) -> None:
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)


@pytest.mark.serial
def test_a_worker_killed_in_mid_thought_is_restarted_and_the_ai_moves_within_ten_seconds(
    store: Store, crew: Crew
):
    worker = crew.hire("moves")
    crew.hire("sweeper")
    until(store.workers_alive, START)
    id = thinking(store, crew)
    killed(worker)
    until(lambda: store.version(id) == 2, 10, also=crew.supervisor.tend)
    assert "turn_queued_again" in crew.logged()
    assert "fallback_played" not in crew.logged()


@pytest.mark.serial
def test_another_worker_takes_over_from_a_killed_one(store: Store, crew: Crew):
    first = crew.hire("moves", "first")
    crew.hire("sweeper")
    until(store.workers_alive, START)
    id = thinking(store, crew)
    crew.hire("moves", "second")
    killed(first)
    until(lambda: store.version(id) == 2, 10)


def test_a_job_that_fails_or_takes_too_long_ends_and_its_worker_goes_on(store: Store, crew: Crew):
    worker = crew.hire("moves")
    until(store.workers_alive, START)
    pid = worker.pid
    jobs = queue(store.client, MOVES)
    jobs.enqueue_call("operator.truediv", (1, 0), result_ttl=0, failure_ttl=60)
    jobs.enqueue_call("time.sleep", (600,), timeout=1, result_ttl=0, failure_ttl=60)
    jobs.enqueue_call("os.abs", result_ttl=0, failure_ttl=60)
    id = store.create(game_where(0, "greedy", "human")).id
    until(lambda: store.version(id) > 1)
    assert worker.pid == pid
    for reason in ("ZeroDivisionError", "JobTimeoutException", "os.abs"):
        assert reason in crew.logged()
    until(lambda: not under_way(store, MOVES))


def test_a_job_that_cannot_be_interrupted_ends_its_worker(store: Store, crew: Crew):
    worker = crew.hire("moves")
    until(store.workers_alive, START)
    jobs = queue(store.client, MOVES)
    jobs.enqueue_call("signal.pthread_sigmask", (signal.SIG_BLOCK, [signal.SIGALRM]), result_ttl=0)
    jobs.enqueue_call("time.sleep", (600,), timeout=1, result_ttl=0)
    until(lambda: not worker.alive(), 30)
    assert "job_hangs" in crew.logged()


def test_a_worker_is_heard_of_all_the_while_that_a_job_takes(store: Store, crew: Crew):
    crew.hire("moves")
    until(store.workers_alive, START)
    queue(store.client, MOVES).enqueue_call("time.sleep", (HEARTBEAT + 2,), timeout=60, result_ttl=0)
    [worker] = store.client.smembers("rq:workers:moves")
    heard = set()

    def look() -> bool:
        heard.add(store.client.hget(worker, "last_heartbeat"))
        return bool(under_way(store, MOVES))

    until(look)
    heard.clear()
    until(lambda: not look(), 30)
    assert len(heard) >= 2


def test_a_worker_told_to_stop_hands_its_turn_back_and_ends_at_once(store: Store, crew: Crew):
    worker = crew.hire("moves", "first")
    crew.hire("sweeper")
    until(store.workers_alive, START)
    id = thinking(store, crew)
    started = time.monotonic()
    crew.supervisor.children.remove(worker)
    worker.stop(5)
    assert time.monotonic() - started < 5
    assert store.version(id) == 1
    assert "turn_handed_back" in crew.logged()
    assert store.workers_alive() == 0
    crew.hire("moves", "second")
    until(lambda: store.version(id) == 2, START)


def test_a_worker_whose_store_was_killed_goes_on_when_it_is_back(tmp_path: Path):
    settings = Settings(data_dir=tmp_path)
    with EmbeddedStore(settings) as server, connect(settings) as client:
        settings = replace(settings, redis_url=server.url)
        store, crew = Store(client, settings), Crew(settings)
        try:
            crew.hire("moves")
            crew.hire("sweeper")
            until(store.workers_alive, START)
            id = store.create(game_where(0, "human", "greedy")).id
            store.act(id, 0, {"seat": 0, "type": "draw", "source": "deck"}, 1)
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            until(lambda: not server.alive())
            time.sleep(0.5)
            server.start()
            assert store.version(id) == 2
            store.act(id, 0, {"seat": 0, "type": "draw", "source": "deck"}, 2)
            until(lambda: store.read(id).game.seat_to_act == 0, 20, also=crew.supervisor.tend)
        finally:
            crew.supervisor.stop()


def test_workers_step_back_behind_the_api_and_those_of_ladders_further(store: Store, crew: Crew):
    wanted = {"moves": store.settings.move_nice, "ladders": store.settings.ladder_nice}
    assert 0 < wanted["moves"] < wanted["ladders"]
    for name, nice in wanted.items():
        pid = crew.hire(name).pid
        assert pid
        until(lambda name=name: store.workers_alive(name), 60)
        assert os.getpriority(os.PRIO_PROCESS, pid) == nice
        session = Path(f"/proc/{pid}/autogroup")
        if session.exists():
            assert session.read_text().split()[-1] == str(nice)


def test_workers_of_ladders_are_counted_apart_and_give_way_to_live_moves(store: Store, crew: Crew):
    worker = crew.hire("ladders")
    until(lambda: store.workers_alive("ladders") == 1, START)
    assert store.workers_alive() == 0
    assert worker.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) == 10
    id = store.create(game_where(0, "greedy", "human")).id
    time.sleep(0.5)
    assert store.version(id) == 1


def test_a_worker_that_died_counts_no_more_when_its_signs_of_life_have_stopped(store: Store):
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
    long_ago = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(time.time() - 60))
    for name, facts in (
        ("alive", {"last_heartbeat": now}),
        ("killed", {"last_heartbeat": long_ago}),
        ("stopped", {"last_heartbeat": now, "death": now}),
        ("broken", {"state": "busy"}),
    ):
        store.client.sadd("rq:workers:moves", f"rq:worker:{name}")
        store.client.hset(f"rq:worker:{name}", mapping=facts)
    store.client.sadd("rq:workers:moves", "rq:worker:expired")
    assert store.workers_alive() == 1


def test_counting_workers_leaves_the_client_its_time_outs(store: Store):
    store.workers_alive()
    assert store.client.connection_pool.connection_kwargs["socket_timeout"] == store.settings.store_timeout


def test_logs_are_lines_of_json_without_tokens_or_cards(store: Store, crew: Crew):
    crew.hire("moves")
    crew.hire("sweeper")
    until(store.workers_alive, START)
    created = store.create(game_where(1, "human", "beginner"))
    until(lambda: store.read(created.id).game.seat_to_act == 0)
    whole = store.load(created.id)
    crew.supervisor.stop()
    lines = [json.loads(line) for line in crew.logged().splitlines()]
    played = [line for line in lines if line["event"] == "move_played"]
    assert len(played) == len(whole.game.actions)
    assert {"at", "level", "process", "game", "version", "seat", "player", "seconds"} <= set(played[0])
    assert {"worker_ready", "worker_stopped", "sweeper_ready", "sweeper_stopped"} <= {
        line["event"] for line in lines
    }
    for card in whole.game.header()["setup"]["deck"]:
        assert card not in crew.logged()
    assert created.tokens[0] not in crew.logged()


def test_a_queue_of_another_name_is_refused(settings: Settings):
    with pytest.raises(ValueError, match="no queue"):
        run_worker(settings, "default")


class TestSupervisor:
    @pytest.fixture
    def supervisor(self) -> Any:
        supervisor = Supervisor()
        yield supervisor
        supervisor.stop()

    def test_a_child_that_dies_is_restarted_ever_more_slowly(self, supervisor: Supervisor, tmp_path: Path):
        births = tmp_path / "births"
        supervisor.add(
            Process(
                "short-lived", ["/bin/sh", "-c", f"date +%s.%N >> {births}"], {"PATH": os.environ["PATH"]}
            )
        )
        until(lambda: births.exists() and len(births.read_text().split()) >= 4, also=supervisor.tend)
        times = [float(line) for line in births.read_text().split()]
        gaps = [later - sooner for sooner, later in itertools.pairwise(times)]
        assert gaps[0] >= 0.1
        assert gaps[2] >= 0.4

    def test_children_are_stopped_in_reverse_order(self, supervisor: Supervisor, tmp_path: Path):
        order = tmp_path / "order"
        for name in ("store", "worker", "api"):
            trap = f"trap 'echo {name} >> {order}; exit' TERM; touch {tmp_path / name}; "
            supervisor.add(Process(name, ["/bin/sh", "-c", trap + "while :; do sleep 0.02; done"]))
            until((tmp_path / name).exists)
        supervisor.stop()
        assert order.read_text().split() == ["api", "worker", "store"]
        assert supervisor.children == []

    def test_a_child_that_will_not_end_is_ended_with_all_it_started(
        self, supervisor: Supervisor, tmp_path: Path
    ):
        note = (
            f"trap '' TERM; sleep 60 & echo $! > {tmp_path / 'pid'}; touch {tmp_path / 'up'}; wait; sleep 60"
        )
        stubborn = Process("stubborn", ["/bin/sh", "-c", note])
        supervisor.add(stubborn)
        until((tmp_path / "up").exists)
        grandchild = int((tmp_path / "pid").read_text())
        supervisor.stop(0.2)
        assert not stubborn.alive()
        until(
            lambda: (
                not Path(f"/proc/{grandchild}").exists()
                or "Z" in Path(f"/proc/{grandchild}/stat").read_text()
            )
        )

    def test_ctrl_c_in_the_terminal_reaches_the_supervisor_alone(self, supervisor: Supervisor):
        child = Process("child", [sys.executable, "-c", "import time; time.sleep(60)"])
        supervisor.add(child)
        assert child.pid is not None
        assert os.getsid(child.pid) == child.pid != os.getsid(0)

    def test_a_child_that_cannot_be_started_again_is_tried_later(
        self, supervisor: Supervisor, tmp_path: Path
    ):
        program = tmp_path / "program"
        program.write_text("#!/bin/sh\nexit\n")
        program.chmod(0o700)
        child = Process("vanishing", [str(program)])
        supervisor.add(child)
        program.unlink()
        until(lambda: supervisor._failures.get("vanishing", 0) >= 2, also=supervisor.tend)
        program.write_text("#!/bin/sh\nsleep 60\n")
        program.chmod(0o700)
        until(child.alive, also=supervisor.tend)


def test_children_end_with_a_supervisor_that_was_killed_where_the_system_can_do_that(tmp_path: Path):
    note = tmp_path / "pid"
    program = (
        "from worker import Process, Supervisor\n"
        "s = Supervisor(); s.add(Process('child', ['sleep', '60']))\n"
        f"open({str(note)!r}, 'w').write(str(s.children[0].pid))\n"
        "s.run(until=lambda: False)"
    )
    parent = Process("parent", [sys.executable, "-P", "-c", program])
    parent.start()
    until(lambda: note.exists() and note.read_text())
    child = int(note.read_text())
    assert parent.pid is not None
    os.kill(parent.pid, signal.SIGKILL)
    parent.stop(1)
    if sys.platform != "linux":
        assert alive(child)
        os.kill(child, signal.SIGKILL)
    until(lambda: not alive(child))
