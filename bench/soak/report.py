"""The figures of a run, as a file and as a table in the document."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "soak.json"
DOCUMENT = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- make soak -->\n", "<!-- end -->\n"

KINDS = {
    "kill -9": "killed (`kill -9`)",
    "SIGTERM": "stopped and started again (`SIGTERM`)",
    "pause": "paused (`SIGSTOP`) for 0.5 to 3 s",
    "cut": "every connection reset",
    "refuse": "connections refused for 0.5 to 3 s",
    "stall": "connections silent for 0.5 to 3 s",
    "delay": "each packet up to 0.3 s late, for 0.5 to 3 s",
    "lose answers": "three answers of ten lost, for 0.5 to 3 s",
    "disk full": "the store's disk full for 0.5 to 3 s",
    "disk full, then kill -9": "the store's disk full, and then its server killed",
    "file rewritten": "the store's file written anew meanwhile",
}


def write_report(figures: dict[str, Any]) -> None:
    """Keep the figures, and put their table into the document."""
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    DOCUMENT.write_text(before + BEGIN + table(figures) + END + rest.partition(END)[2])


def table(figures: dict[str, Any]) -> str:
    """What the document says of a run."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for name, count in figures["made"].items():
        kind, _, target = name.partition(": ")
        by_kind[kind].append(f"{target} {count}" if target else str(count))
    run = "{seconds:.0f} s with {games_at_a_time} games at a time, `SEED={seed}`, `STORE_FSYNC={fsync}`:"
    rows = (
        "games, actions of the computer in them | {games}, {ai_moves}",
        "people's actions acknowledged, of these taken back | {acknowledged}, {taken_back}",
        "requests sent again | {sent_again}",
        "**acknowledged and lost, twice, or not as recorded** | **{lost}**",
        "seen by a poll and gone after a crash | {seen_and_lost}",
        "longest wait for the computer while all was well | {longest_wait_s:.1f} s",
        "the same with the faults in it | {longest_wait_with_faults_s:.1f} s",
        "turns queued again, played by the fallback | {turn_queued_again}, {fallback_played}",
        "games played twice, with other hidden cards; answers compared byte by byte | "
        "{hidden_games}, {hidden_compared}",
        "**answers that told something hidden** | **{told}**",
    )
    lines = [
        run.format(**figures),
        "",
        "| | |",
        "|---|---|",
        *(f"| {words} | {', '.join(by_kind[kind])} |" for kind, words in KINDS.items() if kind in by_kind),
        *(f"| not made on this system | {name} |" for name in figures["not_made"]),
        *(f"| {row} |".format(**figures) for row in rows),
    ]
    return "\n".join(lines) + "\n"
