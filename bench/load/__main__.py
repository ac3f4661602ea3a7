"""Measures the game under load: `make load`, or `python -m bench.load`.

Starts the whole game on a folder and a port of its own. Compares polls with an empty view; opens 1,000 games,
each polled once a second by two clients, while people play 20 actions a second and computer players answer;
watches the memory of every process; weighs finished games. Prints a table, writes bench/load.json and the
part "Under load" of docs/reliability.md. Fails if a figure misses its limit.

The main part takes DURATION seconds (120), the others about three minutes. Nothing else should run.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from bench.load import actors, memory, pollers, report, stack
from engine import Game
from worker import Store, connect, set_up_logs

ROOT = Path(__file__).parents[2]
WARM_UP = 30.0  # seconds
AHEAD = 8.0  # seconds in which the clients get ready
ROUNDS = 5
# The tables, over and over again: co-operative or not, who sits there beside a person.
TABLES = (
    ("competitive", "beginner"),
    ("cooperative", "greedy"),
    ("cooperative", "beginner"),
    ("competitive", "greedy"),
)
SIZES_OF_EACH = 3


@click.command(help=__doc__)
@click.option(
    "--duration", envvar="DURATION", default=120.0, show_default=True, help="Seconds of the main part"
)
@click.option("--games", default=1000, show_default=True, help="Open games.")
@click.option("--actions", default=20.0, show_default=True, help="Actions of people a second.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=ROOT / "bench/load.json",
    help="The figures.",
)
@click.option(
    "--document",
    type=click.Path(dir_okay=False, path_type=Path),
    default=ROOT / "docs/reliability.md",
    help="The document that tells them.",
)
def main(duration: float, games: int, actions: float, out: Path, document: Path) -> None:
    stack.require_tools()
    set_up_logs("error")
    with stack.running() as running:
        visitor = stack.Visitor(running.url)
        click.echo("A poll beside an empty view …")
        figures = throughput(running, visitor, duration / 60)
        click.echo(f"{games} games …")
        store = Store(connect(running.settings), running.settings)
        visitor = stack.Visitor(running.url)
        seats = [stack.new_game(visitor, *TABLES[number % len(TABLES)]) for number in range(games)]
        figures |= under_load(running, store, seats, duration, actions)
        click.echo("Again, with all the games …")
        figures |= throughput_among(running, seats, duration / 60)
        click.echo("Finished games …")
        figures |= sizes(store)
        store.client.close()
    figures |= {"games": games, "actions": actions, "sizes_of_each": SIZES_OF_EACH}
    kept = report.tell(figures)
    report.write(figures, out, document)
    click.echo(f"Written to {out} and {document}")
    if not kept:
        raise SystemExit(1)


def throughput(running: stack.Stack, visitor: stack.Visitor, seconds: float) -> dict[str, Any]:
    """Requests a second: an empty view, polls of a new game, of one five actions on, of one at its end."""
    here = [stack.new_game(visitor, "cooperative") for _ in range(3)]
    for seat, most in zip(here, (0, 5, 1000), strict=True):
        advance(visitor, seat, most)
    polls = [stack.polls_of(visitor, [seat]) for seat in here]
    empty, *polled = rounds(
        partial(stack.requests_per_second, running.empty_url, seconds),
        *(partial(stack.requests_per_second, running.url, seconds, lines) for lines in polls),
    )
    return {
        "empty_view_per_s": statistics.median(empty),
        "poll_per_s": statistics.median(polled[0]),
        "poll_to_empty_view": paired(polled[0], empty),
        "poll_after_5_actions_to_new": paired(polled[1], polled[0]),
        "poll_at_the_end_to_new": paired(polled[2], polled[0]),
    }


def throughput_among(running: stack.Stack, seats: list[stack.Seat], seconds: float) -> dict[str, Any]:
    """Polls of one game, and of each of the many in turn."""
    lines = stack.polls_of(stack.Visitor(running.url), seats)
    one, many = rounds(
        partial(stack.requests_per_second, running.url, seconds, lines[:1]),
        partial(stack.requests_per_second, running.url, seconds, lines),
    )
    return {"poll_of_each_to_poll_of_one": paired(many, one)}


def rounds(*measures: Callable[[], float]) -> list[list[float]]:
    """Each measure's values, taken in turn and in alternating order, so that a drift touches all alike."""
    found: list[list[float]] = [[] for _ in measures]
    for number in range(ROUNDS):
        order = range(len(measures)) if number % 2 == 0 else reversed(range(len(measures)))
        for place in order:
            found[place].append(measures[place]())
    return found


def paired(these: list[float], those: list[float]) -> float:
    return statistics.median(this / that for this, that in zip(these, those, strict=True))


def advance(visitor: stack.Visitor, seat: stack.Seat, most: int) -> None:
    """Play a game of one on, by so many actions or to its end."""
    choose = random.Random(1)
    for _ in range(most):
        _, legal, _ = visitor.ask("GET", f"/games/{seat.id}/legal-actions", seat.token)
        if not legal["actions"]:
            return
        body = {"expected_version": legal["version"], "action": choose.choice(legal["actions"])}
        visitor.ask("POST", f"/games/{seat.id}/actions", seat.token, body)


def under_load(
    running: stack.Stack, store: Store, seats: list[stack.Seat], duration: float, rate: float
) -> dict[str, Any]:
    """The main part: the person of each game and a spectator poll it, some games are played."""
    start = time.monotonic() + AHEAD
    measure = start + WARM_UP
    end = measure + duration
    watched = [(seat.id, token) for seat in seats for token in (seat.token, "")]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as clients:
        polled = clients.submit(pollers.poll, running.url, watched, start, measure, end)
        acted = clients.submit(actors.play, running.url, seats, rate, start, measure, end)
        time.sleep(measure - time.monotonic())
        since = datetime.now(UTC)
        watch = memory.Watch(running.launcher)
        before = busy()
        watch.start()
        time.sleep(end - time.monotonic())
        watch.stop()
        cores = (busy() - before) / duration
        polls, played = polled.result(), acted.result()
    good = polls.statuses[200] + polls.statuses[304]
    fine = played.statuses[200] + played.statuses[201]
    used = {role: 0.0 for _, role in watch.seen}
    for (_, role), history in watch.seen.items():
        used[role] += (history.processor[-1] - history.processor[0]) / (history.times[-1] - history.times[0])
    share = duration / (AHEAD + WARM_UP + duration)
    used["clients"] = (polls.processor_seconds + played.processor_seconds) * share / duration
    return {
        "seconds": duration,
        "polls_per_s": len(polls.latencies) / duration,
        "poll_304_share": polls.statuses[304] / good,
        **latencies("poll", polls.latencies),
        "poll_errors": sum(polls.statuses.values()) - good + polls.unanswered,
        "actions_per_s": len(played.latencies) / duration,
        **latencies("action", played.latencies),
        "action_errors": sum(played.statuses.values()) - fine,
        "actions_without_a_table": played.late,
        "games_ended": played.finished,
        "poll_answers": {str(status): count for status, count in sorted(polls.statuses.items())},
        "other_answers": {str(status): count for status, count in sorted(played.statuses.items())},
        **answers(store, seats, since),
        "log_warnings": warnings(running.settings.data_dir / "play.log"),
        "processors": os.cpu_count(),
        "processors_used": cores,
        "processors_used_by": used,
        "processors_used_by_others": max(0.0, cores - sum(used.values())),
        "memory": report.growth(watch.seen),
    }


def busy() -> float:
    """Processor seconds of the whole machine so far."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq, *_ = map(int, words)
    return (user + nice + system + irq + softirq) / memory.TICKS


def latencies(name: str, seconds: Any) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=1000)
    figures = {"p50": cuts[499], "p99": cuts[989], "p999": cuts[998], "worst": max(seconds)}
    return {f"{name}_{figure}_ms": 1000 * value for figure, value in figures.items()}


def warnings(log: Path) -> dict[str, int]:
    """What the game's processes warned of in the main part and before, and how often."""
    told = (json.loads(line) for line in log.read_text().splitlines() if line.startswith("{"))
    return dict(Counter(line["event"] for line in told if line["level"] not in ("info", "debug")))


def answers(store: Store, seats: list[stack.Seat], since: datetime) -> dict[str, Any]:
    """How soon after the action before it each action of a computer player was in the store."""
    waits = []
    for seat in seats:
        entries = store.log(seat.id, limit=10_000)
        waits += [
            (entry.at - before.at).total_seconds()
            for before, entry in pairwise(entries)
            if entry.seat != 0 and before.at > since
        ]
    return {"ai_actions": len(waits), **latencies("ai_action", waits)}


def sizes(store: Store) -> dict[str, Any]:
    """Bytes of finished games in the store, all their keys together: the largest of each kind."""
    found = {}
    for mode, most in (("competitive", 4), ("cooperative", 4)):
        for players in range(1 if mode == "cooperative" else 2, most + 1):
            games = [finished(store, mode, players, seed) for seed in range(SIZES_OF_EACH)]
            found[f"{mode}, {players}"] = max(size(store, id) for id in games)
    return {"finished_game_bytes": found, "finished_game_bytes_most": max(found.values())}


def finished(store: Store, mode: str, players: int, seed: int) -> str:
    """A game of people, played to its end with a key for each action as the page does: its id."""
    seats = [{"name": f"Người chơi thứ {seat + 1}", "player": "human"} for seat in range(players)]
    id = store.create(Game.new(mode, seats, seed=seed), public=True).id
    choose = random.Random(seed)
    while not (stored := store.read(id)).game.over:
        seat, legal = stored.game.seat_to_act, stored.game.legal_actions()
        assert seat is not None
        key = f"a key as long as a UUID is {stored.version:010}"
        store.act(id, seat, choose.choice(legal), stored.version, key=key)
    return id


def size(store: Store, id: str) -> int:
    keys = store.client.keys(f"sb:game:{id}*")
    return sum(store.client.memory_usage(key, samples=0) for key in keys)


if __name__ == "__main__":
    main()
