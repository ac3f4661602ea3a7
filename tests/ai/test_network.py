"""Networks: what they see of a position, what they say of it, and which files hold one."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ai.determinization import deal_unseen, list_unseen
from ai.features import FEATURES, MOST_ACTIVE, list_features
from ai.network import (
    HIDDEN,
    HIDDEN_TWO,
    NETWORKS,
    OUTPUTS,
    Network,
    WrongNetwork,
    blank,
    load,
    network_for,
    network_rewards,
    save,
)
from ai.players import choose
from ai.search import LEARNED, ROLLOUTS, Tuning, judge, new_tree, policy_weights
from ai.thinking import Budget, Mind, Search
from engine import States
from engine.state import ACTION
from tests.ai.positions import TABLES, Json, game_after


def features_of(states: States) -> list[int]:
    out = np.full(MOST_ACTIVE, -1, np.int16)
    n = int(list_features(states[0], out))
    assert (out[n:] == -1).all()
    return [int(each) for each in out[:n]]


def judged(states: States, network: Network, win_weight: float = 1.0) -> tuple[list[float], list[float]]:
    features, numbers = np.zeros(MOST_ACTIVE, np.int16), np.zeros(HIDDEN + HIDDEN_TWO + OUTPUTS, np.float32)
    rewards, outcomes = np.zeros(4), np.zeros(4)
    network_rewards(states[0], network, win_weight, features, numbers, rewards, outcomes)
    seats = int(states[0]["seats"])
    return rewards[:seats].tolist(), outcomes[:seats].tolist()


def any_network(seed: int = 1) -> Network:
    random = np.random.default_rng(seed)
    return Network(*(random.normal(0, 0.2, each.shape).astype(np.float32) for each in blank()))


def turned(states: States, by: int) -> States:
    """The same position with the seats numbered on by so many."""
    seats = int(states[0]["seats"])
    other = states.copy()
    s, t = states[0], other[0]
    for seat in range(seats):
        for name in ("hands", "known", "animals", "years", "tokens", "hand_size"):
            t[name][(seat + by) % seats] = s[name][seat]
    t["turn"] = (s["turn"] + by) % seats
    if s["trigger"] >= 0:
        t["trigger"] = (s["trigger"] + by) % seats
    return other


@pytest.mark.parametrize(("mode", "seats", "options"), TABLES)
def test_a_seat_sees_a_position_alike_whatever_its_number(
    mode: str, seats: int, options: Json | None
) -> None:
    seen = set()
    for seed in range(8):
        states = game_after(9 * seed, mode, seats, options, seed).states()
        if states[0]["phase"] != ACTION:
            continue
        features = features_of(states)
        assert all(0 <= each < FEATURES for each in features)
        seen.update(features)
        for by in range(1, seats):
            assert features_of(turned(states, by)) == features
    assert len(seen) > 150


def test_what_lies_in_the_deck_and_in_which_order_is_no_feature() -> None:
    game = game_after(21, "competitive", 3, seed=4)
    states = game.states()
    other = states.copy()
    random.Random(1).shuffle(hidden := states[0]["deck"][int(states[0]["dealt"]) :].tolist())
    other[0]["deck"][int(states[0]["dealt"]) :] = hidden
    assert features_of(other) == features_of(states)


def test_the_hands_are_those_that_were_dealt_and_not_the_true_ones() -> None:
    game = game_after(21, "competitive", 2, seed=4)
    seat = game.seat_to_act
    assert seat is not None
    seen = set()
    for seed in range(1, 12):
        states = game.observe(seat)
        pool = np.zeros(60, np.int8)
        deal_unseen(states[0], pool, list_unseen(states[0], pool), np.array([seed], np.uint64))
        seen.add(tuple(features_of(states)))
    assert len(seen) > 8


def test_the_kernel_computes_what_the_layers_say() -> None:
    states = game_after(16, "competitive", 4, seed=3).states()
    network = any_network()
    first = network.first[features_of(states)].sum(0)
    second = np.maximum(first, 0) @ network.second + network.second_bias
    out = np.maximum(second, 0) @ network.last + network.last_bias
    wins = np.exp(out[:4]) / np.exp(out[:4]).sum()
    margins = 1 / (1 + np.exp(-out[4:]))
    turn = int(states[0]["turn"])
    rewards, outcomes = judged(states, network, win_weight=0.75)
    assert outcomes == pytest.approx(np.roll(wins, turn), rel=1e-4)
    assert rewards == pytest.approx(np.roll(0.75 * wins + 0.25 * margins, turn), rel=1e-4)


@pytest.mark.parametrize(("scoring", "highest"), [("cards", 60), ("family", 12)])
def test_in_co_op_all_seats_share_one_score(scoring: str, highest: int) -> None:
    states = game_after(16, "cooperative", 3, {"scoring": scoring}, seed=3).states()
    rewards, outcomes = judged(states, any_network(2))
    assert 0 < rewards[0] < 1
    assert rewards == [rewards[0]] * 3
    assert outcomes == pytest.approx([highest * rewards[0]] * 3)


def mean_outcome(observed: States, tuning: Tuning, times: int) -> float:
    """What comes of a position for the seat to act, over so many deals of the hidden cards."""
    s, tree, pool, rng = observed[0], new_tree(1), np.zeros(60, np.int8), np.array([7], np.uint64)
    weights, network = policy_weights(s, tuning), network_for(bool(s["cooperative"]))
    unseen = list_unseen(s, pool)
    total = 0.0
    for _ in range(times):
        tree.work[0] = s
        deal_unseen(tree.work[0], pool, unseen, rng)
        judge(tree, tree.work[0], tuning, weights, network, rng)
        total += float(tree.outcomes[int(s["turn"])])
    return total / times


@pytest.mark.parametrize(
    ("mode", "seats"), [*(("competitive", n) for n in (2, 3, 4)), *(("cooperative", n) for n in (1, 2, 4))]
)
def test_the_network_ranks_positions_as_rollouts_do(mode: str, seats: int) -> None:
    asked, played = [], []
    for seed in range(40):
        game = game_after(5 + seed, mode, seats, seed=seed)
        if game.seat_to_act is None:
            continue
        seen = game.observe(game.seat_to_act)
        asked.append(mean_outcome(seen, LEARNED._replace(horizon=0), 30))
        played.append(mean_outcome(seen, ROLLOUTS, 200))
    assert len(asked) > 30
    assert np.corrcoef(asked, played)[0, 1] > 0.6
    if mode == "competitive":
        assert np.mean(np.abs(np.subtract(asked, played))) < 0.2


def test_the_players_networks_are_small_and_know_who_leads() -> None:
    assert sum(file.stat().st_size for file in NETWORKS.iterdir()) < 1_000_000
    ahead = game_after(30, "competitive", 2, seed=2).states()
    seat = int(ahead[0]["turn"])
    network = network_for(cooperative=False)
    behind = ahead.copy()
    ahead[0]["years"][seat] += 25
    behind[0]["years"][1 - seat] += 25
    assert judged(ahead, network)[1][seat] > 0.8
    assert judged(behind, network)[1][seat] < 0.2


@pytest.mark.parametrize(
    ("budget", "network"),
    [
        (Budget(0.1), True),
        (Budget(0.05, threads=2), True),
        (Budget(0.1, threads=2), False),
        (Budget(0.5), False),
        (Budget(0.1, iterations=60), False),
    ],
)
@pytest.mark.parametrize(("mode", "seats"), [("competitive", 2), ("competitive", 3), ("cooperative", 1)])
def test_a_player_in_a_hurry_asks_the_network_and_one_with_time_or_iterations_does_not(
    monkeypatch: pytest.MonkeyPatch, mode: str, seats: int, budget: Budget, network: bool
) -> None:
    used = []

    def search(mind: Mind, budget: Budget, tuning: Tuning, softness: float) -> Search:
        used.append(tuning)
        return Search(mind, Budget(60.0, iterations=40), tuning, softness)

    monkeypatch.setattr("ai.players.Search", search)
    game = game_after(8, mode, seats, seed=1)
    assert game.seat_to_act is not None
    choose("master", game.observe(game.seat_to_act), seed=1, budget=budget)
    assert used == [LEARNED if network else ROLLOUTS]


def test_a_network_is_read_as_it_was_written(tmp_path: Path) -> None:
    network = any_network()
    save(network, tmp_path / "network.npz")
    for array, read in zip(network, load(tmp_path / "network.npz"), strict=True):
        assert read.dtype == np.float32
        np.testing.assert_allclose(read, array, rtol=1e-3, atol=1e-6)


def test_a_file_of_another_shape_or_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "network.npz"
    arrays = {name: array.astype(np.float16) for name, array in any_network()._asdict().items()}

    def refusal(**contents: object) -> str:
        np.savez(file, allow_pickle=False, **contents)  # type: ignore[arg-type]
        with pytest.raises(WrongNetwork) as refused:
            load(file)
        return str(refused.value)

    version = np.int64(np.load(NETWORKS / "competitive.npz")["features"])
    assert "version 99 of the features" in refusal(**arrays, features=np.int64(99))
    assert "shape (3, 8)" in refusal(**{**arrays, "last": np.zeros((3, 8))}, features=version)
    assert "holds no network" in refusal(**{k: v for k, v in arrays.items() if k != "last"}, features=version)
    file.write_text("not a network")
    with pytest.raises(WrongNetwork, match="holds no network"):
        load(file)
    with pytest.raises(WrongNetwork, match="holds no network"):
        load(tmp_path / "absent.npz")


def test_teaching_without_its_extra_says_what_is_missing() -> None:
    hidden = "import sys; sys.modules['torch'] = None; from api.cli import main; main()"
    command = [sys.executable, "-c", hidden, "train", "--mode", "competitive", "--out", "nowhere"]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 1
    assert "extra `train`" in answer.stderr
    assert "Traceback" not in answer.stderr
