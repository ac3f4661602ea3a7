"""Ladders: who plays whom, on which deals, and how one of their games is played.

Nothing here knows of servers or files: the same settings give the same schedule, and where iterations end the
players' thinking, the same games to the last card.
"""

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ai.players import PLAYERS, choose
from ai.thinking import Budget
from engine import SEAT_COUNTS, Action, BadSetup, Game, GameError

Json = dict[str, Any]
Fault = Literal["crashed", "illegal", "silent"]
FAULTS: tuple[Fault, ...] = ("crashed", "illegal", "silent")
MOST_GAMES = 1_000_000
LONGEST = 86_400.0  # seconds: iterations end a search long before


class BadLadder(ValueError):
    """Settings that make no ladder; the message is a sentence for whoever gave them."""


class Forfeit(Exception):
    """A bot that crashed, answered with an illegal action or not at all."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: a player of ours or a bot ("file.py:Class"), with its budget for an action."""

    name: str
    player: str
    seconds: float | None = None
    iterations: int | None = None

    @property
    def is_bot(self) -> bool:
        return ":" in self.player

    @property
    def budget(self) -> Budget | None:
        """None for the player's own."""
        if self.iterations is not None:
            return Budget(LONGEST, self.iterations)
        return None if self.seconds is None else Budget(self.seconds)


@dataclass(frozen=True)
class Ladder:
    """The settings of a ladder. `games` is the least number of games; whole matches are played."""

    entrants: tuple[Entrant, ...]
    seats: int = 2
    games: int = 100
    seed: int = 1
    mode: str = "competitive"
    gauntlet: bool = False
    options: Json = field(default_factory=dict)

    @property
    def lineups(self) -> list[tuple[int, ...]]:
        """Who sits together, by the entrants' places in the list; in co-op one entrant has every seat."""
        numbers = range(len(self.entrants))
        if self.mode == "cooperative":
            return [(number,) * self.seats for number in numbers]
        if self.gauntlet:
            return [(0, *others) for others in itertools.combinations(numbers[1:], self.seats - 1)]
        return list(itertools.combinations(numbers, self.seats))

    @property
    def rotations(self) -> int:
        """Games in a match: each lineup plays a deal once in every rotation of the seats."""
        return 1 if self.mode == "cooperative" else self.seats


@dataclass(frozen=True, slots=True)
class Match:
    """One deal, played by one lineup in every rotation of the seats."""

    index: int
    deal: int
    lineup: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A game of a match. `seats` says which entrant sat where; `shares` are each seat's share of the win, in
    co-op the score; `places` are the seats' ranks, 0 the best."""

    seats: tuple[int, ...]
    shares: tuple[float, ...]
    places: tuple[int, ...]
    actions: tuple[int, ...]
    seconds: tuple[float, ...]
    record: Json
    fault: Fault | None = None
    faulty_seat: int | None = None
    reason: str = ""


def read_entrants(text: str) -> tuple[Entrant, ...]:
    """Entrants as "good,fast=master@0.1s,strong@800,bots/mine.py:Mine": an own name, the player, a budget in
    seconds or iterations. Raises BadLadder."""
    return tuple(_read_entrant(part.strip()) for part in text.split(","))


def _read_entrant(text: str) -> Entrant:
    name, _, rest = text.rpartition("=")
    player, limited, budget = rest.partition("@")
    if not player or "=" in name or (limited and not budget):
        raise BadLadder(f"{text!r} is no player: give a level, or a bot as file.py:Class.")
    if ":" not in player and player not in PLAYERS:
        raise BadLadder(
            f"There is no player {player!r}; there are {', '.join(PLAYERS)}, and bots as file.py:Class."
        )
    seconds, iterations = None, None
    try:
        if budget.endswith("s"):
            seconds = float(budget[:-1])
        elif budget:
            iterations = int(budget)
    except ValueError:
        raise BadLadder(f"{text!r}: a budget is seconds as 0.5s, or iterations as 800.") from None
    return Entrant(name or rest, player, seconds, iterations)


def check_ladder(ladder: Ladder) -> None:
    """Raises BadLadder for what cannot be played."""
    names = [entrant.name for entrant in ladder.entrants]
    for entrant in ladder.entrants:
        if names.count(entrant.name) > 1:
            raise BadLadder(f"{entrant.name} takes part twice; give one of them another name.")
        _check_budget(entrant)
    if ladder.games < 1:
        raise BadLadder("A ladder has at least one game.")
    if ladder.games > MOST_GAMES:
        raise BadLadder(f"A ladder has at most {MOST_GAMES:,} games.")
    if ladder.seed < 0:
        raise BadLadder("A seed is 0 or more.")
    if ladder.seats not in SEAT_COUNTS.get(ladder.mode, ()):
        raise BadLadder("Two to four players compete; one to four co-operate.")
    if ladder.gauntlet and ladder.mode == "cooperative":
        raise BadLadder("In co-op nobody plays against others, so there is no gauntlet.")
    try:
        Game.new(ladder.mode, ladder.seats, seed=1, options=ladder.options or None)
    except BadSetup as problem:
        told = ", ".join(f"{name} {value}" for name, value in problem.params.items())
        raise BadLadder(f"There is no such game: {problem.code} ({told}).") from problem
    least = 1 if ladder.mode == "cooperative" else ladder.seats
    if len(ladder.entrants) < least:
        raise BadLadder(f"{ladder.seats} seats need as many players; {len(ladder.entrants)} given.")


def _check_budget(entrant: Entrant) -> None:
    seconds, iterations = entrant.seconds, entrant.iterations
    if seconds is not None and iterations is not None:
        raise BadLadder(f"{entrant.name}: a budget is in seconds or in iterations, not both.")
    if (seconds is not None and not 0 < seconds <= 3600) or (iterations is not None and iterations < 1):
        raise BadLadder(f"{entrant.name}: a budget is more than nothing, and at most an hour.")
    info = PLAYERS.get(entrant.player)
    if info is not None and info.kind == "simple" and (seconds or iterations):
        raise BadLadder(f"{entrant.player} does not search, so it takes no budget.")
    if entrant.is_bot and iterations is not None:
        raise BadLadder(f"{entrant.name} is a bot: its budget is in seconds.")


def schedule(ladder: Ladder) -> list[Match]:
    """Every match of a ladder: all lineups on one deal, then on the next, until there are `games`."""
    lineups = ladder.lineups
    deals = math.ceil(ladder.games / (len(lineups) * ladder.rotations))
    pairs = itertools.product(range(deals), lineups)
    return [Match(index, deal, lineup) for index, (deal, lineup) in enumerate(pairs)]


Chooser = Callable[[Game, int, int], Action]


def built_in(entrant: Entrant) -> Chooser:
    """How one of our players chooses: handed what its seat observes, and a seed."""

    def chosen(game: Game, seat: int, seed: int) -> Action:
        return choose(entrant.player, game.observe(seat), seed, entrant.budget)

    return chosen


def play_match(ladder: Ladder, match: Match, choosers: Sequence[Chooser]) -> list[Played]:
    """Plays the games of a match; `choosers` are the entrants', by their places in the ladder's list."""
    return [_play(ladder, match, choosers, rotation) for rotation in range(ladder.rotations)]


def _play(ladder: Ladder, match: Match, choosers: Sequence[Chooser], rotation: int) -> Played:
    lineup = match.lineup
    seats = tuple(lineup[(seat - rotation) % len(lineup)] for seat in range(len(lineup)))
    named = [
        # Records are for everybody, and where a bot's file lies is nobody's business.
        {"name": ladder.entrants[each].name[:64], "player": ladder.entrants[each].player.split("/")[-1][:64]}
        for each in seats
    ]
    deal = ladder.seed * 1_000_003 + match.deal
    game = Game.new(ladder.mode, named, seed=deal, options=ladder.options or None)
    actions, seconds = [0] * len(seats), [0.0] * len(seats)
    forfeit: Forfeit | None = None
    faulty: int | None = None
    while (seat := game.seat_to_act) is not None:
        seed = (deal * 8 + rotation) * 1_000 + game.actions_played
        started = time.perf_counter()
        try:
            game.apply(choosers[seats[seat]](game, seat, seed))
        except Forfeit as fault:
            forfeit, faulty = fault, seat
        except GameError as refused:
            forfeit, faulty = Forfeit("illegal", f"{refused.code} {refused.params}"), seat
        seconds[seat] += time.perf_counter() - started
        actions[seat] += 1
        if forfeit is not None:
            game.abandon()
    shares, places = _outcome(game, faulty)
    return Played(
        seats,
        shares,
        places,
        tuple(actions),
        tuple(round(each, 4) for each in seconds),
        game.record(),
        None if forfeit is None else forfeit.fault,
        faulty,
        "" if forfeit is None else forfeit.reason,
    )


def _outcome(game: Game, faulty: int | None) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Each seat's share of the win, or the score, and its place. A forfeit loses to all others, who share."""
    seats = range(len(game.seats))
    if faulty is not None:
        if game.mode == "cooperative":
            return (0.0,) * len(seats), (0,) * len(seats)
        others = len(seats) - 1
        return tuple(float(seat != faulty) / others for seat in seats), tuple(
            int(seat == faulty) for seat in seats
        )
    result = game.result or {}
    if game.mode == "cooperative":
        return (float(result["score"]),) * len(seats), (0,) * len(seats)
    winners, years = result["winners"], result["years"]
    standing = [(seat in winners, years[seat]) for seat in seats]
    places = tuple(sum(other > standing[seat] for other in standing) for seat in seats)
    return tuple((seat in winners) / len(winners) for seat in seats), places
