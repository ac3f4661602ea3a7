"""`stem-branch ladder`: players against each other, on this machine's workers or on all that share a store.

Everything that has been played is in the folder given with --out; the store only carries matches to workers.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from ai.ladder import BadLadder, Ladder, Played, check_ladder, schedule
from ai.ratings import Sprt
from api.standings import Standings, pairing, shown, standings, write_files
from worker import (
    EmbeddedStore,
    LadderBoard,
    Process,
    Settings,
    Supervisor,
    bot_digests,
    check_bots,
    connect,
    ladder_from_json,
    ladder_json,
    played_from_json,
    require_store,
)

LOOK = 0.25  # seconds between two looks at what has come in
REDRAW = 2.0  # seconds between two tables

Json = dict[str, Any]


class LadderFolder:
    """A ladder's folder: ladder.json says what it is, matches.jsonl holds a line for every match played."""

    def __init__(self, folder: Path, ladder: Ladder) -> None:
        """A new folder, or one of the same ladder, which may now ask for more games; it is this process's
        alone until `close`. Raises BadLadder."""
        self.ladder = ladder
        self.folder = folder
        self.matches = folder / "matches.jsonl"
        settings = folder / "ladder.json"
        self.bots = bot_digests(ladder)
        try:
            self.id = _kept_id(settings, ladder, self.bots) if settings.exists() else secrets.token_hex(6)
            if not settings.exists() and folder.exists() and any(folder.iterdir()):
                raise BadLadder(f"{folder} is not empty, and holds no ladder.")
            folder.mkdir(parents=True, exist_ok=True)
            self._held = settings.open("a")
        except OSError as problem:
            raise BadLadder(f"{folder} cannot be used: {problem.strerror}.") from problem
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise BadLadder(f"The ladder in {folder} is being played by another process.") from None
        settings.write_text(
            json.dumps({"id": self.id, "bots": self.bots, **ladder_json(ladder)}, indent=1) + "\n"
        )

    def close(self) -> None:
        """Lets others have the folder."""
        self._held.close()

    def read(self) -> dict[int, list[Played]]:
        """The matches played so far. A line that was cut off by a crash is left out, and played again."""
        found: dict[int, list[Played]] = {}
        if not self.matches.exists():
            return found
        text = self.matches.read_text()
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self.matches.write_text(whole)
        for line in whole.splitlines():
            match = json.loads(line)
            found[match["index"]] = [played_from_json(game) for game in match["games"]]
        return found

    def add(self, index: int, games: list[Json]) -> None:
        """Keeps a match, so that a crash cannot take it."""
        with self.matches.open("a") as file:
            file.write(json.dumps({"index": index, "games": games}, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _kept_id(settings: Path, ladder: Ladder, bots: dict[str, str]) -> str:
    """The id of the ladder kept there, which must be the same but for `games`. Raises BadLadder."""
    folder = settings.parent
    try:
        kept = json.loads(settings.read_text())
        id, kept_bots = str(kept.pop("id")), kept.pop("bots", bots)
        before = ladder_from_json(kept)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise BadLadder(f"{folder} has no ladder.json that can be read.") from None
    if replace(before, games=ladder.games) != ladder:
        raise BadLadder(f"{folder} holds another ladder: other players, seats, seed or options.")
    for spec, digest in bots.items():
        if kept_bots.get(spec) != digest:
            raise BadLadder(
                f"{spec} has changed since that ladder began: begin another one, with a new --out."
            )
    return id


def run_ladder(
    ladder: Ladder, out: Path, workers: int, sprt: Sprt | None, settings: Settings, console: Console
) -> int:
    """Plays what is missing, shows how it stands, and writes the files; the exit status.

    Ctrl-C lets the matches under way be finished, a second one drops them. Raises BadLadder before anything
    is made, and the store's errors.
    """
    check_ladder(ladder)
    if sprt is not None and (len(ladder.entrants) != 2 or ladder.mode != "competitive" or ladder.seats != 2):
        raise BadLadder("A sequential test is between two players at two seats.")
    if workers == 0 and not settings.redis_url:
        raise BadLadder("Without workers here, REDIS_URL says whose workers play.")
    check_bots(ladder)
    if settings.redis_url:
        require_store(settings)
    folder = LadderFolder(out, ladder)
    played = folder.read()
    wanted = {match.index for match in schedule(ladder)}
    stopping = _stopping_signals(console)
    with stopping as asked, _at_work(settings, out, workers) as (board_settings, supervisor):
        board = LadderBoard(connect(board_settings), folder.id, ladder, bots=folder.bots)
        board.try_again()
        verdict = None
        with _shown(console, ladder, len(wanted)) as show:
            while (left := wanted - played.keys()) and verdict is None and asked["times"] < 2:
                supervisor.tend()
                for index, games in sorted(board.results(set(played)).items()):
                    folder.add(index, games)
                    played[index] = [played_from_json(game) for game in games]
                if asked["times"] == 0:
                    board.give_out(set(played))
                else:
                    board.take_back()
                    if not board.under_way():
                        break
                verdict = sprt and sprt.verdict(first_scores(in_order(played)))
                show(played, sprt)
                if left:
                    time.sleep(LOOK)
        finished = verdict is not None or not wanted - played.keys()
        board.take_back()
        if finished:
            board.forget()
    matches = in_order(played)
    if not matches:
        console.print("Nothing has been played yet.")
        return 130
    console.print(standings_table(standings(ladder, matches)))
    if ladder.mode == "competitive":
        console.print(pairings_table(standings(ladder, matches)))
    if sprt is not None:
        told = {
            "stronger": f"stronger by {sprt.elo1:g} Elo",
            "not stronger": f"not stronger than by {sprt.elo0:g} Elo",
        }
        name = as_text(ladder.entrants[0].name)
        console.print(name + f" is {told[verdict]}." if verdict else "The test is still open.")
    for file in write_files(out, ladder, matches):
        console.print(f"Written: {file}", soft_wrap=True)
    if not finished:
        console.print("The same command goes on from here.")
    return 0 if finished else 130


def read_options(given: Sequence[str]) -> Json:
    """Options of co-operative games as "name=value". Raises BadLadder."""
    values = {"true": True, "false": False}
    options = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadLadder(f"{text!r} is no option: give one as name=value.")
        options[name] = values.get(value, value)
    return options


def read_sprt(text: str | None) -> Sprt | None:
    """The two bounds of a sequential test as "0,20". Raises BadLadder."""
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadLadder(f"{text!r}: a test has two bounds in Elo, such as 0,20.") from None
    if not low < high:
        raise BadLadder("The first bound of a test is below the second.")
    return Sprt(low, high)


def in_order(played: dict[int, list[Played]]) -> list[list[Played]]:
    return [played[index] for index in sorted(played)]


def first_scores(matches: list[list[Played]]) -> list[float]:
    """The first entrant's mean score in each match: what a sequential test looks at."""
    return [sum(game.shares[game.seats.index(0)] for game in games) / len(games) for games in matches]


@contextlib.contextmanager
def _at_work(settings: Settings, out: Path, workers: int) -> Iterator[tuple[Settings, Supervisor]]:
    """A store and workers for ladders: of this machine, beside those of others that share REDIS_URL."""
    supervisor = Supervisor()
    with contextlib.ExitStack() as stack:
        if not settings.redis_url:
            store = stack.enter_context(EmbeddedStore(replace(settings, data_dir=out.absolute() / "store")))
            settings = replace(settings, redis_url=store.url)
        environment = {**os.environ, **settings.to_env()}
        command = [sys.executable, "-P", "-m", "api.cli", "worker", "--queue", "ladders"]
        for number in range(1, workers + 1):
            supervisor.add(Process(f"ladder worker {number}", command, environment, out / "workers.log"))
        try:
            yield settings, supervisor
        finally:
            supervisor.stop()


@contextlib.contextmanager
def _stopping_signals(console: Console) -> Iterator[dict[str, int]]:
    asked = {"times": 0}

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        asked["times"] += 1
        if asked["times"] == 1:
            console.print("Finishing the matches under way; Ctrl-C again drops them.")

    before = [(number, signal.signal(number, on_signal)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield asked
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextlib.contextmanager
def _shown(console: Console, ladder: Ladder, matches: int) -> Iterator[Any]:
    """Progress, time left, and the standings as they are."""
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(), console=console,
    )  # fmt: skip
    task = progress.add_task("matches", total=matches)
    drawn = {"at": 0.0, "count": -1}

    with Live(progress, console=console, refresh_per_second=4, transient=True) as live:

        def show(played: dict[int, list[Played]], sprt: Sprt | None) -> None:
            progress.update(task, completed=len(played))
            now = time.monotonic()
            if not played or drawn["count"] == len(played) or now - drawn["at"] < REDRAW:
                return
            drawn["at"], drawn["count"] = now, len(played)
            matches = in_order(played)
            grid = Table.grid()
            grid.add_row(progress)
            grid.add_row(standings_table(standings(ladder, matches)))
            if sprt is not None:
                ratio = sprt.ratio(first_scores(matches))
                grid.add_row(f"Log-likelihood ratio {ratio:+.2f}; ±{sprt.bound:.2f} decides.")
            live.update(grid)

        yield show


def as_text(name: str) -> Text:
    """A name for the terminal: neither rich's markup nor the terminal's own commands in it are obeyed."""
    return Text("".join(letter if letter.isprintable() else "�" for letter in name))


def standings_table(table: Standings) -> Table:
    # In co-op the rating is the mean score, and nobody wins against anybody.
    won = [] if table.cooperative else ["won", "mean"]
    shown_table = Table("player", f"{table.method} (95 %)", "games", *won, "s an action", "errors")
    for line in table.lines:
        faults = ", ".join(f"{count} {fault}" for fault, count in line.faults.items() if count)
        wins = [] if table.cooperative else [f"{line.wins:.1f}", f"{line.mean:.3f}"]
        shown_table.add_row(
            as_text(line.name), shown(line.rating), str(line.games), *wins,
            f"{line.seconds_per_action:.3f}", faults or "0",
        )  # fmt: skip
    return shown_table


def pairings_table(table: Standings) -> Table:
    names = [line.name for line in table.lines]
    grid = Table("won of games against")
    for name in names:
        grid.add_column(as_text(name))
    for mine in names:
        grid.add_row(as_text(mine), *(pairing(table, mine, theirs) for theirs in names))
    return grid
