"""Ratings and the sequential test: their properties, by simulation where they are claims about chance."""

import math
import random
from collections.abc import Sequence

import pytest
from openskill.models import PlackettLuce

from ai.ladder import Played
from ai.ratings import Sprt, elo_ratings, mean_rating, plackett_luce_ratings


def game(seats: Sequence[int], winner: int) -> Played:
    """A game that the entrant `winner` won."""
    shares = tuple(float(entrant == winner) for entrant in seats)
    places = tuple(int(entrant != winner) for entrant in seats)
    return Played(tuple(seats), shares, places, (30,) * len(seats), (1.0,) * len(seats), {})


def match(one: int, other: int, first: int, second: int) -> list[Played]:
    return [game((one, other), first), game((other, one), second)]


def simulated(chance: float, matches: int, rng: random.Random) -> list[list[Played]]:
    """Matches in which entrant 0 wins each game with that chance."""
    return [match(0, 1, *(0 if rng.random() < chance else 1 for _ in range(2))) for _ in range(matches)]


def test_equal_results_give_equal_ratings() -> None:
    ratings = elo_ratings(3, [match(0, 1, 0, 1), match(1, 2, 1, 2), match(0, 2, 0, 2)])
    assert [rating.value for rating in ratings] == pytest.approx([1500] * 3)
    assert ratings[0].high - ratings[0].low == pytest.approx(ratings[2].high - ratings[2].low)


def test_a_player_who_wins_three_of_four_is_191_points_above() -> None:
    ratings = elo_ratings(2, [match(0, 1, 0, 0), match(0, 1, 0, 1)] * 400)
    assert ratings[0].value - ratings[1].value == pytest.approx(190.8, abs=3)
    assert sum(rating.value for rating in ratings) == pytest.approx(3000)


def test_the_order_within_and_of_matches_changes_no_elo_rating() -> None:
    matches = [*simulated(0.6, 50, random.Random(1)), match(0, 2, 0, 0), match(1, 2, 2, 1)]
    expected = elo_ratings(3, matches)
    turned = [list(reversed(games)) for games in matches]
    for ratings in (elo_ratings(3, matches[::-1]), elo_ratings(3, turned)):
        for one, other in zip(ratings, expected, strict=True):
            assert (one.value, one.low) == pytest.approx((other.value, other.low))


def test_winning_everything_gives_a_finite_rating_with_a_wide_interval() -> None:
    ratings = elo_ratings(2, [match(0, 1, 0, 0)] * 20)
    assert ratings[1].high < ratings[0].low
    assert 2000 < ratings[0].value < 3500
    assert ratings[0].high - ratings[0].low > 100


def test_elo_intervals_hold_the_truth_in_about_95_of_100_ladders() -> None:
    rng = random.Random(5)
    truth = 400 * 0.1761 / 2  # of the stronger above the mean, who wins 6 of 10
    held = 0
    for _ in range(200):
        rating = elo_ratings(2, simulated(0.6, 60, rng))[0]
        held += rating.low <= 1500 + truth <= rating.high
    assert 180 <= held <= 199


def test_a_mirror_match_shows_no_difference_beyond_its_interval() -> None:
    rng = random.Random(8)
    outside = 0
    for _ in range(100):
        rating = elo_ratings(2, simulated(0.5, 50, rng))[0]
        outside += not rating.low <= 1500 <= rating.high
    assert outside <= 12


def test_plackett_luce_rates_three_seats_by_their_places() -> None:
    matches = [[game((0, 1, 2), 0)], [game((1, 2, 0), 0)], [game((2, 0, 1), 1)]] * 20
    best, middle, last = plackett_luce_ratings(3, matches)
    assert best.value > middle.value > last.value
    assert best.low < best.value < best.high
    assert plackett_luce_ratings(3, matches) == [best, middle, last]


def test_equal_results_of_three_give_equal_ratings_whatever_the_order() -> None:
    lineups = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    matches = [[game(lineup, winner) for lineup in lineups] for winner in range(3)] * 10
    for seed in range(3):
        random.Random(seed).shuffle(matches)
        ratings = plackett_luce_ratings(3, matches)
        for rating in ratings:
            assert (rating.value, rating.low) == pytest.approx((25, ratings[0].low), abs=0.01)


def test_the_order_of_matches_changes_no_plackett_luce_rating() -> None:
    rng = random.Random(3)
    matches = [[placed(rng, (30, 27, 25, 22), rng.sample(range(4), 3)) for _ in range(3)] for _ in range(30)]
    expected = plackett_luce_ratings(4, matches)
    rng.shuffle(matches)
    for one, other in zip(plackett_luce_ratings(4, matches), expected, strict=True):
        assert (one.value, one.low) == pytest.approx((other.value, other.low), abs=0.01)


def placed(rng: random.Random, strengths: Sequence[float], seats: Sequence[int]) -> Played:
    """A game that follows the model: each place goes by strength to one of those left."""
    model = PlackettLuce()
    left, places = list(seats), {}
    while left:
        weights = [math.exp(strengths[each] / (model.beta * math.sqrt(len(seats)))) for each in left]
        [best] = rng.choices(left, weights)
        places[best] = len(places)
        left.remove(best)
    order = tuple(places[each] for each in seats)
    shares = tuple(float(place == 0) for place in order)
    return Played(tuple(seats), shares, order, (30,) * len(seats), (1.0,) * len(seats), {})


def test_plackett_luce_intervals_hold_the_truth_in_about_95_of_100_cases() -> None:
    rng, truth = random.Random(6), (28, 25, 22)
    held = 0
    for _ in range(40):
        matches = [[placed(rng, truth, rng.sample(range(3), 3)) for _ in range(3)] for _ in range(30)]
        ratings = plackett_luce_ratings(3, matches)
        held += sum(rating.low <= each <= rating.high for rating, each in zip(ratings, truth, strict=True))
    assert 107 <= held < 120


def test_a_mean_score_has_an_interval() -> None:
    rating = mean_rating([40.0, 50.0] * 20, 60)
    assert rating.value == 45
    assert rating.high - rating.value == pytest.approx(1.57, abs=0.02)


def verdicts(chance: float, tests: int, longest: int) -> dict[str | None, int]:
    rng, sprt = random.Random(11), Sprt(0, 60)
    found: dict[str | None, int] = {"stronger": 0, "not stronger": 0, None: 0}
    for _ in range(tests):
        scores: list[float] = []
        verdict = None
        while verdict is None and len(scores) < longest:
            scores.append(sum(rng.random() < chance for _ in range(2)) / 2)
            verdict = sprt.verdict(scores)
        found[verdict] += 1
    return found


def test_where_nothing_is_known_the_interval_is_all_that_there_can_be() -> None:
    for samples in ([], [49.0]):
        rating = mean_rating(samples, 60)
        assert (rating.low, rating.high) == (0, 60)
    matches = [match(0, 1, 0, 1)] * 30
    for ratings in (elo_ratings(3, matches), plackett_luce_ratings(3, matches)):
        widths = [rating.high - rating.low for rating in ratings]
        assert widths[2] > 3 * max(widths[:2])


def test_the_sequential_test_errs_in_about_one_of_twenty() -> None:
    equal = verdicts(0.5, 300, 2000)
    assert equal["stronger"] <= 300 * 0.085
    assert equal[None] == 0
    stronger = verdicts(1 / (1 + 10 ** (-60 / 400)), 300, 2000)
    assert stronger["not stronger"] <= 300 * 0.085
    assert stronger[None] == 0


def test_the_sequential_test_decides_clear_cases_soon_but_not_from_two_games() -> None:
    sprt = Sprt(0, 60)
    assert sprt.verdict([1.0, 1.0]) is None
    assert sprt.verdict([1.0] * 12) == "stronger"
    assert sprt.verdict([0.0] * 12) == "not stronger"
