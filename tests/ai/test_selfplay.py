"""Games of a search against itself: seats see what they may, and the same seed gives the same lessons."""

import numpy as np
import pytest

from ai.network import blank
from ai.search import NETWORK, Tuning
from ai.selfplay import look, play_lessons
from engine.state import ACTION, new_state
from tests.ai.positions import TABLES, Json, game_after


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
def test_a_seat_of_a_lesson_sees_what_a_player_sees(mode: str, seats: int, options: Json | None) -> None:
    for actions in (0, 13, 40):
        game = game_after(actions, mode, seats, options, seed=actions)
        seen = new_state()
        for seat in range(seats):
            look(game.states(), seen, seat)
            assert seen.tobytes() == game.observe(seat).tobytes()


@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
def test_lessons_are_whole_games_and_the_same_for_a_seed(mode: str) -> None:
    lessons, again, other = (
        play_lessons(mode, seed, 6, 12, Tuning(rollout=NETWORK), blank()) for seed in (5, 5, 6)
    )
    for one, same in zip(lessons, again, strict=True):
        assert one.tobytes() == same.tobytes()
    assert other.states.tobytes() != lessons.states.tobytes()
    assert (lessons.states["phase"] == ACTION).all()
    assert sorted(set(lessons.game)) == list(range(6))
    for game in range(6):
        of_game = lessons.states[lessons.game == game]
        assert len(of_game) >= 20
        assert (np.diff(of_game["played"]) > 0).all()
        seats = int(of_game[0]["seats"])
        outcome = lessons.outcome[lessons.game == game][0, :seats]
        if mode == "competitive":
            assert outcome.sum() == pytest.approx(1)
            assert lessons.outlook[lessons.game == game].sum(1) == pytest.approx(1)
        else:
            assert 0 <= outcome[0] <= 60
