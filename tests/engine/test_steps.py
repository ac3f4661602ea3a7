"""The kernel's steps, which searches play, spell every legal action once and nothing else."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import STATE, Game, action_of, board_names
from engine.kernel import apply_step, legal_steps
from engine.state import MAX_LEGAL
from tests.engine.deals import SCROLL, choose, deal
from tests.engine.positions import game_at, position
from tests.engine.table import assert_same_actions
from tests.engine.test_chance_positions import SETTINGS, scattered

Json = dict[str, Any]


def states_of(game: Game) -> Any:
    return np.frombuffer(game.state_bytes()[-STATE.itemsize :], STATE).copy()


def spelled(states: Any, steps: list[int]) -> Iterator[tuple[list[int], Any]]:
    """Every sequence of legal steps that completes an action, with the states it leads to."""
    out = np.zeros(MAX_LEGAL, np.int16)
    count = legal_steps(states[0], out)
    assert 0 < count <= MAX_LEGAL
    possible = out[:count].tolist()
    assert len(set(possible)) == count
    for step in possible:
        following = states.copy()
        apply_step(following[0], step)
        if following[0]["played"] > states[0]["played"]:
            yield [*steps, step], following
        else:
            yield from spelled(following, [*steps, step])


def check_steps(game: Game, chance: random.Random) -> None:
    states = states_of(game)
    ways = list(spelled(states, []))
    actions = [action_of(states, steps) for steps, _ in ways]
    assert_same_actions(actions, game.legal_actions())
    for number in chance.sample(range(len(ways)), min(5, len(ways))):
        other = Game.restore(game.header(), None, game.state_bytes())
        other.apply(actions[number])
        assert states_of(other).tobytes() == ways[number][1].tobytes()


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 2**32), setting=st.sampled_from(SETTINGS), board=st.sampled_from(board_names()))
def test_steps_spell_the_legal_actions_where_chance_put_everything(
    number: int, setting: tuple[str, int, Json | None], board: str
) -> None:
    chance = random.Random(number)
    reference = scattered(chance, *setting, board)
    if reference.competitive or len(reference.ascended) < 12:
        check_steps(game_at(reference), chance)


@pytest.mark.parametrize("setting", SETTINGS[::5], ids=lambda setting: f"{setting[0]} {setting[1]}")
def test_steps_spell_the_legal_actions_through_whole_games(setting: tuple[str, int, Json | None]) -> None:
    mode, seats, options = setting
    game, chance = Game.from_record(deal(21, mode, seats, SCROLL, options)), random.Random(21)
    while not game.over:
        check_steps(game, chance)
        game.apply(choose(game.legal_actions(), chance, "summoner"))
    assert legal_steps(states_of(game)[0], np.zeros(MAX_LEGAL, np.int16)) == 0


@pytest.mark.parametrize("sharing", [4, 5])
@pytest.mark.parametrize("options", [None, {"move": "vacated"}, {"move": "any"}])
def test_a_card_that_all_its_neighbours_pay_for(sharing: int, options: Json | None) -> None:
    """A rank 5 with nothing to pay it: five spaces around one must share, one space has six vines."""
    stacks = dict(enumerate(("wood-mouse", "wood-buffalo", "wood-dog", "wood-pig", "wood-monkey")[:sharing]))
    mode = "cooperative" if options else "competitive"
    game = game_at(position(mode, 2, options=options, hands=["wood-tiger"], stacks=stacks))
    assert any(action["type"] == "summon" for action in game.legal_actions()) == (sharing == 5)
    check_steps(game, random.Random(0))
