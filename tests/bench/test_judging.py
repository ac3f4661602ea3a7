"""Judging positions: the measure itself is right about what is known."""

from ai.search import ROLLOUTS, UNIFORM
from bench.judging import error, positions, worths


def test_positions_leave_a_choice_and_are_the_same_for_a_seed() -> None:
    seen, again = positions(4, seed=8), positions(4, seed=8)
    assert [each.tobytes() for each in seen] == [each.tobytes() for each in again]
    assert all(len(each) > 1 for each in worths(seen, ROLLOUTS, 1, seed=1))


def test_more_rollouts_judge_more_truly_and_those_of_a_policy_otherwise_than_random_ones() -> None:
    seen = positions(6, seed=9)
    truth = worths(seen, ROLLOUTS, 600, seed=1)
    errors = [error(worths(seen, ROLLOUTS, times, seed=2), truth) for times in (8, 80, 600)]
    assert errors == sorted(errors, reverse=True)
    assert error(worths(seen, ROLLOUTS._replace(rollout=UNIFORM), 600, seed=2), truth) > errors[-1]
