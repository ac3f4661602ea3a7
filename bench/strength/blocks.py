"""What is measured: blocks of games, and how one of their games is played."""

import hashlib
import json
import time
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from ai import PLAYERS, Budget, choose
from ai.search import LEARNED, PLAIN, ROLLOUTS, UNIFORM, Tuning
from engine import Game

ACTION_SECONDS = 0.05  # processor time an action, of one thread, in matches of search against search
SOLO_SECONDS = 0.5
HALF_WIDTH = 0.07  # of the intervals between levels
FINGERPRINT_ACTIONS, FINGERPRINT_ITERATIONS = 50, 80
LEVELS = ("greedy", "beginner", "apprentice", "average", "good", "strong", "expert", "master")


@dataclass(frozen=True, slots=True)
class Side:
    """A player with its own budget, or with `seconds` of processor time an action and thread."""

    player: str
    seconds: float | None = None
    threads: int = 1
    tuning: Tuning | None = None  # the player's own

    @property
    def budget(self) -> Budget:
        """By the thread's processor time, so that other work on the machine weakens nobody."""
        if self.seconds is None:
            return replace(PLAYERS[self.player].budget, cpu=True)
        return Budget(self.seconds, cpu=True, threads=self.threads)

    @property
    def estimate(self) -> float:
        """Roughly the processor time of an action in seconds, for the progress bar."""
        budget = self.budget
        if budget.iterations is not None:
            return 0.003 + budget.iterations / 45_000
        return 0.8 * budget.seconds * budget.threads if PLAYERS[self.player].kind == "search" else 0.001


@dataclass(frozen=True, slots=True)
class Block:
    """Games over the same deals. In competition each deal is played once from every seat by `side`, the
    other seats being `rival`'s; in co-op `side` has all seats, and `rival` is None.

    With a `half_width` it ends before `deals` once the interval is as narrow as that.
    """

    name: str
    title: str
    side: Side
    rival: Side | None
    seats: int = 2
    deals: int = 50
    seed: int = 1
    half_width: float | None = None

    @property
    def rotations(self) -> int:
        """How many games a deal makes."""
        return self.seats if self.rival is not None else 1

    @property
    def game_seconds(self) -> float:
        """Roughly the processor time of a game."""
        if self.rival is None:
            return 100 * self.side.estimate
        return 68 * (self.side.estimate + (self.seats - 1) * self.rival.estimate) / self.seats


@dataclass(frozen=True, slots=True)
class Played:
    """A game: what `side` got (its share of the win; in co-op the score), and each side's actions and
    processor time."""

    outcome: float
    actions: tuple[int, int]
    seconds: tuple[float, float]


@cache
def fingerprint(player: str, tuning: Tuning | None, mode: str) -> str:
    """Of how a player plays, its speed aside: of the actions that it chooses in a game, by iterations."""
    game = Game.new(mode, 2, seed=60)
    while (seat := game.seat_to_act) is not None and game.actions_played < FINGERPRINT_ACTIONS:
        budget = Budget(60.0, iterations=FINGERPRINT_ITERATIONS)
        game.apply(choose(player, game.observe(seat), game.actions_played, budget, tuning))
    return hashlib.sha256(json.dumps(game.actions).encode()).hexdigest()[:16]


def play(block: Block, deal: int, rotation: int) -> Played:
    """Plays one game of a block: that deal, with `side` in the seat `rotation`."""
    mode = "competitive" if block.rival is not None else "cooperative"
    game = Game.new(mode, block.seats, seed=block.seed + deal)
    sides = (block.side, block.rival or block.side)
    actions, seconds = [0, 0], [0.0, 0.0]
    while (seat := game.seat_to_act) is not None:
        who = int(block.rival is not None and seat != rotation)
        side = sides[who]
        seed = (block.seed + deal) * 10_000 + rotation * 1_000 + game.actions_played
        started = time.process_time()
        action = choose(side.player, game.observe(seat), seed, side.budget, side.tuning)
        seconds[who] += time.process_time() - started
        actions[who] += 1
        game.apply(action)
    result = game.result or {}
    if block.rival is None:
        outcome = float(result["score"])
    else:
        outcome = (rotation in result["winners"]) / len(result["winners"])
    return Played(outcome, (actions[0], actions[1]), (round(seconds[0], 3), round(seconds[1], 3)))


def _search(seconds: float = ACTION_SECONDS, threads: int = 1, **changes: Any) -> Side:
    """The search with rollouts, changed or as it is."""
    return Side("master", seconds, threads, ROLLOUTS._replace(**changes))


def _learned(seats: int, deals: int, seconds: float = ACTION_SECONDS) -> Block:
    network = Side("master", seconds, tuning=LEARNED)
    title = f"{seats} players, {seconds} s"
    return Block(
        f"network-{seats}-{seconds}", title, network, _search(seconds), seats, deals, seed=200 * seats
    )


def _plain(seats: int, deals: int) -> Block:
    rival = Side("master", ACTION_SECONDS, tuning=PLAIN)
    return Block(f"plain-{seats}", f"{seats} players", _search(), rival, seats, deals, seed=100 * seats)


def _level(weaker: str, stronger: str, deals: int) -> Block:
    title = f"{stronger} against {weaker}"
    return Block(
        f"level-{stronger}", title, Side(stronger), Side(weaker), 2, deals, seed=1_000, half_width=HALF_WIDTH
    )


def _gain(name: str, title: str, variant: Side) -> Block:
    return Block(f"gain-{name}", title, variant, _search(), seed=2_000)


def _together(seats: int, deals: int, seconds: float, kind: str) -> Block:
    who = "solo" if seats == 1 else f"{seats} players"
    side = Side("master", seconds, tuning=LEARNED if kind == "network" else ROLLOUTS)
    return Block(
        f"together-{seats}-{kind}-{seconds}",
        f"{who}, {kind}, {seconds} s",
        side,
        None,
        seats,
        deals,
        seed=3_000,
    )


BLOCKS = (
    _plain(2, 50),
    _plain(3, 40),
    _plain(4, 30),
    _learned(2, 100, 0.003),
    _learned(2, 100, 0.01),
    _learned(2, 100),
    _learned(2, 50, 0.2),
    _learned(3, 80),
    _learned(4, 60),
    *(_level(weaker, stronger, 110) for weaker, stronger in pairwise(LEVELS)),
    *(
        _together(1, 40, seconds, kind)
        for seconds in (ACTION_SECONDS, SOLO_SECONDS)
        for kind in ("rollouts", "network")
    ),
    _gain("rollouts", "uniform rollouts", _search(rollout=UNIFORM)),
    _gain("prior", "no prior: UCB1, constant 0.4", _search(prior=0.0)),
    _gain("exploration", "no prior: UCB1, constant 0.7", _search(prior=0.0, exploration=0.7)),
    _gain("prior-half", "half the weight of the prior", _search(prior=0.5)),
    _gain("prior-twice", "twice the weight of the prior", _search(prior=2.0)),
    _gain("turn", "rollouts cut at the end of the turn, and judged", _search(horizon=1)),
    _gain("round", "rollouts cut at the end of the round, and judged", _search(horizon=2)),
    _gain("payments", "only the policy's favourite payment", _search(all_payments=False)),
    _gain("reuse", "a new tree for each step of an action", _search(reuse=False)),
    _gain("settle", "thinking on when nothing could change", _search(settle=False)),
    _gain("win", "rewards: the win alone", _search(win_weight=1.0)),
    _gain("margin", "rewards: half win, half margin", _search(win_weight=0.5)),
    _gain("threads", "two threads, each with the whole time", _search(threads=2)),
    *(
        _together(seats, 20, seconds, kind)
        for seats in (2, 3, 4)
        for seconds, kind in (
            (ACTION_SECONDS, "rollouts"),
            (ACTION_SECONDS, "network"),
            (SOLO_SECONDS, "rollouts"),
        )
    ),
)
