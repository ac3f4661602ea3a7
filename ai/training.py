"""Teaching a network: rounds of self-play, each followed by learning from all that was played lately.

Needs the extra `train`. Everything is kept in a folder, so that a training that was interrupted goes on. The
first round's games are searched with rollouts, the others' with the network of the round before. The last
networks for competitive games learn from leaves: positions that a search might judge, themselves judged by
rollouts and then by searches with the network that these have taught. For co-op they don't: there rollouts
bring far less than the search does.
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

from ai.learning import GAMES_DECAY, LEAVES_DECAY, gather, learn, read_lessons, reliability
from ai.leaves import leaf_lessons
from ai.network import blank, load, save
from ai.search import HEURISTIC, LEARNED, NETWORK, Tuning
from ai.selfplay import DARING, Lessons, play_lessons

SHARD = 100  # games in one file
WINDOW = 3  # so many rounds' games are learned from
LEAF_WINDOW = 2  # so many rounds' games have leaves
LEAF_EPOCHS = 5
LEAF_STAGES = ("leaves", "searched-leaves")  # judged by rollouts, and by searches
CHECKED = 20  # at the end one game for so many of a round is played, to see how reliable the network is
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
) -> Json:
    """Teaches a network by a plan, or goes on with one: `folder` then holds network.npz. Raises OtherPlan.

    `begin` is called in every process that plays. Returns the learning "curves" of the rounds and of the
    leaves by name, and the "reliability", as `ai.learning` gives them.
    """
    _keep_plan(plan, folder)
    at_once = partial(_each, processes=processes, begin=begin)
    rounds = [folder / f"round-{number}" for number in range(plan.rounds)]
    for number, here in enumerate(rounds):
        title = f"round {number + 1} of {plan.rounds}"
        teacher = rounds[number - 1] / "network.npz" if number else None
        games = plan.games if number else plan.games // 6
        tuning = Tuning(rollout=NETWORK if number else HEURISTIC)
        play = partial(_play, plan, tuning, plan.iterations, DARING, teacher)
        at_once(play, _shards(plan, number, games, here), say=partial(say, f"{title}: playing"))
        _learn(
            plan,
            rounds[max(0, number + 1 - WINDOW) : number + 1],
            here,
            number,
            partial(say, f"{title}: learning"),
        )
    learned = rounds
    if plan.mode == "competitive":
        played = [file for each in rounds[-LEAF_WINDOW:] for file in sorted(each.glob("games-*.npz"))]
        for name in LEAF_STAGES:
            leaves = folder / name
            teacher = None if name == LEAF_STAGES[0] else learned[-1] / "network.npz"
            files = [(number, file, leaves / f"games-{number:04}.npz") for number, file in enumerate(played)]
            at_once(partial(_grow, teacher), files, say=partial(say, f"{name}: judging"))
            _learn(plan, [leaves], leaves, len(learned), partial(say, f"{name}: learning"))
            learned = [*learned, leaves]
    save(load(learned[-1] / "network.npz"), folder / "network.npz")
    check = folder / "check"
    play = partial(_play, plan, LEARNED, 2 * plan.iterations, 0.0, folder / "network.npz")
    at_once(play, _shards(plan, plan.rounds, -(-plan.games // CHECKED), check), say=partial(say, "checking"))
    return {
        "curves": {here.name: _curve(here) for here in learned},
        "reliability": reliability(
            read_lessons(sorted(check.glob("games-*.npz"))), load(folder / "network.npz")
        ),
    }


def _learn(plan: Plan, sources: list[Path], here: Path, number: int, say: Callable[[int, int], None]) -> None:
    """Learns from the lessons of some folders, if that is not done."""
    if (here / "network.npz").exists():
        return
    examples = gather([file for each in sources for file in sorted(each.glob("games-*.npz"))])
    of_leaves = here.name in LEAF_STAGES
    network, curve = learn(
        examples,
        plan.mode == "cooperative",
        LEAF_EPOCHS if of_leaves else plan.epochs,
        LEAVES_DECAY if of_leaves else GAMES_DECAY,
        plan.seed + number,
        say,
    )
    (here / "report.json").write_text(json.dumps({"curve": curve}))
    save(network, here / "network.npz")


def _curve(here: Path) -> Any:
    return json.loads((here / "report.json").read_text())["curve"]


def _keep_plan(plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "plan.json"
    if file.exists() and json.loads(file.read_text()) != asdict(plan):
        raise OtherPlan(f"{folder} holds a training with another plan: {file.read_text()}")
    file.write_text(json.dumps(asdict(plan)))


def _shards(plan: Plan, number: int, games: int, here: Path) -> list[tuple[int, int, Path]]:
    """The files of so many games of a round: of each the seed, how many games, and where it is."""
    seeds = (plan.seed * 1_000 + number) * 10_000
    return [
        (seeds + shard, min(SHARD, games - first), here / f"games-{shard:04}.npz")
        for shard, first in enumerate(range(0, games, SHARD))
    ]


def _each(
    make: Callable[..., None],
    files: list[tuple[Any, ...]],
    processes: int,
    say: Callable[[int, int], None],
    begin: Callable[[], None] | None,
) -> None:
    """Makes the files that are not there yet: each is the last of what `make` is told."""
    files[0][-1].parent.mkdir(exist_ok=True)
    missing = [each for each in files if not each[-1].exists()]
    say(len(files) - len(missing), len(files))
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin) as pool:
        runs = [pool.submit(make, *each) for each in missing]
        try:
            for done, run in enumerate(as_completed(runs), len(files) - len(missing) + 1):
                run.result()
                say(done, len(files))
        except BaseException:
            # Whoever stops it does not wait for games that have not begun.
            pool.shutdown(cancel_futures=True)
            raise


def _play(
    plan: Plan,
    tuning: Tuning,
    iterations: int,
    daring: float,
    teacher: Path | None,
    seed: int,
    games: int,
    file: Path,
) -> None:
    network = blank() if teacher is None else load(teacher)
    _write(play_lessons(plan.mode, seed, games, iterations, tuning, network, daring), file)


def _grow(teacher: Path | None, number: int, played: Path, file: Path) -> None:
    network = None if teacher is None else load(teacher)
    _write(leaf_lessons(read_lessons([played]), number, network), file)


def _write(lessons: Lessons, file: Path) -> None:
    """Writes a file, which is there at once or not at all."""
    new = file.with_suffix(".new")
    with new.open("wb") as out:
        np.savez_compressed(out, allow_pickle=False, **lessons._asdict())
    new.replace(file)
