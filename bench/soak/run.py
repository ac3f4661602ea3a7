"""One run: games, faults, and the verdict."""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.soak.faults import Fault, Trouble, schedule, unable
from bench.soak.stack import STORE, Stack
from bench.soak.tables import Lane
from bench.soak.verdict import LATE, all_games, calm_wait, game_faults, table_faults, waits_for_ais, whole_log
from worker import Store
from worker.store import DUE

TICK = 0.05
SETTLE = 120.0  # seconds for games of AIs alone to come to their end
EVENTS = ("turn_queued_again", "fallback_played", "turn_handed_back")


class Soak:
    """A run of so many seconds with so many games at a time; `seed` decides what befalls them, unless `plan`
    says it. After `run`, `faults` tells all that went wrong."""

    def __init__(self, seconds: float, games: int, seed: int, plan: Sequence[Fault] | None = None) -> None:
        self.seconds, self.games, self.seed = seconds, games, seed
        self.plan = schedule(seed, seconds) if plan is None else plan
        self.faults: list[str] = []
        self.figures: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        folder = Path(tempfile.mkdtemp(prefix="soak-"))
        print(f"{self.games} games, {self.seconds:.0f} s, SEED={self.seed}, everything in {folder}")
        for name, why in unable().items():
            print(f"Not made here: {name} ({why})")
        with Stack(folder, master_seconds=0.05, master_threads=1) as stack:
            stop = threading.Event()
            lanes = [Lane(number, self.seed, stack.url, stop) for number in range(self.games)]
            trouble = Trouble(stack)
            try:
                for lane in lanes:
                    lane.thread.start()
                self._storm(stack, trouble)
            finally:
                trouble.tend(all_of_them=True)
                stop.set()
            self._until(stack, trouble.tend, "what was killed does not come back")
            self._until(stack, lambda: not any(lane.thread.is_alive() for lane in lanes), "players hang")
            self._settle(stack)
            self._judge(stack, trouble, lanes)
        if not self.faults:
            shutil.rmtree(folder)
        return self.figures

    def verdict(self) -> str:
        told = self.figures
        if self.faults:
            return f"FAILED: {len(self.faults)} faults, SEED={self.seed}"
        return (
            f"Nothing lost: {told['acknowledged']} actions acknowledged in {told['games']} games under "
            f"{sum(told['made'].values())} faults; no AI was later than {told['longest_wait_s']:.1f} s"
        )

    def _storm(self, stack: Stack, trouble: Trouble) -> None:
        started = time.monotonic()
        coming = list(self.plan)
        while (now := time.monotonic() - started) < self.seconds:
            while coming and coming[0].at <= now:
                trouble.make(coming.pop(0))
            trouble.tend()
            stack.tend()
            time.sleep(TICK)

    def _settle(self, stack: Stack) -> None:
        """Until no AI is to move; then the server is killed once more, so that all is read from its files."""
        with stack.direct() as client:
            self._until(stack, lambda: not client.zcard(DUE), "games still wait for an AI")
        [pid] = stack.processes()[STORE]
        stack.signal(pid, signal.SIGKILL)
        self._until(stack, lambda: stack.server.pid not in (pid, None), "the store does not come back")
        self._until(stack, stack.ready, "the game does not come back")

    def _until(self, stack: Stack, condition: Callable[[], object], otherwise: str) -> None:
        deadline = time.monotonic() + SETTLE
        while not condition():
            if time.monotonic() > deadline:
                self.faults.append(otherwise)
                return
            stack.tend()
            time.sleep(TICK)

    def _judge(self, stack: Stack, trouble: Trouble, lanes: list[Lane]) -> None:
        tables = [table for lane in lanes for table in lane.tables]
        left = {table.id: table.left for table in tables}
        modes: Counter[str] = Counter()
        waits = []
        with stack.direct() as client:
            store = Store(client, stack.settings)
            ids = all_games(store)
            for id in ids:
                self.faults += game_faults(store, id)
                stored = store.read(id)
                modes[f"{stored.game.mode}, {len(stored.game.seats)}"] += 1
                waits += waits_for_ais(stored, whole_log(store, id), left.get(id, ()))
            for table in tables:
                if table.id in ids:
                    self.faults += table_faults(store, table)
                else:
                    self.faults.append(f"{table.id}: the game is lost")
        (stack.folder / "faults.json").write_text(
            json.dumps(list(zip(trouble.names, trouble.times, strict=True)))
        )
        calm = [calm_wait(wait, trouble.times) for wait in waits]
        self.faults += [f"an AI's move took {wait:.1f} s" for wait in calm if wait > LATE]
        self.faults += [fault for lane in lanes for fault in lane.faults]
        played = [told for table in tables for told in table.played]
        self.figures = {
            "seconds": self.seconds,
            "games_at_a_time": self.games,
            "seed": self.seed,
            "fsync": stack.settings.store_fsync,
            "made": dict(sorted(trouble.made.items())),
            "not_made": sorted(unable()),
            "games": len(ids),
            "games_by_mode": dict(sorted(modes.items())),
            "acknowledged": len(played),
            "taken_back": sum(told.undone for told in played),
            "sent_again": sum(lane.sent_again for lane in lanes),
            "ai_moves": len(waits),
            "longest_wait_s": round(max(calm, default=0.0), 2),
            "longest_wait_with_faults_s": round(max((end - start for start, end in waits), default=0.0), 2),
            "seen_and_lost": sum(lane.seen_and_lost for lane in lanes),
            "lost": len(self.faults),
            **{event: stack.logged(event) for event in EVENTS},
        }
