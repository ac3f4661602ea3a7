"""This game as one of OpenSpiel's: true to the rules, and blind to what a seat cannot see."""

import random
import time

import numpy as np
import pyspiel
import pytest

from bench.openspiel.game import CARDS, CompetitiveGame, Resampler, StemBranchState
from bench.openspiel.match import TimedBot, dealt
from engine import ANIMALS, CARD_NAMES, ELEMENTS, Game, action_of

SET_UPS = (
    "python_stem_branch",
    "python_stem_branch(players=4,year_animal=pig)",
    "python_stem_branch_coop(players=1)",
    "python_stem_branch_coop(players=3,hands=closed,move=any,element_tokens=False)",
)


def played(set_up: str, seed: int, steps: int) -> StemBranchState:
    chance = random.Random(seed)
    state = pyspiel.load_game(set_up).new_initial_state()
    while not state.is_terminal() and state.move_number() < CARDS + 11 + steps:
        options = (
            state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        )
        state.apply_action(chance.choices(*zip(*options, strict=True))[0])
    return state


@pytest.mark.parametrize("set_up", SET_UPS)
def test_openspiels_own_checks_pass(set_up: str):
    pyspiel.random_sim_test(pyspiel.load_game(set_up), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("set_up", SET_UPS)
def test_a_game_ends_as_the_engine_has_it(set_up: str):
    end = played(set_up, seed=5, steps=1000)
    params = end.get_game().get_parameters()
    competitive = "coop" not in set_up
    game = Game.new(
        "competitive" if competitive else "cooperative",
        params["players"],
        seed=1,
        options=None if competitive else {key: params[key] for key in ("element_tokens", "hands", "move")},
        year_animal=params.get("year_animal", ANIMALS[0]),
    )
    record = game.record()
    tokens, cards = end.deal[1:-CARDS], end.deal[-CARDS:]
    record["setup"] = {
        "first_seat": end.deal[0],
        "deck": [CARD_NAMES[card] for card in cards],
        "tokens": [ELEMENTS[element] for element in tokens],
    }
    game = Game.from_record(record)
    again = end.get_game().new_initial_state()
    for told in end.deal:
        again.apply_action(told)
    before, steps = again.states.copy(), []
    for step in end.log[1::4]:
        again.apply_action(step)
        steps.append(step)
        if again.states[0]["played"] != before[0]["played"] or again.is_terminal():
            game.apply(action_of(before, steps))
            before, steps = again.states.copy(), []
    assert game.over
    assert game.result is not None
    if competitive:
        seats, winners = params["players"], game.result["winners"]
        shares = [seats / len(winners) - 1 if seat in winners else -1 for seat in range(seats)]
        assert end.returns() == pytest.approx(shares)
    else:
        assert set(end.returns()) == {game.result["score"]}


@pytest.mark.parametrize("set_up", SET_UPS)
@pytest.mark.parametrize("steps", [0, 17, 40, 61])
def test_a_resampled_state_could_be_the_true_one_for_all_that_its_seat_knows(set_up: str, steps: int):
    state = played(set_up, seed=steps, steps=steps)
    seat = state.current_player()
    resample = Resampler(seed=3)
    deals = set()
    for _ in range(10):
        sampled = resample(state, seat)
        deals.add(sampled.deal)
        assert sampled.information_state_string(seat) == state.information_state_string(seat)
        assert sampled.information_state_tensor(seat) == state.information_state_tensor(seat)
        again = state.get_game().new_initial_state()
        for told in sampled.deal:
            again.apply_action(told)
        for step in sampled.log[1::4]:
            assert step in again.legal_actions()
            again.apply_action(step)
        assert again.states.tobytes() == sampled.states.tobytes()
        assert again.log == sampled.log
    assert len(deals) == 10


@pytest.mark.parametrize("set_up", SET_UPS)
def test_resampling_depends_on_nothing_hidden(set_up: str):
    state = played(set_up, seed=2, steps=50)
    seat = state.current_player()
    otherwise = Resampler(seed=8)(state, seat)
    assert otherwise.deal != state.deal
    one, other = Resampler(seed=3)(state, seat), Resampler(seed=3)(otherwise, seat)
    assert (one.deal, one.log) == (other.deal, other.log)
    assert np.array_equal(one.states, other.states)


def test_what_others_drew_unseen_is_not_told():
    state = played("python_stem_branch", seed=2, steps=50)
    seat = state.current_player()
    sampled = Resampler(seed=3)(state, seat)
    assert sampled.information_state_string(1 - seat) != state.information_state_string(1 - seat)
    assert sampled.observation_string(seat) == state.observation_string(seat)


@pytest.mark.parametrize("rollouts", ["own_rollouts", "compiled_rollouts"])
def test_the_bot_answers_in_time_with_a_legal_step(rollouts: str):
    state = dealt(seed=4)
    assert isinstance(state.get_game(), CompetitiveGame)
    bot = TimedBot(state.get_game(), rollouts, seed=1)
    deadline = time.thread_time() + 0.1
    assert bot.step(state, deadline) in state.legal_actions()
    assert time.thread_time() < deadline + 0.1
    assert bot.iterations > 1
