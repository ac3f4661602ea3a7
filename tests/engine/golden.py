"""Golden counts of legal action sequences, as chess engines keep them, for games played long ago.

`python -m tests.engine.golden` plays the games and counts anew by the reference alone and writes golden.json.
Only a change of the rules is a reason to do so; a count that an engine misses is not.

Each entry is a whole record and, for some numbers of its first actions, how many sequences of 1, 2 … legal
actions there are from there.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.engine.deals import choose, deal
from tests.engine.reference import Reference

Json = dict[str, Any]

FILE = Path(__file__).with_name("golden.json")
BOARDS = Path(__file__).parents[2] / "engine" / "boards"

GAMES: list[tuple[int, str, int, str, Json | None, str]] = [
    (101, "competitive", 2, "scroll", None, "summoner"),
    (102, "competitive", 3, "scroll", None, "even"),
    (103, "competitive", 4, "terraces", None, "summoner"),
    (104, "cooperative", 1, "scroll", None, "summoner"),
    (105, "cooperative", 2, "terraces", {"hands": "closed", "scoring": "family"}, "even"),
    (106, "cooperative", 3, "scroll", {"element_tokens": False}, "summoner"),
    (107, "cooperative", 4, "terraces", {"move": "any"}, "summoner"),
    (108, "cooperative", 1, "scroll", {"move": "any", "element_tokens": False}, "summoner"),
]
PLIES = (0, 1, 10, 25, 40, 55, 70)
MOST_SEQUENCES = 3_000  # a deeper count is left out
DEEPEST = 3


def main() -> None:
    entries = [entry(*game) for game in GAMES]
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in entries) + "\n]\n", "utf-8")


def entry(seed: int, mode: str, seats: int, board: str, options: Json | None, taste: str) -> Json:
    record = deal(seed, mode, seats, board_of(board), options)
    table, chance = Reference(record), random.Random(seed)
    counts: dict[str, list[int]] = {}
    while not table.over:
        if len(record["actions"]) in PLIES:
            counts[str(len(record["actions"]))] = counted(table)
        action = choose(table.legal_actions(), chance, taste)
        table.apply(action)
        record["actions"].append(action)
    record["result"] = table.result
    return {"record": record, "counts": counts}


def board_of(name: str) -> Json:
    """The board as records hold it, from its data file."""
    board: Json = json.loads((BOARDS / f"{name}.json").read_text("utf-8"))
    return {key: board[key] for key in ("name", "vines", "token_spaces")}


def counted(table: Reference) -> list[int]:
    counts = [table.perft(1)]
    while len(counts) < DEEPEST:
        # Each further action multiplies about as much as the last one did.
        if counts[-1] * counts[0] > MOST_SEQUENCES:
            break
        counts.append(table.perft(len(counts) + 1))
    return counts


if __name__ == "__main__":
    main()
