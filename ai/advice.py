"""Explaining: what a search thinks of a position, and of a whole game's actions.

Like a player, it is handed what a seat observes and nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ai.search import LEARNED, Tuning
from ai.thinking import Budget, Mind, Search
from engine import Action, Game, States, action_of, steps_of

# An action that loses more than this, in win chance or in points of the co-operative score, is a mistake.
MISTAKE = {"competitive": 0.1, "cooperative": 3.0}
# Of an analysis's budget the share that goes to the action that was played.
PLAYED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action as the search sees it: each seat's win chance after it (in co-op the expected score), and how
    often its card or draw was tried, with any place and payment: by that the search chooses."""

    action: Action
    outlook: list[float]
    visits: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """An action of a game: each seat's outlook before it (after the best action) and after it, and the better
    action where this one was a mistake."""

    index: int
    seat: int
    action: Action
    before: list[float]
    after: list[float]
    better: Action | None


def consider(
    observation: States, budget: Budget, seed: int | None = None, count: int = 3, tuning: Tuning = LEARNED
) -> list[Candidate]:
    """The best few actions of the seat to act, the best first: at most one for each card or draw.

    The same `seed` and a budget that iterations end give the same answer.
    """
    mind = Mind(observation, seed)
    search = Search(mind, budget, tuning)
    search.think(share=1.0)
    return [_candidate(mind, search, steps) for steps in search.best_lines(count)]


def analyse(game: Game, budget: Budget, seed: int | None = None, start: int = 0) -> Iterator[Judgement]:
    """Judges the actions of a game in turn, from the one with index `start` on, each from what its seat could
    see at that time."""
    record = game.record()
    record.pop("ended", None)
    replay = Game.from_record({**record, "actions": [], "result": None})
    for index, action in enumerate(record["actions"]):
        if index >= start:
            yield judge(replay, index, action, budget, None if seed is None else seed + index)
        replay.apply(action)


def _candidate(mind: Mind, search: Search, line: list[int]) -> Candidate:
    [visits] = search.visits(line[:1])
    return Candidate(action_of(mind.states, line), search.outlook(line), visits)


def judge(game: Game, index: int, action: Action, budget: Budget, seed: int | None = None) -> Judgement:
    """Judges an action that is about to be played in `game`."""
    seat = action["seat"]
    observation = game.observe(seat)
    mind = Mind(observation, seed)
    search = Search(mind, budget, LEARNED)
    line = np.array(steps_of(observation, action), np.int16)
    search.think(share=1.0 - PLAYED_SHARE)
    best_line = search.best_lines(1)[0]
    search.think(share=1.0, line=line)
    best = _candidate(mind, search, best_line)
    played = _candidate(mind, search, line.tolist())
    same = best.action == action or best.outlook[seat] <= played.outlook[seat]
    mistake = not same and best.outlook[seat] - played.outlook[seat] > MISTAKE[game.mode]
    return Judgement(
        index=index,
        seat=seat,
        action=action,
        before=played.outlook if same else best.outlook,
        after=played.outlook,
        better=best.action if mistake else None,
    )
