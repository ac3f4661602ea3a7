"""Bots: other people's Python, each in a process of its own (bot_host) that may crash, hang or lie."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from typing import IO, Any, cast

from ai.ladder import BadLadder, Forfeit, Ladder
from engine import Action, Game
from worker.supervisor import end_with_parent

START_SECONDS = 30.0  # to import what it likes
ANSWER_SECONDS = 5.0  # for an action, where the ladder gives no other time
GRACE_SECONDS = 0.5  # beyond that time, for the way there and back
LONGEST_LINE = 1 << 20


class BotProcess:
    """A running bot: `choose` is an `ai.ladder.Chooser`. It is started anew after a fault."""

    def __init__(self, spec: str, seconds: float | None = None) -> None:
        """Starts it. Raises BadLadder if the file or the class is missing, or it does not start."""
        self.spec = spec
        self.seconds = ANSWER_SECONDS if seconds is None else seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        try:
            self._start()
        except Forfeit as fault:
            self._complaints.close()
            raise BadLadder(f"The bot {spec} does not start: {fault.reason}") from fault

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._complaints.close()

    def choose(self, game: Game, seat: int, seed: int) -> Action:
        """What the bot answers. Raises Forfeit; whether the action is legal is for the game to say."""
        if self._process is None:
            self._start()
        question = {"view": game.view(seat), "actions": game.legal_actions(), "time_left": self.seconds}
        answer = self._ask(json.dumps(question).encode() + b"\n", self.seconds + GRACE_SECONDS)
        try:
            action = json.loads(answer)["action"]
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise Forfeit("illegal", "what it answered is no action") from problem
        if not isinstance(action, dict):
            raise Forfeit("illegal", f"it chose {json.dumps(action)[:100]}")
        return action

    def close(self) -> None:
        """Ends it and whatever it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.communicate()

    def _start(self) -> None:
        command = [sys.executable, "-P", "-m", "worker.bot_host", self.spec]
        self._process = subprocess.Popen(  # noqa: S603 - running what the ladder's owner named is its purpose
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        self._ask(b"", START_SECONDS)

    def _ask(self, line: bytes, patience: float) -> bytes:
        """Writes a line and reads one. Raises Forfeit, and ends the process, if there is none."""
        process = cast(Any, self._process)
        try:
            process.stdin.write(line)
            process.stdin.flush()
            return self._line(process.stdout.fileno(), time.monotonic() + patience)
        except BrokenPipeError:
            raise Forfeit("crashed", self._last_words()) from None
        except Forfeit:
            self.close()
            raise

    def _line(self, output: int, deadline: float) -> bytes:
        read = b""
        while not read.endswith(b"\n"):
            ready, _, _ = select.select([output], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                raise Forfeit("silent", "it did not answer in time")
            part = os.read(output, 65536)
            if not part:
                raise Forfeit("crashed", self._last_words())
            read += part
            if len(read) > LONGEST_LINE:
                raise Forfeit("illegal", "it answered without end")
        return read

    def _last_words(self) -> str:
        self.close()
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "it ended"


def check_bots(ladder: Ladder) -> None:
    """Raises BadLadder for a bot that is missing or does not start."""
    for entrant in ladder.entrants:
        if entrant.is_bot:
            with BotProcess(entrant.player):
                pass
