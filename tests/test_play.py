"""`stem-branch play`, started and stopped as a person would."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fixtures.make import FOLDER as FIXTURES
from tests.playing import COMMAND, Playing, eventually
from worker import EmbeddedStore, Settings, Store, connect

RELEASES = sorted(path.parent.name for path in FIXTURES.glob("*/games.json"))


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playing]:
    game = Playing(tmp_path_factory.mktemp("games")).start()
    yield game
    if game.process.poll() is None:
        game.press_ctrl_c()


def refused(folder: Path, **variables: str) -> str:
    """What a start says that cannot be."""
    answer = subprocess.run(
        [COMMAND, "play"],
        env=Playing(folder, **variables).environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr + answer.stdout
    return answer.stderr


def test_a_taken_port_is_a_sentence(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"Port {port} is taken by another program" in refused(tmp_path, PORT=str(port))


def test_an_unreachable_store_is_a_sentence_without_the_password(tmp_path: Path):
    said = refused(tmp_path, REDIS_URL="redis://:k3lp-otter-92@127.0.0.1:1/0")
    assert "REDIS_URL" in said
    assert "otter" not in said


def test_settings_that_cannot_be_are_sentences(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert "PORT must be a whole number" in refused(tmp_path, PORT="eighty")
    assert "is no address of this machine" in refused(tmp_path, HOST="192.0.2.1")
    assert "must be a folder" in refused(tmp_path / "file")


@pytest.mark.serial
def test_the_page_and_the_api_are_there(playing: Playing):
    assert playing.ask("GET", "/")[0] == 200
    eventually(lambda: playing.ask("GET", "/readyz")[0] == 200)


@pytest.mark.serial
def test_a_second_start_shows_the_running_game(playing: Playing):
    second = Playing(playing.folder).start()
    assert second.url == playing.url
    second.process.communicate(timeout=10)
    assert second.process.returncode == 0
    assert playing.ask("GET", "/readyz")[0] == 200


@pytest.mark.serial
@pytest.mark.parametrize(
    "words",
    [("api:create_app",), ("worker", "--queue"), ("sweeper",), ("valkey-server",)],
    ids=["api", "worker", "sweeper", "store"],
)
def test_a_killed_child_is_started_again_and_no_game_is_lost(playing: Playing, words: tuple[str, ...]):
    game = playing.new_game()
    before = playing.processes(*words)
    assert before
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: len(set(playing.processes(*words)) - set(before)) >= len(before))
    eventually(lambda: playing.ask("GET", "/readyz")[0] == 200)
    assert playing.ask("GET", f"/api/v1/games/{game}")[0] == 200


@pytest.mark.serial
def test_ctrl_c_stops_all_it_started_and_nothing_else_and_games_are_kept(playing: Playing, tmp_path: Path):
    neighbour = Playing(tmp_path).start()
    game = playing.new_game()
    eventually(lambda: playing.ask("GET", "/readyz")[0] == 200)
    # One child is dead at that moment, and one has left an orphan.
    worker = next(iter(playing.processes("worker", "--queue")))
    os.kill(worker, signal.SIGKILL)
    assert playing.press_ctrl_c() == 0
    assert playing.processes() == {}
    assert neighbour.ask("GET", "/healthz")[0] == 200
    assert neighbour.press_ctrl_c() == 0
    assert neighbour.processes() == {}

    again = Playing(playing.folder).start()
    try:
        assert again.seconds <= 5
        assert again.ask("GET", f"/api/v1/games/{game}")[0] == 200
    finally:
        assert again.press_ctrl_c() == 0


@pytest.mark.serial
@pytest.mark.parametrize("release", RELEASES)
def test_games_that_an_earlier_release_left_running_go_on_after_an_upgrade(tmp_path: Path, release: str):
    shutil.copytree(FIXTURES / release / "store", tmp_path / "store")
    kept = {game["name"]: game for game in json.loads((FIXTURES / release / "games.json").read_text())}
    playing = Playing(tmp_path).start()
    try:
        waiting = kept["an AI is to move"]
        path = f"/api/v1/games/{waiting['id']}"
        eventually(lambda: playing.ask("GET", path)[1]["version"] > waiting["version"])
        mine = kept["in the middle of a turn"]
        seat = mine["seat_to_act"]
        body = {
            "expected_version": mine["version"],
            "action": {"seat": seat, "type": "draw", "source": "deck"},
        }
        path = f"/api/v1/games/{mine['id']}/actions"
        assert playing.ask("POST", path, body, token=mine["tokens"][str(seat)])[0] == 201
    finally:
        assert playing.press_ctrl_c() == 0


@pytest.mark.serial
def test_told_to_stop_it_finishes_the_request_under_way_and_keeps_what_it_answered(tmp_path: Path):
    playing = Playing(tmp_path).start()
    seats = [{"name": "You", "player": "human"}]
    _, created = playing.ask("POST", "/api/v1/games", {"mode": "cooperative", "seats": seats})
    action = {"seat": 0, "type": "draw", "source": "deck"}
    body = json.dumps({"expected_version": 1, "action": action}).encode()
    head = (
        f"POST /api/v1/games/{created['id']}/actions HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {created['tokens']['0']}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    ).encode()
    address = urlsplit(playing.url)
    with socket.create_connection((address.hostname, address.port), 30) as connection:
        connection.sendall(head + body[:10])
        [api] = [pid for pid in playing.processes("api:create_app") if pid == os.getsid(pid)]
        playing.process.terminate()
        playing.read_until("Stopping")
        eventually(lambda: '"Handling signal: term"' in (tmp_path / "play.log").read_text())
        assert Path(f"/proc/{api}").exists()
        connection.sendall(body[10:])
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 201")
    playing.process.communicate(timeout=30)
    assert playing.process.returncode == 0
    assert playing.processes() == {}
    with EmbeddedStore(Settings(data_dir=tmp_path)) as server, connect(server.settings) as client:
        assert Store(client).version(created["id"]) == 2


@pytest.mark.serial
def test_a_launcher_that_is_killed_leaves_nothing_in_the_way(tmp_path: Path):
    first = Playing(tmp_path).start()
    game = first.new_game()
    first.process.kill()
    first.process.communicate()
    again = Playing(tmp_path, PORT=re.sub(".*:", "", first.url)).start()
    assert again.ask("GET", f"/api/v1/games/{game}")[0] == 200
    assert again.press_ctrl_c() == 0
    assert again.processes() == {}
