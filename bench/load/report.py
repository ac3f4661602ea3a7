"""The figures as a table, as JSON, and as a part of a document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.load.memory import History, slope

MEBIBYTE = 1 << 20
# What a process may grow by in an hour, in MiB. The store keeps what is played.
GROWTH = {"store": 60.0, "API": 30.0, "worker (moves)": 30.0, "worker (advice)": 30.0}
OTHERS_GROWTH = 10.0

BEGIN, END = "<!-- make load -->", "<!-- end -->"
TEXT = """
{games:,} open games, each polled once a second by two clients, while people play {actions:g} actions a
second and computer players (*beginner* and *greedy*) answer: {seconds:.0f} seconds after a warm-up. All of
it, the clients too, shared {processors} processors; {processors_used:.2f} of them were busy,
{processors_used_by_others:.2f} with other programs.

| | measured | promised |
|---|---|---|
{checks}

Latencies count from the moment for which a request was planned, so a server or a client that falls behind
cannot hide it. Half of the polls were answered within {poll_p50_ms:.1f} ms, {poll_304_share:.1%} of them
with 304; half of the actions within {action_p50_ms:.1f} ms. Of the computer's {ai_actions:,} actions half
followed what went before within {ai_action_p50_ms:.0f} ms, and 99 % within {ai_action_p99_ms:.0f} ms. Beside
the empty view of a bare Flask application ({empty_view_per_s:,.0f} requests a second) the server answers one
kind of request alone, as many as it can ({poll_per_s:,.0f} polls a second). Growth is the median slope of a
process's memory, sampled once a second, with its 95 % interval (Theil and Sen).

What a finished game takes in the store, the largest of {sizes_of_each} of each kind, played by people who
send a key with each action:

| game and players | size |
|---|---|
{sizes}
"""


def growth(seen: Mapping[tuple[int, str], History]) -> list[dict[str, Any]]:
    """Each process's memory in MiB, and its growth in MiB an hour with the bounds of its interval."""
    found = []
    for (_, role), history in sorted(seen.items(), key=lambda item: item[0][1]):
        steep = slope(history.times, [size / MEBIBYTE for size in history.sizes])
        low, middle, high = (3600 * bound for bound in (steep.low, steep.middle, steep.high))
        size = history.sizes[-1] / MEBIBYTE
        found.append({"role": role, "mib": size, "low": low, "mib_per_hour": middle, "high": high})
    return found


def checks(figures: dict[str, Any]) -> Iterator[tuple[str, str, str, bool]]:
    """What is promised: its name, what was measured, the limit, and whether it is kept."""

    def at_most(name: str, figure: float, limit: float, unit: str = "") -> tuple[str, str, str, bool]:
        return name, f"{figure:,.4g}{unit}", f"≤ {limit:,g}{unit}", figure <= limit

    def at_least(name: str, figure: float, limit: float) -> tuple[str, str, str, bool]:
        return name, f"{figure:,.4g}", f"≥ {limit:,g}", figure >= limit

    games = figures["games"]
    yield at_least("polls a second", figures["polls_per_s"], 0.999 * 2 * games)
    yield at_most("poll, 99th percentile", figures["poll_p99_ms"], 50, " ms")
    yield at_least("actions of people a second", figures["actions_per_s"], 0.99 * figures["actions"])
    yield at_most("action, 99th percentile", figures["action_p99_ms"], 100, " ms")
    yield at_most("errors", figures["poll_errors"] + figures["action_errors"], 0)
    yield at_most("computer's turns that got lost", figures["log_warnings"].get("turn_queued_again", 0), 0)
    yield at_least("polls a second, to those of an empty view", figures["poll_to_empty_view"], 0.5)
    for name, what in (
        ("poll_after_5_actions_to_new", "five actions on, to a new game"),
        ("poll_at_the_end_to_new", "at a game's end, to a new game"),
        ("poll_of_each_to_poll_of_one", f"of each of {games:,} games, to one game"),
    ):
        yield at_least(f"polls a second {what}", figures[name], 0.9)
    yield at_most("largest finished game", figures["finished_game_bytes_most"] / 1024, 16, " KiB")
    for process in figures["memory"]:
        role, grown = process["role"], process["mib_per_hour"]
        limit = GROWTH.get(role, OTHERS_GROWTH)
        said = f"{grown:+.1f} ({process['low']:+.1f} to {process['high']:+.1f}) MiB/h"
        yield f"growth of {role}, now {process['mib']:.0f} MiB", said, f"≤ {limit:g} MiB/h", grown <= limit


def tell(figures: dict[str, Any]) -> bool:
    """Print the figures; whether all that is promised is kept."""
    all_kept = True
    for name, said, limit, kept in checks(figures):
        all_kept &= kept
        print(f"  {name:<52} {said:>32}  {limit:<12} {'' if kept else 'MISSED'}")
    for name, figure in flat(figures):
        print(f"  {name:<52} {figure:>32,.4g}")
    return all_kept


def flat(figures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, figure in figures.items():
        if isinstance(figure, dict):
            yield from ((f"{name}: {key}", inner) for key, inner in figure.items())
        elif not isinstance(figure, list):
            yield name, figure


def write(figures: dict[str, Any], out: Path, document: Path) -> None:
    """Write the figures to `out`, and what they say to its place in the document."""
    out.write_text(json.dumps(figures, indent=2) + "\n")
    before, _, rest = document.read_text().partition(BEGIN)
    document.write_text(before + BEGIN + section(figures) + END + rest.partition(END)[2])


def section(figures: dict[str, Any]) -> str:
    """The figures in words and tables."""
    missed = {True: "", False: " (**missed**)"}
    rows = (f"| {name} | {said} | {limit}{missed[kept]} |" for name, said, limit, kept in checks(figures))
    sizes = (f"| {kind} | {size / 1024:.1f} KiB |" for kind, size in figures["finished_game_bytes"].items())
    return TEXT.format(**figures | {"checks": "\n".join(rows), "sizes": "\n".join(sizes)})
