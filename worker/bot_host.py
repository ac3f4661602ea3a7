"""The process of a bot: `python -m worker.bot_host file.py:Class`.

It says "ready", then answers each line {"view", "actions", "time_left"} by a line {"action"}, all JSON.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

from ai.bot import Bot
from ai.ladder import BadLadder


def load_bot(spec: str) -> Bot:
    """A bot by "file.py:Class". Raises BadLadder."""
    path, _, name = spec.rpartition(":")
    if not Path(path).is_file():
        raise BadLadder(f"there is no file {path}")
    description = importlib.util.spec_from_file_location("bot", path)
    if description is None or description.loader is None:
        raise BadLadder(f"{path} is no Python file")
    module = importlib.util.module_from_spec(description)
    sys.modules["bot"] = module
    description.loader.exec_module(module)
    found = getattr(module, name, None)
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise BadLadder(f"{path} has no Bot of the name {name}")
    if inspect.isabstract(found):
        raise BadLadder(f"{name} does not say what to choose")
    return found()


def _answer_questions(spec: str) -> None:
    answers = os.fdopen(os.dup(1), "w")
    # What the bot prints goes where its complaints go.
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    try:
        bot = load_bot(spec)
    except BadLadder as problem:
        raise SystemExit(str(problem)) from None
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        bot.time_left = asked["time_left"]
        print(json.dumps({"action": bot.choose(asked["view"], asked["actions"])}), file=answers, flush=True)


if __name__ == "__main__":
    _answer_questions(sys.argv[1])
