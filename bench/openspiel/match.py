"""Games between this project's search and OpenSpiel's ISMCTS bot at equal processor time."""

import math
import random
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from ai import Budget, choose
from bench.openspiel.game import Resampler, StemBranchState, returns_of
from engine import observe
from engine.actions import steps_of
from engine.kernel import play_randomly
from engine.state import MAX_LEGAL

PLAYER = "master"
EXPLORATION = 0.5  # OpenSpiel's UCT constant, on returns from -1 to 1; 0.5 did better than 1 and 2
STEP_SHARE = 0.75  # of an action's time left, what each of its steps gets, as in our search
MANY = 1_000_000


class OutOfTime(Exception):
    """A search's time is up."""


class CompiledRollouts(mcts.Evaluator):  # type: ignore[misc]
    """Values a state by one random game to its end, played by the engine."""

    def __init__(self, seed: int) -> None:
        self.rng = np.array([2 * seed + 1], np.uint64)
        self.steps = np.zeros(MAX_LEGAL, np.int16)

    def evaluate(self, state: StemBranchState) -> list[float]:
        """The returns of one random game from here."""
        states = state.states.copy()
        play_randomly(states[0], self.rng, self.steps)
        return returns_of(states[0])

    def prior(self, state: StemBranchState) -> list[tuple[int, float]]:
        """All actions alike."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class TimedBot:
    """OpenSpiel's Python ISMCTS bot with a clock: its resampler, asked once an iteration, ends the search."""

    def __init__(self, game: Any, rollouts: str, seed: int) -> None:
        chance = np.random.RandomState(seed)
        own = rollouts == "own_rollouts"
        evaluator = mcts.RandomRolloutEvaluator(1, chance) if own else CompiledRollouts(seed)
        self.bot = ismcts.ISMCTSBot(game, evaluator, EXPLORATION, MANY, random_state=chance)
        self.resample = Resampler(seed)
        self.bot.set_resampler(self._next_world)
        self.chance = chance
        self.deadline = math.inf
        self.iterations = 0

    def _next_world(self, state: StemBranchState, player: int) -> StemBranchState:
        if time.thread_time() >= self.deadline:
            raise OutOfTime
        self.iterations += 1
        return self.resample(state, player)

    def step(self, state: StemBranchState, deadline: float) -> int:
        """The bot's choice when the thread's processor time has reached `deadline`."""
        self.deadline = deadline
        try:
            policy = self.bot.run_search(state)
        except OutOfTime:
            node = self.bot.lookup_node(state)
            policy = [(action, 1.0) for action in state.legal_actions()]
            if node.total_visits > 0:
                policy = self.bot.get_final_policy(state, node)
        weights = np.array([probability for _, probability in policy])
        return int(self.chance.choice([action for action, _ in policy], p=weights / weights.sum()))


def iterations_per_second(rollouts: str, seconds: float = 1.0) -> float:
    """The bot's iterations from the opening."""
    state = dealt(1)
    bot = TimedBot(state.get_game(), rollouts, 1)
    bot.step(state, time.thread_time() + 0.1)
    bot.iterations = 0
    start = time.thread_time()
    bot.step(state, start + seconds)
    return bot.iterations / (time.thread_time() - start)


def wins(rollouts: str, deals: int, seconds: float) -> tuple[float, float, float]:
    """The share of games that our search wins, a shared win counting half, and its 95 % interval (Wilson)."""
    won = sum((play(rollouts, deal, seat, seconds) + 1) / 2 for deal in range(deals) for seat in range(2))
    games, z = 2 * deals, 1.96
    share = won / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    scale = 1 + z * z / games
    return share, (middle - half) / scale, (middle + half) / scale


def play(rollouts: str, deal: int, seat: int, seconds: float) -> float:
    """One game with our search on `seat`, both thinking `seconds` an action; our return."""
    state = dealt(deal)
    bot = TimedBot(state.get_game(), rollouts, 2 * deal + seat)
    while not state.is_terminal():
        played = int(state.states[0]["played"])
        if state.current_player() == seat:
            action = choose(
                PLAYER, observe(state.states, seat), 1000 * deal + played, Budget(seconds, cpu=True)
            )
            for step in steps_of(state.states, action):
                state.apply_action(step)
            continue
        # The steps of an action share its time as they do in our search.
        end = time.thread_time() + seconds
        while not state.is_terminal() and state.states[0]["played"] == played:
            now = time.thread_time()
            state.apply_action(bot.step(state, now + STEP_SHARE * (end - now)))
    return float(state.returns()[seat])


def dealt(seed: int) -> Any:
    """A two-player game after its deal, the same for the same seed."""
    chance = random.Random(seed)
    state = pyspiel.load_game("python_stem_branch").new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    return state
