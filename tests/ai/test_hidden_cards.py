"""A player knows what its seat may see, and nothing else (R22)."""

import numpy as np
import pytest

from ai import PLAYERS, Budget, choose
from ai.determinization import deal_unseen, list_unseen
from ai.search import LEARNED, PLAIN, UNIFORM, Tuning
from engine import CARDS, Game, States
from tests.ai.positions import TABLES, Json, game_after, hidden_dealt_otherwise

BUDGET = Budget(60.0, iterations=150)


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
@pytest.mark.parametrize("actions", [0, 9, 26])
def test_games_that_differ_only_in_hidden_cards_are_one_to_a_player(
    mode: str, seats: int, options: Json | None, actions: int
) -> None:
    game = game_after(actions, mode, seats, options, seed=actions)
    seat = game.seat_to_act
    assert seat is not None
    other = hidden_dealt_otherwise(game, seat, seed=1)
    assert other.record() != game.record()
    assert other.observe(seat).tobytes() == game.observe(seat).tobytes()
    for player in ("random", "greedy", "good"):
        assert choose(player, other.observe(seat), 5, BUDGET) == choose(player, game.observe(seat), 5, BUDGET)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
def test_every_player_is_blind_to_hidden_cards(player: str, mode: str) -> None:
    game = game_after(11, mode, 3, {"hands": "closed"} if mode == "cooperative" else None, seed=7)
    seat = game.seat_to_act
    assert seat is not None
    other = hidden_dealt_otherwise(game, seat, seed=2)
    assert choose(player, other.observe(seat), 6, BUDGET) == choose(player, game.observe(seat), 6, BUDGET)


@pytest.mark.parametrize(
    "tuning",
    [
        Tuning(),
        PLAIN,
        LEARNED,
        LEARNED._replace(horizon=1),
        Tuning(prior=0.0),
        Tuning(rollout=UNIFORM),
        Tuning(horizon=1),
        Tuning(horizon=3),
        Tuning(all_payments=False),
        Tuning(reuse=False),
        Tuning(settle=False, win_weight=0.5),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_way_to_search_is_blind_to_hidden_cards(tuning: Tuning, threads: int) -> None:
    game = game_after(14, "competitive", 3, seed=8)
    seat = game.seat_to_act
    assert seat is not None
    other = hidden_dealt_otherwise(game, seat, seed=4)
    budget = Budget(60.0, iterations=150, threads=threads)
    chosen = choose("good", game.observe(seat), 6, budget, tuning)
    assert chosen in game.legal_actions()
    assert choose("good", other.observe(seat), 6, budget, tuning) == chosen


def dealt(game: Game, seat: int, seed: int) -> States:
    observation = game.observe(seat)
    pool = np.zeros(60, np.int8)
    unseen = list_unseen(observation[0], pool)
    deal_unseen(observation[0], pool, unseen, np.array([seed], np.uint64))
    return observation


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
@pytest.mark.parametrize("actions", [0, 15, 40])
def test_a_determinization_agrees_with_all_that_is_public(
    mode: str, seats: int, options: Json | None, actions: int
) -> None:
    game = game_after(actions, mode, seats, options, seed=actions)
    seat = 0 if game.seat_to_act is None else game.seat_to_act
    truth = game.observe(seat)[0]
    for seed in range(1, 20):
        s = dealt(game, seat, seed)[0]
        places = [int(s["hands"][each]) for each in range(seats)]
        places += [int(s["discards"]), int(s["placed"])]
        places += [1 << int(card) for card in s["stream"] if card >= 0]
        places += [1 << int(card) for card in s["deck"][int(s["dealt"]) :]]
        assert sum(place.bit_count() for place in places) == len(CARDS)
        assert sum(places) == (1 << len(CARDS)) - 1
        for each in range(seats):
            assert int(s["hands"][each]).bit_count() == truth["hand_size"][each]
            assert int(s["hands"][each]) & int(truth["hands"][each]) == int(truth["hands"][each])
        assert s["hands"][seat] == truth["hands"][seat]
        for field in (name for name in truth.dtype.names or () if name not in ("hands", "deck")):
            assert np.array_equal(s[field], truth[field])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_determinizations_vary_in_every_hidden_hand_and_in_the_deck(seats: int) -> None:
    game = game_after(6, "competitive", seats, seed=3)
    seat = game.seat_to_act
    assert seat is not None
    samples = [dealt(game, seat, seed)[0] for seed in range(1, 200)]
    for other in set(range(seats)) - {seat}:
        hidden = 60 - int(samples[0]["hand_size"][seat]) - 8
        hands = [int(s["hands"][other]) for s in samples]
        assert len(set(hands)) > 150
        ever_held = 0
        for hand in hands:
            ever_held |= hand
        assert ever_held.bit_count() > hidden * 0.6
    assert len({s["deck"].tobytes() for s in samples}) == len(samples)
