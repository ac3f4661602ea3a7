"""Bots: other people's Python, each in a process of its own (bot_host) that may crash, hang or lie."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, cast

from ai.ladder import BadLadder, Entrant, Forfeit, Ladder
from engine import Action, Game
from worker.log import logger
from worker.supervisor import end_with_parent

START_SECONDS = 30.0  # to import what it likes
ANSWER_SECONDS = 5.0  # for an action, where the ladder gives no other time
GRACE_SECONDS = 0.5  # beyond that time, for the way there and back
LONGEST_LINE = 1 << 20
LONGEST_SAID = 1_000  # letters of a line that a bot prints that come into the log


class BotProcess:
    """A running bot: `choose` is an `ai.ladder.Chooser`. It is started anew after a fault."""

    def __init__(self, spec: str, seconds: float | None = None) -> None:
        """Starts it. Raises BadLadder if the file or the class is missing, or it does not start."""
        self.spec = spec
        self.seconds = ANSWER_SECONDS if seconds is None else seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._listener: threading.Thread | None = None
        self._last_words = ""
        try:
            self._start()
        except Forfeit as fault:
            raise BadLadder(f"The bot {spec} does not start: {fault.reason}") from fault

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def choose(self, game: Game, seat: int, seed: int) -> Action:
        """What the bot answers. Raises Forfeit; whether the action is legal is for the game to say."""
        if self._process is None:
            self._start()
        view = {"viewer": seat, **game.settings, **game.view(seat)}
        question = {"view": view, "actions": game.legal_actions(), "time_left": self.seconds}
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
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                cast(Any, pipe).close()
        process.wait()
        if self._listener is not None:
            # A process that left the bot's group may hold the pipe open.
            self._listener.join(timeout=1.0)

    def _start(self) -> None:
        command = [sys.executable, "-P", "-m", "worker.bot_host", self.spec]
        self._process = subprocess.Popen(  # noqa: S603 - running what the ladder's owner named is its purpose
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        self._last_words = ""
        self._listener = threading.Thread(
            target=self._listen, args=(cast(Any, self._process.stderr),), daemon=True
        )
        self._listener.start()
        self._ask(b"", START_SECONDS)

    def _ask(self, line: bytes, patience: float) -> bytes:
        """Writes a line and reads one. Raises Forfeit, and ends the process, if there is none."""
        process = cast(Any, self._process)
        try:
            process.stdin.write(line)
            process.stdin.flush()
            return self._line(process.stdout.fileno(), time.monotonic() + patience)
        except BrokenPipeError:
            raise self._crashed() from None
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
                raise self._crashed()
            read += part
            if len(read) > LONGEST_LINE:
                raise Forfeit("illegal", "it answered without end")
        return read

    def _crashed(self) -> Forfeit:
        self.close()
        return Forfeit("crashed", self._last_words[:300] or "it ended")

    def _listen(self, said: IO[bytes]) -> None:
        """Puts what the bot prints into the log, a line each."""
        with said:
            while line := said.readline(4 * LONGEST_SAID):
                text = line.decode(errors="replace").rstrip()
                if text:
                    self._last_words = text.strip()
                    logger().info("bot_said", bot=self.spec, line=text[:LONGEST_SAID])


def bot_digests(ladder: Ladder) -> dict[str, str]:
    """`bot_digest` of each bot, by the bot. Raises BadLadder."""
    return {entrant.player: bot_digest(entrant) for entrant in ladder.entrants if entrant.is_bot}


def bot_digest(bot: Entrant) -> str:
    """The SHA-256 of a bot's file. Raises BadLadder."""
    try:
        return hashlib.sha256(Path(bot.player.rpartition(":")[0]).read_bytes()).hexdigest()
    except OSError as problem:
        raise BadLadder(f"The file of the bot {bot.player} cannot be read: {problem.strerror}.") from problem


def check_bots(ladder: Ladder) -> None:
    """Raises BadLadder for a bot that is missing or does not start."""
    for entrant in ladder.entrants:
        if entrant.is_bot:
            with BotProcess(entrant.player):
                pass
