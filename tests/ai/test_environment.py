"""The PettingZoo environment."""

import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ai.environment import LENGTH, StemBranchEnv, flat
from engine import Game
from engine import observe as seen_by
from engine.state import STEPS
from tests.ai.positions import game_after, hidden_dealt_otherwise

TABLES = [("competitive", 2), ("competitive", 4), ("cooperative", 1), ("cooperative", 3)]


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_it_passes_pettingzoos_own_test(mode: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice, such as that observations could be images
        api_test(StemBranchEnv(seats, mode), num_cycles=600)
        seed_test(lambda: StemBranchEnv(seats, mode), num_cycles=100)


def played(env: StemBranchEnv, seed: int) -> dict[str, float]:
    env.reset(seed=seed)
    chance = random.Random(seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        assert observation["observation"].shape == (LENGTH,)
        assert not cut
        rewards[agent] += reward
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert bool(legal) is not ended
        env.step(None if ended else chance.choice(legal))
    return rewards


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_random_agents_play_games_to_their_end(mode: str, seats: int) -> None:
    env = StemBranchEnv(seats, mode)
    for seed in range(5):
        rewards = played(env, seed)
        if mode == "competitive":
            assert sum(rewards.values()) == pytest.approx(2 - seats)
            assert all(-1 <= reward <= 1 for reward in rewards.values())
        else:
            assert len(set(rewards.values())) == 1
            assert 0 <= rewards["seat_0"] < 1


def test_what_is_hidden_from_a_seat_changes_nothing_that_it_is_told() -> None:
    game = game_after(14, "competitive", 3, seed=4)
    seat = game.seat_to_act
    assert seat is not None
    other = hidden_dealt_otherwise(game, seat, seed=2)
    assert np.array_equal(flat(game.observe(seat)[0], seat), flat(other.observe(seat)[0], seat))
    env = StemBranchEnv(2)
    env.reset(seed=1)
    seen = seen_by(env._states, 0)[0]
    assert seen["hands"][1] == 0
    told = env.observe("seat_0")["observation"]
    assert told[:60].sum() == 4
    assert told[60:240].sum() == 0


def test_a_step_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = StemBranchEnv(2)
    env.reset(seed=3)
    before = env._states.tobytes()
    illegal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)
    for step in (int(illegal[-1]), STEPS, -1):
        with pytest.raises(ValueError, match="not legal"):
            env.step(step)
    assert env._states.tobytes() == before


def test_options_of_co_op_hold() -> None:
    env = StemBranchEnv(2, "cooperative", {"element_tokens": False, "hands": "open"})
    env.reset(seed=3)
    told = env.observe("seat_0")["observation"]
    assert told[:120].sum() == 8
    with pytest.raises(ValueError, match="options-not-competitive"):
        StemBranchEnv(2, options={"hands": "open"})
    assert Game.new("cooperative", 2, options={"hands": "open"}).open_hands
