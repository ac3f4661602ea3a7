"""The embedded store: private, safe against crashes and second starts, one server for one folder."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Game
from tests.worker.conftest import alive, until
from worker import EmbeddedStore, Settings, Store, StoreUnreachable, connect, require_store

OWNER = """
import sys, time
from pathlib import Path
from worker import EmbeddedStore, Settings
with EmbeddedStore(Settings(data_dir=Path(sys.argv[1]))) as store:
    print(store.pid, store.url, store.started_here, flush=True)
    sys.stdin.read()
"""
# As on a system where nothing ends a child whose parent was killed.
OUTLIVING = "import worker.supervisor; worker.supervisor._libc = None" + OWNER


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    """Settings for a data folder that is not there yet, with a space in its name."""
    return Settings(data_dir=tmp_path / "my games")


def start_elsewhere(settings: Settings, program: str = OWNER) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program, str(settings.data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def put(settings: Settings, name: str, value: str) -> None:
    with connect(settings) as client:
        client.set(name, value)


def get(settings: Settings, name: str) -> bytes | None:
    with connect(settings) as client:
        return client.get(name)


def test_games_are_still_there_at_the_next_start(home: Settings):
    with EmbeddedStore(home) as server:
        settings = replace(home, redis_url=server.url)
        with connect(settings) as client:
            created = Store(client, settings).create(Game.new("competitive", 2, seed=1))
    with EmbeddedStore(home), connect(home) as client:
        again = Store(client, home)
        assert again.read(created.id).version == 1
        assert again.seat_of(created.id, created.tokens[1]) == 1


def test_what_was_acknowledged_survives_kill_9_and_the_server_comes_back_at_the_same_address(home: Settings):
    with EmbeddedStore(home) as server:
        address = server.url
        put(home, "word", "kept")
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: not server.alive())
        server.start()
        assert server.alive()
        assert server.url == address
        assert get(home, "word") == b"kept"


def test_nobody_else_on_the_machine_can_reach_it(home: Settings):
    with EmbeddedStore(home) as server, connect(home) as client:
        socket = Path(server.url.removeprefix("unix://"))
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(home.data_dir.stat().st_mode) == 0o700
        assert stat.S_IMODE((home.data_dir / "store").stat().st_mode) == 0o700
        assert stat.S_IMODE((home.data_dir / "store.json").stat().st_mode) == 0o600
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("appendonly") == {"appendonly": "yes"}
    assert not socket.parent.exists()
    assert not (home.data_dir / "store.json").exists()


def test_a_second_start_on_the_same_folder_uses_the_running_server_and_leaves_it_running(home: Settings):
    with EmbeddedStore(home) as first:
        put(home, "word", "one server")
        second = start_elsewhere(home)
        assert second.stdout is not None
        assert second.stdout.readline().split() == ["None", first.url, "False"]
        second.communicate()
        assert get(home, "word") == b"one server"


def test_of_two_simultaneous_starts_one_starts_the_server_and_both_can_use_it(home: Settings):
    stores = [EmbeddedStore(home) for _ in range(4)]
    threads = [threading.Thread(target=store.start) for store in stores]
    # Whoever starts the server has to live as long as it, so that is not left to one of these threads.
    other = start_elsewhere(home)
    try:
        assert other.stdout is not None
        told = other.stdout.readline().split()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {store.url for store in stores} == {told[1]}
        assert not any(store.started_here for store in stores)
    finally:
        other.communicate()


def test_two_processes_starting_at_once_share_one_server(home: Settings):
    both = [start_elsewhere(home) for _ in range(2)]
    told = [process.stdout.readline().split() for process in both if process.stdout]
    assert len({url for _, url, _ in told}) == 1
    assert sorted(started for *_, started in told) == ["False", "True"]
    for process in both:
        process.communicate()


def test_a_server_whose_owner_was_killed_is_gone_before_another_opens_its_files(home: Settings):
    owner = start_elsewhere(home)
    assert owner.stdout is not None
    left_behind = int(owner.stdout.readline().split()[0])
    put(home, "word", "kept")
    owner.kill()
    owner.communicate()
    with EmbeddedStore(home) as server:
        assert server.started_here
        assert server.pid != left_behind
        assert not alive(left_behind)
        assert get(home, "word") == b"kept"


def test_a_server_that_outlives_its_owner_is_told_to_stop(home: Settings):
    owner = start_elsewhere(home, OUTLIVING)
    assert owner.stdout is not None
    left_behind = int(owner.stdout.readline().split()[0])
    put(home, "word", "kept")
    owner.kill()
    owner.communicate()
    assert alive(left_behind)
    with EmbeddedStore(home) as server:
        assert server.started_here
        assert not alive(left_behind)
        assert get(home, "word") == b"kept"


def test_a_folder_that_cannot_be_used_gets_a_sentence(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnreachable, match="cannot be used"):
        EmbeddedStore(Settings(data_dir=tmp_path / "file" / "inside")).start()


def test_a_server_that_does_not_start_says_why(home: Settings):
    (home.data_dir / "store" / "appendonlydir").mkdir(parents=True)
    (home.data_dir / "store" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    server = EmbeddedStore(home)
    with pytest.raises(StoreUnreachable, match="did not start"):
        server.start()
    assert not server.started_here


def test_a_note_left_by_a_crash_is_not_believed(home: Settings):
    home.data_dir.mkdir()
    (home.data_dir / "store.json").write_text(json.dumps({"url": "unix:///nowhere/store", "pid": 1}))
    with pytest.raises(StoreUnreachable, match="No store is running"):
        connect(home)
    with EmbeddedStore(home):
        require_store(home)


def test_an_unreachable_redis_url_gets_a_sentence_without_its_password(home: Settings):
    with pytest.raises(StoreUnreachable) as refusal:
        require_store(replace(home, redis_url="redis://me:pa55@127.0.0.1:1/0"))
    assert "127.0.0.1:1" in str(refusal.value)
    assert "pa55" not in str(refusal.value)
