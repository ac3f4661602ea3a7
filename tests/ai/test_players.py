"""Every player, in every mode and number of seats."""

import random
import time

import pytest

from ai import PLAYERS, Budget, UnknownPlayer, choose, choose_counted, fallback
from ai.search import Tuning, new_tree
from ai.thinking import SOFT_VISITS, Mind, Search, complete_line
from engine import Game, board_names
from tests.ai.positions import TABLES, Json, game_after
from tests.engine.positions import game_at, position

QUICK = Budget(60.0, iterations=60)


def test_the_levels_carry_the_rank_names_from_weak_to_strong() -> None:
    assert list(PLAYERS) == [
        "random", "greedy", "beginner", "apprentice", "average", "good", "strong", "expert", "master",
    ]  # fmt: skip
    assert all(0 < player.seconds <= 2 for player in PLAYERS.values())


@pytest.mark.parametrize("board", board_names())
@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
def test_players_play_whole_games_by_legal_actions(
    mode: str, seats: int, options: Json | None, board: str
) -> None:
    chance = random.Random(seats)
    game = Game.new(mode, seats, seed=seats, options=options, board=board)
    while (seat := game.seat_to_act) is not None:
        action = choose(
            chance.choice(["random", "greedy", "beginner", "strong"]), game.observe(seat), 1, QUICK
        )
        assert action in game.legal_actions()
        game.apply(action)
    assert game.result is not None


@pytest.mark.parametrize("player", PLAYERS)
def test_a_seed_makes_a_choice_repeatable(player: str) -> None:
    game = game_after(8, "competitive", 3, seed=2)
    seat = game.seat_to_act
    assert seat is not None
    assert choose(player, game.observe(seat), 9, QUICK) == choose(player, game.observe(seat), 9, QUICK)


def test_choosing_leaves_the_observation_as_it_was() -> None:
    game = game_after(12, "cooperative", 2, {"move": "any"}, seed=4)
    seat = game.seat_to_act
    assert seat is not None
    observation = game.observe(seat)
    before = observation.tobytes()
    for player in PLAYERS:
        choose(player, observation, 1, QUICK)
    assert observation.tobytes() == before


def test_a_search_ends_by_its_deadline_when_iterations_would_never_end_it() -> None:
    game = game_after(0, "competitive", 2)
    seat = game.seat_to_act
    assert seat is not None
    action = choose("master", game.observe(seat), 1, Budget(0.05))
    assert action in game.legal_actions()


def test_a_search_by_time_ends_once_its_choice_is_settled_and_one_by_iterations_does_not() -> None:
    stacks = ["wood-mouse", "wood-buffalo", "fire-tiger", "fire-cat", "earth-dragon", "earth-snake"]
    owner = {name.split("-")[1]: 0 for name in stacks}
    last = {"seat": 1, "reason": "years"}
    game = game_at(
        position(
            hands=["metal-horse metal-cat", "water-pig"],
            stacks=dict(enumerate(stacks)),
            actions_left=1,
            years=[40, 46],
            owner=owner,
            last_round=last,
        )
    )
    observation = game.observe(0)

    def searched(budget: Budget, tuning: Tuning) -> Search:
        search = Search(Mind(observation, 1), budget, tuning)
        search.choose_step()
        return search

    long = searched(Budget(0.4, cpu=True), Tuning(settle=False))
    short = searched(Budget(0.4, cpu=True), Tuning())
    assert 0 < short.iterations < long.iterations
    assert searched(Budget(60.0, iterations=400), Tuning()).iterations == 300


@pytest.mark.serial
@pytest.mark.parametrize("cpu", [False, True])
def test_several_threads_have_the_same_time_each_for_all_steps_of_an_action(cpu: bool) -> None:
    game = game_after(14, "competitive", 2, seed=3)
    seat = game.seat_to_act
    assert seat is not None
    spin = time.thread_time() + 0.3  # this thread's clock is ahead of those of new threads
    while time.thread_time() < spin:
        pass
    search = Search(Mind(game.observe(seat), 1), Budget(0.2, cpu=cpu, threads=2), Tuning(settle=False))
    complete_line(search.mind, search.choose_step)
    assert 0.1 <= search.thought < 0.3


def test_several_threads_search_for_one_action() -> None:
    game = game_after(5, "cooperative", 2, seed=8)
    seat = game.seat_to_act
    assert seat is not None
    observation = game.observe(seat)
    search = Search(Mind(observation, 1), Budget(60.0, iterations=200, threads=3), Tuning())
    search.think(share=1.0)
    steps = search.mind.legal_steps()
    assert [int(branch.tree.visits[0]) for branch in search.branches] == [200] * 3
    assert sum(search.visits(steps)) == 600
    assert len({branch.tree.visits[:50].tobytes() for branch in search.branches}) == 3
    action = choose("master", observation, 1, Budget(60.0, iterations=200, threads=2))
    assert action in game.legal_actions()


def test_a_soft_choice_varies_but_stays_among_what_the_search_found_worth_trying() -> None:
    game = game_after(8, "competitive", 2, seed=2)
    seat = game.seat_to_act
    assert seat is not None
    chosen, tried = set(), set()
    for seed in range(30):
        search = Search(Mind(game.observe(seat), seed), Budget(60.0, iterations=400), Tuning(), softness=0.05)
        steps = search.mind.legal_steps()
        search.think()
        visits = dict(zip(steps, search.visits(steps), strict=True))
        tried |= {step for step, count in visits.items() if count >= SOFT_VISITS * max(visits.values())}
        chosen.add(search.choose_step())
    assert len(chosen) > 1
    assert chosen <= tried


def test_a_full_tree_goes_on_learning_without_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.thinking.new_tree", lambda capacity: new_tree(60))
    game = game_after(3, "competitive", 2, seed=6)
    seat = game.seat_to_act
    assert seat is not None
    assert choose("good", game.observe(seat), 1, Budget(60.0, iterations=2_000)) in game.legal_actions()


def test_the_fallback_is_legal_everywhere() -> None:
    for mode, seats, options in TABLES:
        for actions in (0, 17, 33):
            game = game_after(actions, mode, seats, options, seed=actions)
            if (seat := game.seat_to_act) is not None:
                assert fallback(game.observe(seat)) in game.legal_actions()


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(UnknownPlayer, match="grandmaster"):
        choose("grandmaster", game_after(0, "competitive", 2).observe(0))


def test_choosing_with_a_count_tells_the_searchs_effort() -> None:
    game = Game.new("competitive", 2, seed=3)
    assert game.seat_to_act is not None
    observation = game.observe(game.seat_to_act)
    action, iterations = choose_counted("apprentice", observation)
    assert action in game.legal_actions()
    assert 0 < iterations <= 16
    assert choose_counted("greedy", observation)[1] == 0
    with pytest.raises(UnknownPlayer):
        choose_counted("nobody", observation)
