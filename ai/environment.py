"""Stem & Branch as a PettingZoo AEC environment, for those who train agents (needs the extra `pettingzoo`).

An agent plays the kernel's steps (docs/ladders.md lists them): a summon is several of them, so that there are
244 actions and not thousands. `observe` gives what the seat may see, as flat numbers, and the
legal steps as a mask.

>>> env = StemBranchEnv(seats=2)
>>> env.reset(seed=7)
>>> env.agent_selection in env.possible_agents
True
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ai.evaluation import final_rewards
from engine import CARDS, Game, States
from engine import observe as seen_by
from engine.kernel import apply_step, begin, legal_steps
from engine.state import MAX_LEGAL, OVER, STEPS, Record

SEATS = 4
CARD_COUNT = len(CARDS)
Numbers = NDArray[np.float32]
Seen = dict[str, NDArray[Any]]

# The parts of an observation and their lengths, in order. Seats are counted from the one that looks.
PARTS = {
    "hands": SEATS * CARD_COUNT,  # the own hand, and what all know of the others'
    "hand_sizes": SEATS,
    "stream": 8 * CARD_COUNT,
    "discards": CARD_COUNT,
    "placed": CARD_COUNT,
    "tops": 12 * CARD_COUNT,
    "tokens_on": 5 * 12,
    "tokens": SEATS * 5,
    "supply": 5,
    "animals": SEATS * 12,
    "years": SEATS,
    "turn": SEATS,
    "phase": 6,
    "card": CARD_COUNT,
    "space": 12,
    "numbers": 5,  # cards left in the deck, actions left, what is due, the last round, co-op
}
LENGTH = sum(PARTS.values())


class StemBranchEnv(AECEnv):  # type: ignore[misc]
    """The game for 2-4 seats, or 1-4 in co-op. Rewards come at the end: each seat's share of the win, doubled
    and less one; in co-op the score as a share of sixty."""

    metadata = {"name": "stem_branch_v1", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, seats: int = 2, mode: str = "competitive", options: dict[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.render_mode = None
        game = Game.new(mode, seats, seed=0, options=options)
        self._blank: States = game.observe(0)
        self._states = self._blank
        self._token_spaces = np.array(game.board.token_spaces, np.int8)
        self._with_tokens = bool(game.options.get("element_tokens", True))
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._actions = spaces.Discrete(STEPS)
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (LENGTH,), np.float32),
                "action_mask": spaces.Box(0, 1, (STEPS,), np.int8),
            }
        )
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game; the same seed gives the same deal."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._states = self._blank.copy()
        s = self._states[0]
        s["deck"] = self._random.permutation(CARD_COUNT)
        tokens = self._random.permutation(np.repeat(np.arange(5), 2)).astype(np.int8)
        first = int(self._random.integers(len(self.possible_agents)))
        begin(s, first, self._token_spaces, tokens if self._with_tokens else tokens[:0])
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[int(s["turn"])]

    def observe(self, agent: str) -> Seen:
        """What the agent's seat may see and nothing else, and the legal steps if it is to act; before the
        first `reset` a game that has not begun."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(STEPS, np.int8)
        s = self._states[0]
        if s["phase"] != OVER and s["turn"] == seat:
            steps = np.zeros(MAX_LEGAL, np.int16)
            mask[steps[: legal_steps(s, steps)]] = 1
        return {"observation": flat(seen_by(self._states, seat)[0], seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a step of the agent that is to act. ValueError for one that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        s = self._states[0]
        steps = np.zeros(MAX_LEGAL, np.int16)
        if action is None or action not in steps[: legal_steps(s, steps)]:
            raise ValueError(f"step {action} is not legal")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        apply_step(s, int(action))
        if s["phase"] == OVER:
            self._end(s)
        else:
            self.agent_selection = self.possible_agents[int(s["turn"])]
        self._accumulate_rewards()

    def render(self) -> None:
        """Nothing: the page shows games."""

    def close(self) -> None:
        """Nothing to let go of."""

    def _end(self, s: Record) -> None:
        rewards, outcomes = np.zeros(SEATS), np.zeros(SEATS)
        final_rewards(s, 1.0, rewards, outcomes)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(outcomes[seat] / 60 if s["cooperative"] else 2 * outcomes[seat] - 1)
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]


def flat(s: Record, seat: int) -> Numbers:
    """An observation (a state in which only what `seat` may see is there) as numbers from 0 to 1."""
    seats = int(s["seats"])
    order = [(seat + step) % seats for step in range(seats)]
    parts = {name: np.zeros(length, np.float32) for name, length in PARTS.items()}

    def fill(name: str, values: NDArray[Any] | list[Any]) -> None:
        flattened = np.asarray(values, np.float32).ravel()
        parts[name][: len(flattened)] = flattened

    fill("hands", [_bits(s["hands"][each], CARD_COUNT) for each in order])
    fill("hand_sizes", s["hand_size"][order] / 12)
    fill("stream", _one_hot(s["stream"], CARD_COUNT))
    fill("discards", _bits(s["discards"], CARD_COUNT))
    fill("placed", _bits(s["placed"], CARD_COUNT))
    fill("tops", _one_hot(s["top"], CARD_COUNT))
    fill("tokens_on", [_bits(spaces_, 12) for spaces_ in s["tokens_on"]])
    fill("tokens", s["tokens"][order] / 2)
    fill("supply", s["supply"] / 2)
    fill("animals", [_bits(s["animals"][each], 12) for each in order])
    fill("years", np.clip(s["years"][order] / 120, 0, 1))
    fill("turn", [float(each == s["turn"]) for each in order])
    fill("phase", _one_hot(s["phase"], 6))
    fill("card", _one_hot(s["card"], CARD_COUNT))
    fill("space", _one_hot(s["space"], 12))
    numbers = (CARD_COUNT - s["dealt"]) / 60, s["actions_left"] / 2, s["due"] / 10
    fill("numbers", [*numbers, float(s["trigger"] >= 0), float(s["cooperative"])])
    return np.concatenate(list(parts.values()))


def _bits(mask: Any, length: int) -> NDArray[np.uint8]:
    return np.unpackbits(np.array([mask], np.uint64).view(np.uint8), bitorder="little")[:length]


def _one_hot(values: Any, length: int) -> NDArray[np.float32]:
    """A row for each value; none is set for -1."""
    rows = np.zeros((np.size(values), length), np.float32)
    for row, value in enumerate(np.ravel(values).tolist()):
        if value >= 0:
            rows[row, value] = 1
    return rows
