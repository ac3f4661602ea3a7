"""Teaching: what was begun goes on, seats learn what is theirs, and a network and its pictures come of it."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ai.learning import GAMES_DECAY, examples, learn, reliability
from ai.leaves import LEAVES, SEARCHED_LEAVES, leaf_lessons
from ai.network import Network, blank, load, network_for
from ai.search import NETWORK, Tuning
from ai.selfplay import play_lessons
from ai.training import OtherPlan, Plan, train
from api.cli import main
from engine.state import ACTION
from tests.worker.conftest import until

PLAN = Plan("competitive", rounds=2, games=100, iterations=8, epochs=1)


def quiet(_what: str, _done: int, _total: int) -> None:
    """Nobody is told."""


def test_outcomes_are_counted_from_the_seat_to_act() -> None:
    lessons = play_lessons("competitive", 3, 4, 8, Tuning(rollout=NETWORK), blank())
    taught = examples(lessons)
    ends = np.cumsum(taught.counts)
    assert ends[-1] == len(taught.features)
    for place, state in enumerate(lessons.states):
        seats, turn = int(state["seats"]), int(state["turn"])
        for each in range(seats):
            assert taught.outcome[place, each] == pytest.approx(
                lessons.outcome[place, (turn + each) % seats], abs=1e-6
            )
        assert (taught.outcome[place, seats:] == 0).all()


def test_a_network_learns_who_wins() -> None:
    lessons = play_lessons("competitive", 3, 60, 8, Tuning(rollout=NETWORK), blank())
    _, curve = learn(examples(lessons), False, 6, GAMES_DECAY, 1, lambda _done, _total: None)
    assert curve[-1]["learned"] < curve[0]["learned"]
    assert curve[-1]["error"] < 0.6


JUDGES = pytest.mark.parametrize("judge", [None, network_for(False)], ids=["rollouts", "searches"])


@JUDGES
def test_leaves_are_positions_that_a_network_can_be_asked_about(judge: Network | None) -> None:
    lessons = play_lessons("competitive", 3, 6, 8, Tuning(rollout=NETWORK), blank())
    leaves = leaf_lessons(lessons, seed=1, network=judge)
    positions = len(lessons.states)
    most = (LEAVES if judge is None else SEARCHED_LEAVES) * positions
    assert 0.6 * most < len(leaves.states) <= most
    assert (leaves.states["phase"] == ACTION).all()
    dealt = [sum(int(hand).bit_count() for hand in hands) for hands in leaves.states["hands"]]
    assert leaves.states["hand_size"].sum(1).tolist() == dealt
    assert len(np.unique(leaves.states["hands"], axis=0)) > positions
    seats = np.arange(4) < leaves.states["seats"][:, None]
    assert (leaves.outlook[~seats] == 0).all()
    assert leaves.outlook.sum(1) == pytest.approx(1)
    assert set(leaves.game) == set(lessons.game)
    for one, other in zip(leaves, leaf_lessons(lessons, seed=1, network=judge), strict=True):
        np.testing.assert_array_equal(one, other)


@JUDGES
def test_a_leaf_is_worth_more_to_who_is_ahead_late_in_the_game(judge: Network | None) -> None:
    lessons = play_lessons("competitive", 3, 6, 8, Tuning(rollout=NETWORK), blank())
    leaves = leaf_lessons(lessons, seed=1, network=judge)
    place = np.arange(len(leaves.states)), leaves.states["turn"]
    ahead = leaves.states["years"][place] == leaves.states["years"].max(1)
    late = leaves.states["dealt"] > 50
    for worth in (leaves.outlook[place], leaves.margin[place]):
        assert worth[ahead & late].mean() > 0.1 + worth[~ahead & late].mean()
    assert ((leaves.margin > -1e-6) & (leaves.margin < 1 + 1e-6)).all()


def test_reliability_sets_what_was_said_beside_what_came() -> None:
    lessons = play_lessons("competitive", 3, 60, 8, Tuning(rollout=NETWORK), blank())
    seats = int(lessons.states["seats"].sum())
    sure = lessons._replace(outlook=lessons.outcome)
    found = reliability(sure, blank())
    assert sum(tenth["count"] for tenth in found["network"]) == seats
    assert {(tenth["said"], tenth["came"]) for tenth in found["search"]} >= {(0.0, 0.0), (1.0, 1.0)}
    # One that knows nothing gives everybody the same.
    for tenth in found["network"]:
        assert tenth["said"] == pytest.approx(1 / 2, abs=0.3)


def test_an_interrupted_training_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    report = train(PLAN, tmp_path / "whole", 1, quiet)
    assert list(report["curves"]) == ["round-0", "round-1", "leaves", "searched-leaves"]
    whole = load(tmp_path / "whole/network.npz")

    train(PLAN, tmp_path / "cut", 1, quiet)
    for name in (
        *("network.npz", "round-1/network.npz", "round-1/games-0000.npz"),
        *("leaves/network.npz", "leaves/games-0001.npz"),
        *("searched-leaves/network.npz", "searched-leaves/games-0001.npz", "check/games-0000.npz"),
    ):
        (tmp_path / "cut" / name).unlink()
    assert train(PLAN, tmp_path / "cut", 1, quiet) == report
    for one, other in zip(whole, load(tmp_path / "cut/network.npz"), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(OtherPlan):
        train(replace(PLAN, seed=2), tmp_path / "cut", 1, quiet)


def test_the_command_leaves_a_network_and_its_pictures(tmp_path: Path) -> None:
    arguments = ["train", "--mode", "cooperative", "--rounds", "1", "--games", "100", "--iterations", "8"]
    answer = CliRunner().invoke(main, [*arguments, "--processes", "1", "--out", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    load(tmp_path / "network.npz")
    for picture in ("curves.png", "reliability.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    report = json.loads((tmp_path / "report.json").read_text())
    assert list(report["curves"]) == ["round-0"]
    assert set(report["reliability"]) == {"network", "search"}
    answer = CliRunner().invoke(main, [*arguments, "--seed", "7", "--out", str(tmp_path)])
    assert answer.exit_code == 2
    assert "another plan" in answer.output


def test_ctrl_c_stops_it_soon_and_says_how_it_goes_on(tmp_path: Path) -> None:
    arguments = ["--mode", "competitive", "--games", "12000", "--iterations", "8", "--processes", "1"]
    command = [sys.executable, "-m", "api.cli", "train", *arguments, "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as teaching:
        until(lambda: (tmp_path / "round-0/games-0000.npz").exists(), 120)
        teaching.send_signal(signal.SIGINT)
        _, said = teaching.communicate(timeout=60)
    assert teaching.returncode == 1
    assert "goes on from here" in said
    assert len(list(tmp_path.glob("round-0/games-*.npz"))) < 20
