"""Ratings, intervals and the sequential test.

Everything is computed from all games at once, in the order of the schedule, so it does not matter in which
order they were finished.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from ai.ladder import Played

Z = statistics.NormalDist().inv_cdf(0.975)
ELO = 400 / math.log(10)  # of a Bradley-Terry strength of 1
CENTRE = 1500.0  # the mean of all Elo ratings
PRIOR = 1 / (1200 / ELO) ** 2  # keeps the ratings of who won or lost everything finite
LEAST_ALIKE = 0.25  # of the variance that independent games would have, the least that is believed


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its 95 % interval."""

    value: float
    low: float
    high: float


def elo_ratings(entrants: int, matches: Sequence[Sequence[Played]]) -> list[Rating]:
    """Elo ratings of two-seat games: the most likely Bradley-Terry strengths, whose mean is 1500.

    A match is one sample: the variance is the clustered one (Huber's sandwich), since the games of a deal are
    alike.
    """
    pairs = [(games[0].seats, _score(games), len(games)) for games in matches]
    strengths = np.zeros(entrants)
    for _ in range(100):
        gradient, curvature, scatter = (
            -PRIOR * strengths,
            PRIOR * np.eye(entrants),
            np.zeros((entrants, entrants)),
        )
        for (one, other), score, games in pairs:
            chance = 1 / (1 + math.exp(strengths[other] - strengths[one]))
            surprise, weight = score - games * chance, games * chance * (1 - chance)
            direction = np.zeros(entrants)
            direction[one], direction[other] = 1, -1
            gradient = gradient + surprise * direction
            curvature = curvature + weight * np.outer(direction, direction)
            scatter = scatter + max(surprise**2, LEAST_ALIKE * weight) * np.outer(direction, direction)
        step = np.linalg.solve(curvature, gradient)
        strengths = strengths + step
        if np.abs(step).max() < 1e-9:
            break
    inverse = np.linalg.inv(curvature)
    spread = np.sqrt(np.diag(inverse @ scatter @ inverse)) * Z * ELO
    values = CENTRE + ELO * (strengths - strengths.mean())
    return [
        Rating(float(value), float(value - half), float(value + half))
        for value, half in zip(values, spread, strict=True)
    ]


def _score(games: Sequence[Played]) -> float:
    """What the entrant that sat first in the first game got in all games together."""
    first = games[0].seats[0]
    return sum(game.shares[game.seats.index(first)] for game in games)


def plackett_luce_ratings(entrants: int, matches: Sequence[Sequence[Played]]) -> list[Rating]:
    """Ratings of games of any number of seats by openskill's PlackettLuce (Weng and Lin 2011), from 25."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(entrants)]
    for games in matches:
        for game in games:
            teams = [[ratings[entrant]] for entrant in game.seats]
            rated = model.rate(teams, ranks=[float(place) for place in game.places])
            for entrant, (rating,) in zip(game.seats, rated, strict=True):
                ratings[entrant] = rating
    return [Rating(each.mu, each.mu - Z * each.sigma, each.mu + Z * each.sigma) for each in ratings]


def mean_rating(samples: Sequence[float]) -> Rating:
    """A mean with its interval; without a spread for a single sample."""
    mean = statistics.fmean(samples)
    half = Z * statistics.stdev(samples) / math.sqrt(len(samples)) if len(samples) > 1 else 0.0
    return Rating(mean, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test between two players: is the first stronger by at least `elo1`, or by at most `elo0`?

    The generalized test (Li, Liu, Xu, Ying 2014) on the mean scores of matches: a wrong verdict has about the
    chance `error` each way.
    """

    elo0: float
    elo1: float
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that decides, either way."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio of the first player's mean scores in matches so far."""
        if len(scores) < 2:
            return 0.0
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (self.elo0, self.elo1))
        # Few or equal results must not look certain.
        variance = max(statistics.variance(scores), 0.05)
        mean = statistics.fmean(scores)
        return len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: Sequence[float]) -> str | None:
        """ "stronger", "not stronger", or None while it is open."""
        ratio = self.ratio(scores)
        if ratio >= self.bound:
            return "stronger"
        return "not stronger" if ratio <= -self.bound else None
