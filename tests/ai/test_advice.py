"""What the search says of a position and of a played game."""

import pytest

from ai import Budget, analyse, consider, judge, play_game
from ai.search import LEARNED
from ai.thinking import Mind, Search
from engine import Game, steps_of
from tests.ai.positions import TABLES, Json, game_after, hidden_dealt_otherwise
from tests.engine.positions import game_at, position

BUDGET = Budget(60.0, iterations=200)


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
def test_the_best_actions_are_legal_and_come_with_an_outlook_for_every_seat(
    mode: str, seats: int, options: Json | None
) -> None:
    game = game_after(10, mode, seats, options, seed=2)
    seat = game.seat_to_act
    assert seat is not None
    candidates = consider(game.observe(seat), BUDGET, seed=1)
    assert 1 <= len(candidates) <= 3
    legal = game.legal_actions()
    for candidate in candidates:
        assert candidate.action in legal
        assert len(candidate.outlook) == seats
        if mode == "competitive":
            assert sum(candidate.outlook) == pytest.approx(1)
        else:
            assert len(set(candidate.outlook)) == 1
            assert 0 <= candidate.outlook[0] <= 60


def test_the_first_action_begins_as_the_search_would_and_the_order_is_that_of_the_visits() -> None:
    for seed in range(12):
        game = game_after(8 + 2 * seed, "competitive", 2, seed=seed)
        seat = game.seat_to_act
        assert seat is not None
        observation = game.observe(seat)
        candidates = consider(observation, BUDGET, seed)
        visits = [candidate.visits for candidate in candidates]
        assert visits == sorted(visits, reverse=True)
        mind = Mind(observation, seed)
        search = Search(mind, BUDGET, LEARNED)
        search.think(share=1.0)
        counts = dict(zip(mind.legal_steps(), search.visits(mind.legal_steps()), strict=True))
        first = steps_of(observation, candidates[0].action)[0]
        assert counts[first] == max(counts.values()) == visits[0]


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
def test_advice_depends_only_on_what_the_seat_may_see(mode: str, seats: int, options: Json | None) -> None:
    game = game_after(12, mode, seats, options, seed=5)
    seat = game.seat_to_act
    assert seat is not None
    other = hidden_dealt_otherwise(game, seat, seed=3)
    assert consider(game.observe(seat), BUDGET, 4) == consider(other.observe(seat), BUDGET, 4)
    action = game.legal_actions()[0]
    assert judge(game, 12, action, BUDGET, 4) == judge(other, 12, action, BUDGET, 4)


def test_every_action_of_a_game_is_judged_in_order() -> None:
    game = play_game(Game.new("competitive", 3, seed=4), ["random", "greedy", "good"], seed=1)
    judged = list(analyse(game, BUDGET, seed=1))
    assert [each.action for each in judged] == game.actions
    assert [each.index for each in judged] == list(range(game.actions_played))
    assert all(0 <= chance <= 1 for each in judged for chance in (*each.before, *each.after))


def test_who_plays_at_random_is_found_to_lose_by_it() -> None:
    lost = [0.0, 0.0]
    for seed in range(3):
        game = play_game(Game.new("competitive", 2, seed=40 + seed), ["random", "good"], seed=seed)
        for each in analyse(game, BUDGET, seed=1):
            lost[each.seat] += each.before[each.seat] - each.after[each.seat]
    assert lost[0] > 2 * lost[1]
    assert lost[0] > 1


def test_a_thrown_away_win_is_a_mistake_and_the_winning_action_is_named() -> None:
    stacks = ["wood-mouse", "wood-buffalo", "fire-tiger", "fire-cat", "earth-dragon", "earth-snake"]
    game = game_at(
        position(
            hands=["metal-horse metal-cat", "water-pig"],
            stacks=dict(enumerate(stacks)),
            actions_left=1,
            years=[40, 46],
            owner={name.split("-")[1]: 0 for name in stacks},
            last_round={"seat": 1, "reason": "years"},
        )
    )
    judged = judge(game, 0, {"seat": 0, "type": "draw", "source": "deck"}, BUDGET, seed=1)
    assert judged.before == [1, 0]
    assert judged.after == [0, 1]
    assert judged.better is not None
    assert judged.better["card"] == "metal-horse"
