"""Ratings, intervals and the sequential test.

Everything is computed from all games at once, in the order of the schedule, so it does not matter in which
order they were finished.
"""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from ai.ladder import Played

Z = statistics.NormalDist().inv_cdf(0.975)
ELO = 400 / math.log(10)  # of a Bradley-Terry strength of 1
CENTRE = 1500.0  # the mean of all Elo ratings
PRIOR = 1 / (1200 / ELO) ** 2  # keeps the ratings of who won or lost everything finite
PASSES, CLOSE = 100, 1e-3  # of PlackettLuce; its intervals are a thousand times as wide
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
    alike. Who has not played has the prior's.
    """
    pairs = [(games[0].seats, _score(games), len(games)) for games in matches]
    there = {entrant for seats, _, _ in pairs for entrant in seats}
    unknown = PRIOR * np.diag([float(entrant not in there) for entrant in range(entrants)])
    strengths = np.zeros(entrants)
    for _ in range(100):
        gradient, curvature, scatter = (
            -PRIOR * strengths,
            PRIOR * np.eye(entrants),
            unknown,
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
    """Ratings of games of any number of seats by PlackettLuce (Weng and Lin 2011), whose mean is 25.

    openskill rates one game after the other, so that later ones would count for more. Here each game is rated
    as if it were the last, over and over until nothing changes (expectation propagation), and the order does
    not matter. A match is one sample of the intervals, as in `elo_ratings`.
    """
    model = PlackettLuce(gamma=lambda *_: 1.0, tau=0.0)
    usual = model.rating()
    prior = np.array([usual.sigma**-2, usual.mu * usual.sigma**-2])  # precision, and precision times mean
    outcomes = [
        [tuple(sorted(zip(game.seats, game.places, strict=True))) for game in games] for games in matches
    ]
    counts = Counter(outcome for games in outcomes for outcome in games)
    told = {outcome: np.zeros((len(outcome), 2)) for outcome in counts}  # what one such game says of each
    means = np.full(entrants, np.inf)
    for _ in range(PASSES):
        known = np.tile(prior, (entrants, 1))
        for outcome, count in counts.items():
            known[[entrant for entrant, _ in outcome]] += count * told[outcome]
        latest, means = means, known[:, 1] / known[:, 0]
        # Only differences are told by games; what all have in common is the prior's, and comes slowly.
        means = means - means.mean()
        if np.abs(means - latest).max() < CLOSE:
            break
        for outcome, before in told.items():
            others = known[[entrant for entrant, _ in outcome]] - before
            teams = [[model.rating(mu=pull / precision, sigma=precision**-0.5)] for precision, pull in others]
            rated = model.rate(teams, ranks=[float(place) for _, place in outcome])
            after = np.array([[each.sigma**-2, each.mu * each.sigma**-2] for (each,) in rated]) - others
            told[outcome] = (before + after) / 2
    common = (known[:, 1] / known[:, 0]).mean()
    scatter = np.full(entrants, prior[0])
    for games in outcomes:
        surprise, weight = np.zeros(entrants), np.zeros(entrants)
        for outcome in games:
            for (entrant, _), (precision, pull) in zip(outcome, told[outcome], strict=True):
                surprise[entrant] += pull - precision * (means[entrant] + common)
                weight[entrant] += precision
        scatter += np.maximum(surprise**2, LEAST_ALIKE * weight)
    # Against the mean of all, which moves along with each.
    spread = Z * np.sqrt(scatter) / known[:, 0] * (entrants - 1) / entrants
    return [
        Rating(float(value), float(value - half), float(value + half))
        for value, half in zip(usual.mu + means, spread, strict=True)
    ]


def mean_rating(samples: Sequence[float], highest: float) -> Rating:
    """A mean of samples between 0 and `highest` with its interval, which is all of that where there are too
    few of them to tell."""
    mean = statistics.fmean(samples) if samples else 0.0
    if len(samples) < 2:
        return Rating(mean, 0.0, highest)
    half = Z * statistics.stdev(samples) / math.sqrt(len(samples))
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
