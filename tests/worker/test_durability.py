"""What an acknowledgement promises: a server killed afterwards has lost nothing of it."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from engine import Game
from tests.worker.conftest import Crew, game_where, until
from worker import EmbeddedStore, Settings, Store, StoreUnreachable
from worker.gaps import without_gaps

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these faults are made by Linux's means")

DRAW = {"seat": 0, "type": "draw", "source": "deck"}
PTRACE_ATTACH = 16
ANY_THREAD = 0x40000000  # __WALL


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[EmbeddedStore]:
    fsync = getattr(request, "param", Settings.store_fsync)
    with EmbeddedStore(Settings(data_dir=tmp_path, store_fsync=fsync)) as running:
        yield running


@pytest.fixture
def kept(server: EmbeddedStore, open_store: Callable[[Settings], Store]) -> Store:
    return open_store(replace(server.settings, redis_url=server.url))


def limit_files(server: EmbeddedStore, spare: int | None, growing: str = "") -> None:
    """Let the server's files (with `growing` in their names) grow by so many bytes only; None: for ever."""
    folder = server.settings.data_dir / "store" / "appendonlydir"
    size = max(file.stat().st_size for file in folder.iterdir() if growing in file.name)
    limit = resource.RLIM_INFINITY if spare is None else size + spare
    assert server.pid is not None
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


def kill_and_restart(server: EmbeddedStore, traced: int | None = None) -> None:
    if server.pid is not None:  # one that flushes always ends by itself when it cannot
        os.kill(server.pid, signal.SIGKILL)
    if traced is not None:
        os.waitpid(traced, ANY_THREAD)
    until(lambda: not server.alive())
    server.start()


def flushing_threads(server: EmbeddedStore) -> list[int]:
    tasks = Path(f"/proc/{server.pid}/task").iterdir()
    return [int(task.name) for task in tasks if (task / "comm").read_text().strip() == "bio_aof"]


def hold_the_flush(server: EmbeddedStore) -> int:
    """Stop the thread that flushes to the disk, as a disk that hangs would: the thread's id."""
    until(lambda: flushing_threads(server))  # it names itself, which may come after the first answer
    [thread] = flushing_threads(server)
    library = ctypes.CDLL(None)
    library.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if library.ptrace(PTRACE_ATTACH, thread, None, None):
        pytest.skip("this system lets nobody hold a thread of another process")
    os.waitpid(thread, ANY_THREAD)
    return thread


def acknowledged(kept: Store, id: str, version: int, key: str) -> bool:
    with contextlib.suppress(StoreUnreachable):
        return kept.act(id, 0, DRAW, version, key=key).version == version + 1
    return False


@pytest.mark.parametrize("server", ["everysec", "always"], indirect=True)
@pytest.mark.parametrize("spare", [0, 300], ids=["nothing fits", "half of it fits"])
def test_on_a_full_disk_nothing_is_acknowledged_and_nothing_acknowledged_is_lost(
    server: EmbeddedStore, kept: Store, spare: int
):
    id = kept.create(Game.new("cooperative", 1, seed=1)).id
    kept.act(id, 0, DRAW, 1, key="first")
    limit_files(server, spare)
    for _ in range(2):
        with pytest.raises(StoreUnreachable):
            kept.act(id, 0, DRAW, 2, key="second")
    kill_and_restart(server)
    assert [entry.version for entry in kept.log(id)] == [2]
    assert kept.act(id, 0, DRAW, 2, key="second").version == 3


def test_when_the_disk_has_room_again_the_action_sent_again_is_played_once(
    server: EmbeddedStore, kept: Store
):
    id = kept.create(Game.new("cooperative", 1, seed=1)).id
    limit_files(server, 0)
    with pytest.raises(StoreUnreachable):
        kept.act(id, 0, DRAW, 1, key="only")
    limit_files(server, None)
    until(partial(acknowledged, kept, id, 1, "only"))
    kill_and_restart(server)
    assert [entry.version for entry in kept.log(id)] == [2]


def write_anew(kept: Store) -> None:
    """Have the server write its file anew: it then goes on in one that it did not open for appending."""
    kept.client.bgrewriteaof()
    until(lambda: not kept.client.info("persistence")["aof_rewrite_in_progress"])


def meet_a_full_disk(server: EmbeddedStore, kept: Store, id: str) -> None:
    """Play an action, another one for which the disk has no room at first."""
    assert kept.act(id, 0, DRAW, 1).version == 2
    limit_files(server, 300, growing="incr")  # the base may be the larger file
    with pytest.raises(StoreUnreachable):
        kept.act(id, 0, DRAW, 2, key=id)
    limit_files(server, None)
    until(partial(acknowledged, kept, id, 2, id))


def test_a_gap_that_a_full_disk_left_in_the_file_is_closed_at_the_next_start(
    server: EmbeddedStore, kept: Store
):
    ids = [kept.create(Game.new("cooperative", 1, seed=seed)).id for seed in range(2)]
    write_anew(kept)
    meet_a_full_disk(server, kept, ids[0])
    assert kept.act(ids[1], 0, DRAW, 1).version == 2
    for _ in range(2):
        kill_and_restart(server)
        assert [[entry.version for entry in kept.log(id)] for id in ids] == [[2, 3], [2]]


def test_a_server_that_has_written_its_file_anew_is_started_again_and_outlives_many_full_disks(
    server: EmbeddedStore, kept: Store
):
    ids = [kept.create(Game.new("cooperative", 1, seed=seed)).id for seed in range(4)]
    before = server.pid
    server.look_after()
    assert server.pid == before
    write_anew(kept)
    until(lambda: server.look_after() or server.pid != before)
    for id in ids:
        meet_a_full_disk(server, kept, id)
    again = server.pid
    for _ in range(20):
        server.look_after()
    assert server.pid == again
    kill_and_restart(server)
    assert [[entry.version for entry in kept.log(id)] for id in ids] == [[2, 3]] * 4


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (b"*1\r\n$4\r\nEXEC\r\n\0\0\0*1\r\n$4\r\nEXEC\r\n", b"*1\r\n$4\r\nEXEC\r\n*1\r\n$4\r\nEXEC\r\n"),
        (b"\0*2\r\n$1\r\n\0\r\n$2\r\n\r\n\r\n\0", b"*2\r\n$1\r\n\0\r\n$2\r\n\r\n\r\n"),
        (b"#TS:17\r\n\0\0*1\r\n$4\r\nEX", b"#TS:17\r\n*1\r\n$4\r\nEX"),
        (b"*1\r\n$4\r\nEX\0\0*1\r\n$4\r\nEXEC\r\n", None),
        (b"not commands\r\n\0", None),
        (b"*x\r\n\0\0", None),
        (b"", None),
    ],
)
def test_only_zeros_between_whole_commands_are_a_gap(written: bytes, read: bytes | None):
    assert without_gaps(written) == (written if read is None else read)


def test_while_an_earlier_flush_is_under_way_an_action_is_acknowledged_when_it_is_written(
    server: EmbeddedStore, kept: Store
):
    id = kept.create(Game.new("cooperative", 1, seed=1)).id
    thread = hold_the_flush(server)
    kept.client.set("sb:something", "else")
    until(lambda: kept.client.info("persistence")["aof_pending_bio_fsync"])
    assert kept.act(id, 0, DRAW, 1).version == 2
    kill_and_restart(server, thread)
    assert kept.version(id) == 2


def test_a_worker_outlives_a_full_disk_and_plays_on_when_there_is_room(server: EmbeddedStore, kept: Store):
    crew = Crew(kept.settings)
    try:
        worker = crew.hire("moves")
        crew.hire("sweeper")
        until(kept.workers_alive, 60)
        limit_files(server, 0)
        with pytest.raises(StoreUnreachable):
            kept.create(game_where(0, "greedy", "human"))
        until(lambda: "store_unreachable" in crew.logged(), 20)
        limit_files(server, None)
        ids = []

        def made() -> bool:
            with contextlib.suppress(StoreUnreachable):
                ids.append(kept.create(game_where(0, "greedy", "human")).id)
            return bool(ids)

        until(made)
        until(lambda: kept.version(ids[0]) > 1, 20)
        assert worker.alive()
    finally:
        crew.supervisor.stop()
