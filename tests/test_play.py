"""`stem-branch play`, started and stopped as a person would."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import COMMAND, Playing, eventually


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
    said = refused(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:1/0")
    assert "REDIS_URL" in said
    assert "secret" not in said


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
def test_a_launcher_that_is_killed_leaves_nothing_in_the_way(tmp_path: Path):
    first = Playing(tmp_path).start()
    game = first.new_game()
    first.process.kill()
    first.process.communicate()
    again = Playing(tmp_path, PORT=re.sub(".*:", "", first.url)).start()
    assert again.ask("GET", f"/api/v1/games/{game}")[0] == 200
    assert again.press_ctrl_c() == 0
    assert again.processes() == {}
