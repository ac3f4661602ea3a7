"""Games of a search against itself, as lessons to learn from: all in one kernel, since there are many."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.compiled import kernel
from ai.determinization import list_unseen
from ai.evaluation import final_rewards
from ai.network import Network
from ai.search import Tree, Tuning, child_of, forget, iterate, new_tree, step_key, step_visits
from engine import Game, States
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps, random_below
from engine.state import ACTION, MAX_LEGAL, OVER, STATE, Numbers, Steps, Words, new_state

MOST_POSITIONS = 200  # of a game in which an action is chosen
DARING = 0.1  # the chance that an action begins with a step drawn by visits, so that games differ
OPTIONS = (("move", "any"), ("hands", "open"), ("scoring", "family"))  # of co-op, each with this chance
OPTION_CHANCE = 0.15
# A step's iterations are the average times e to a power between these, so that lessons know both.
LEAST_POWER, POWERS = -1.2, 2.0


class Lesson(NamedTuple):
    """What a game gives to learn from: the positions in which an action was chosen, and what came of them."""

    states: States
    outlook: NDArray[np.float64]  # (positions, 4): each seat's mean outcome in the search
    outcome: NDArray[np.float64]  # (4,): the game's; in co-op the score
    margin: NDArray[np.float64]  # (4,): as in rewards


class Lessons(NamedTuple):
    """The lessons of some games, one after the other."""

    states: States
    outlook: NDArray[np.float64]
    outcome: NDArray[np.float64]  # (positions, 4)
    margin: NDArray[np.float64]
    game: NDArray[np.int64]  # which of the games a position is from


@kernel
def look(game: States, seen: States, seat: int) -> None:
    """Writes into `seen` what a seat knows of a game, as `engine.observe` gives it."""
    seen[0] = game[0]
    s = seen[0]
    for place in range(60):
        s["deck"][place] = 0
    if s["open_hands"]:
        return
    for other in range(integer(s["seats"])):
        if other != seat:
            s["hands"][other] = s["known"][other]


@kernel
def _most_visited(tree: Tree, root: int, seen: States, steps: Steps, n: int) -> int:
    """Which of the `n` legal steps of the root's position was tried most."""
    best = 0
    most = -1
    for i in range(n):
        visits = step_visits(tree, root, step_key(seen[0], integer(steps[i])))
        if visits > most:
            most = visits
            best = i
    return best


@kernel
def _drawn_by_visits(tree: Tree, root: int, seen: States, steps: Steps, n: int, rng: Words) -> int:
    """One of the `n` legal steps of the root's position, the likelier the more it was tried."""
    lot = random_below(rng, max(integer(tree.visits[root]), 1))
    for i in range(n):
        lot -= step_visits(tree, root, step_key(seen[0], integer(steps[i])))
        if lot < 0:
            return i
    return _most_visited(tree, root, seen, steps, n)


@kernel
def play_lesson(
    game: States,
    seen: States,
    tree: Tree,
    tuning: Tuning,
    iterations: int,
    daring: float,
    network: Network,
    lesson: Lesson,
    pool: Numbers,
    steps: Steps,
    rng: Words,
) -> int:
    """Plays a game to its end, every seat by a search of `iterations` for each step on average; returns how
    many positions the lesson has. `seen`, `tree`, `pool` and `steps` are scratch."""
    positions = 0
    no_line = steps[:0]
    s = game[0]
    while s["phase"] != OVER:
        look(game, seen, integer(s["turn"]))
        unseen = list_unseen(seen[0], pool)
        played = integer(s["played"])
        power = LEAST_POWER + POWERS * random_below(rng, 1000) / 1000.0
        budget = max(int(iterations * math.exp(power)), 8)
        forget(tree)
        root = 0
        while s["phase"] != OVER and s["played"] == played:
            n = legal_steps(s, steps)
            chosen = 0
            if n > 1:
                iterate(tree, root, seen, pool, unseen, tuning, budget, no_line, network, rng)
                n = legal_steps(s, steps)
                if s["phase"] == ACTION and random_below(rng, 1000) < 1000 * daring:
                    chosen = _drawn_by_visits(tree, root, seen, steps, n, rng)
                else:
                    chosen = _most_visited(tree, root, seen, steps, n)
                if s["phase"] == ACTION and positions < MOST_POSITIONS:
                    lesson.states[positions] = game[0]
                    for seat in range(4):
                        lesson.outlook[positions, seat] = tree.outcome[root, seat] / tree.visits[root]
                    positions += 1
            step = integer(steps[chosen])
            root = child_of(tree, root, step_key(seen[0], step))
            apply_step(s, step)
            if s["phase"] != OVER and s["played"] == played:
                apply_step(seen[0], step)
    final_rewards(s, 0.0, lesson.margin, lesson.outcome)
    return positions


def draw_game(mode: str, random: np.random.Generator) -> Game:
    """A freshly dealt game of a mode, most often for the fewest players and with the default options."""
    options: dict[str, str] = {}
    seats = random.choice([2, 2, 3, 4] if mode == "competitive" else [1, 1, 2, 3, 4])
    if mode == "cooperative":
        options = {name: value for name, value in OPTIONS if random.random() < OPTION_CHANCE}
    return Game.new(mode, int(seats), seed=int(random.integers(2**62)), options=options or None)


def play_lessons(
    mode: str,
    seed: int,
    games: int,
    iterations: int,
    tuning: Tuning,
    network: Network,
    daring: float = DARING,
) -> Lessons:
    """The lessons of so many games; the same for the same seed."""
    random = np.random.default_rng(seed)
    rng = np.array([random.integers(1, 2**63)], np.uint64)
    tree = new_tree(8 * iterations + 4_096)
    lesson = Lesson(np.zeros(MOST_POSITIONS, STATE), np.zeros((MOST_POSITIONS, 4)), np.zeros(4), np.zeros(4))
    pool, steps, seen = np.zeros(60, np.int8), np.zeros(MAX_LEGAL, np.int16), new_state()
    played = []
    for number in range(games):
        game = draw_game(mode, random).states()
        n = play_lesson(game, seen, tree, tuning, iterations, daring, network, lesson, pool, steps, rng)
        played.append(
            Lessons(
                lesson.states[:n].copy(),
                lesson.outlook[:n].copy(),
                np.tile(lesson.outcome, (n, 1)),
                np.tile(lesson.margin, (n, 1)),
                np.full(n, number),
            )
        )
    return Lessons(*(np.concatenate(parts) for parts in zip(*played, strict=True)))
