"""Teaching a network: rounds of self-play, each followed by learning from all that was played lately.

Needs the extra `train`. Everything is kept in a folder, so that a training that was interrupted goes on. The
first round's games are searched with rollouts, the others' with the network of the round before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from ai.learning import gather, learn
from ai.network import blank, load, save
from ai.search import HEURISTIC, NETWORK, Tuning
from ai.selfplay import play_lessons

SHARD = 100  # games in one file
WINDOW = 3  # so many rounds' games are learned from
Say = Callable[[str, int, int], None]  # what is being done, how much of it is done, and of how much
Json = dict[str, Any]


class OtherPlan(ValueError):
    """The folder holds a training that was begun with another plan."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a network is taught. The same plan gives the same games and, on one kind of machine, the same
    network."""

    mode: str
    rounds: int = 4
    games: int = 6_000  # a round; a sixth of them in the first, since rollouts take longer
    iterations: int = 200  # a step of an action, on average
    epochs: int = 6
    seed: int = 1


def train(
    plan: Plan, folder: Path, processes: int, say: Say, begin: Callable[[], None] | None = None
) -> list[Json]:
    """Teaches a network by a plan, or goes on with one: `folder` then holds network.npz. Raises OtherPlan.

    `begin` is called in every process that plays. Returns of each round the learning curve and the
    reliability, as `ai.learning.learn` gives them.
    """
    _keep_plan(plan, folder)
    rounds = [folder / f"round-{number}" for number in range(plan.rounds)]
    for number, here in enumerate(rounds):
        title = f"round {number + 1} of {plan.rounds}"
        teacher = rounds[number - 1] / "network.npz" if number else None
        _play_round(plan, number, here, teacher, processes, partial(say, f"{title}: playing"), begin)
        if not (here / "network.npz").exists():
            recent = rounds[max(0, number + 1 - WINDOW) : number + 1]
            examples = gather([file for each in recent for file in sorted(each.glob("games-*.npz"))])
            network, curve, reliability = learn(
                examples,
                plan.mode == "cooperative",
                plan.epochs,
                plan.seed + number,
                partial(say, f"{title}: learning"),
            )
            (here / "report.json").write_text(json.dumps({"curve": curve, "reliability": reliability}))
            save(network, here / "network.npz")
    save(load(rounds[-1] / "network.npz"), folder / "network.npz")
    return [json.loads((here / "report.json").read_text()) for here in rounds]


def _keep_plan(plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "plan.json"
    if file.exists() and json.loads(file.read_text()) != asdict(plan):
        raise OtherPlan(f"{folder} holds a training with another plan: {file.read_text()}")
    file.write_text(json.dumps(asdict(plan)))


def _play_round(
    plan: Plan,
    number: int,
    here: Path,
    teacher: Path | None,
    processes: int,
    say: Callable[[int, int], None],
    begin: Callable[[], None] | None,
) -> None:
    """Plays the games of a round that are not there yet."""
    here.mkdir(exist_ok=True)
    games = plan.games if teacher else plan.games // 6
    files = [here / f"games-{shard:04}.npz" for shard in range(-(-games // SHARD))]
    missing = [(shard, file) for shard, file in enumerate(files) if not file.exists()]
    say(len(files) - len(missing), len(files))
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin) as pool:
        runs = [
            pool.submit(_play_shard, plan, (plan.seed * 1_000 + number) * 10_000 + shard, teacher, file)
            for shard, file in missing
        ]
        try:
            for done, run in enumerate(as_completed(runs), len(files) - len(missing) + 1):
                run.result()
                say(done, len(files))
        except BaseException:
            # Whoever stops it does not wait for games that have not begun.
            pool.shutdown(cancel_futures=True)
            raise


def _play_shard(plan: Plan, seed: int, teacher: Path | None, file: Path) -> None:
    """Plays the games of one file, which is there at once or not at all."""
    tuning = Tuning(rollout=HEURISTIC if teacher is None else NETWORK)
    network = blank() if teacher is None else load(teacher)
    lessons = play_lessons(plan.mode, seed, SHARD, plan.iterations, tuning, network)
    new = file.with_suffix(".new")
    with new.open("wb") as out:
        np.savez_compressed(out, allow_pickle=False, **lessons._asdict())
    new.replace(file)
