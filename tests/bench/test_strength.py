"""Measuring strength: matches that can be interrupted, honest intervals, and a quick subset of them."""

import json
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ai.search import LEARNED, PLAIN, ROLLOUTS
from bench.strength.__main__ import main
from bench.strength.blocks import BLOCKS, LEVELS, Block, Played, Side, fingerprint, play
from bench.strength.matches import play_blocks
from bench.strength.report import by_rank
from bench.strength.results import Results, mean_interval, share_interval

QUICK = replace(next(block for block in BLOCKS if block.name == "level-beginner"), deals=3, half_width=None)


def share(side: Side, rival: Side, deals: int, seats: int = 2) -> float:
    block = Block("test", "", side, rival, seats, deals, seed=77)
    return statistics.fmean(
        play(block, deal, rotation).outcome for deal in range(deals) for rotation in range(seats)
    )


def test_an_interrupted_measurement_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "strength.json"
    play_blocks([QUICK], Results(file), tmp_path, processes=1)
    whole = json.loads(file.read_text())["blocks"]["level-beginner"]["games"]
    assert sorted(whole) == ["0/0", "0/1", "1/0", "1/1", "2/0", "2/1"]

    cut = json.loads(file.read_text())
    for name in ("1/1", "2/0"):
        del cut["blocks"]["level-beginner"]["games"][name]
    file.write_text(json.dumps(cut))
    results = Results(file)
    assert results.missing(QUICK) == [(1, 1), (2, 0)]
    assert len(results.outcomes(QUICK)) == 1
    play_blocks([QUICK], results, tmp_path, processes=2)
    again = json.loads(file.read_text())["blocks"]["level-beginner"]["games"]
    assert {name: game["outcome"] for name, game in again.items()} == {
        name: game["outcome"] for name, game in whole.items()
    }
    assert "beginner against greedy | 6 |" in (tmp_path / "strength.md").read_text()
    assert (tmp_path / "strength-levels.png").read_bytes().startswith(b"\x89PNG")


def test_results_of_another_setting_or_of_players_who_played_otherwise_are_not_continued(
    tmp_path: Path,
) -> None:
    file = tmp_path / "strength.json"
    Results(file).add(QUICK, 0, 0, Played(1.0, (30, 30), (0.1, 0.1)))
    assert len(Results(file).missing(QUICK)) == 5
    assert len(Results(file).missing(replace(QUICK, seed=5))) == 6
    assert len(Results(file).missing(replace(QUICK, rival=Side("random")))) == 6
    kept = json.loads(file.read_text())
    kept["blocks"]["level-beginner"]["setting"]["fingerprints"][0] = "of yesterday"
    file.write_text(json.dumps(kept))
    assert len(Results(file).missing(QUICK)) == 6


def test_whoever_plays_otherwise_has_another_fingerprint() -> None:
    prints = [
        *(fingerprint("good", tuning, "competitive") for tuning in (ROLLOUTS, LEARNED, PLAIN)),
        *(fingerprint("good", tuning, "cooperative") for tuning in (ROLLOUTS, PLAIN)),
    ]
    assert len(set(prints)) == len(prints)
    assert fingerprint("good", PLAIN, "competitive") == fingerprint("strong", PLAIN, "competitive")


def test_a_match_between_levels_ends_once_its_interval_is_narrow(tmp_path: Path) -> None:
    block = replace(QUICK, deals=60, half_width=0.07)
    results = Results(tmp_path / "strength.json")
    assert len(results.missing(block)) == 2 * 30
    for deal in range(30):
        for rotation in range(2):
            results.add(block, deal, rotation, Played(float(deal % 2 == rotation), (30, 30), (0.1, 0.1)))
    assert results.missing(block) == []
    for deal in range(30):
        results.add(block, deal, 1, Played(float(deal % 2), (30, 30), (0.1, 0.1)))
        results.add(block, deal, 0, Played(float(deal % 2), (30, 30), (0.1, 0.1)))
    assert len(results.missing(block)) == 2 * 10


def test_every_seat_is_taken_in_turn_on_the_same_deal() -> None:
    block = Block("test", "", Side("greedy"), Side("random"), seats=3, deals=2)
    shares = [play(block, 0, rotation) for rotation in range(block.rotations)]
    assert len(shares) == 3
    assert all(20 < sum(each.actions) < 120 and each.actions[0] < each.actions[1] for each in shares)


def test_intervals_know_that_the_games_of_a_deal_are_alike() -> None:
    apart = [[1.0, 0.0]] * 50 + [[0.0, 1.0]] * 50
    alike = [[1.0, 1.0]] * 50 + [[0.0, 0.0]] * 50
    loose, _, _ = share_interval([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 1.0]] * 25)
    assert share_interval(alike)[0] < loose < share_interval(apart)[0] < 0.5
    assert share_interval(alike)[0] == pytest.approx(0.5 - 1.96 * 0.5 / 10, abs=0.01)
    low, mean, high = share_interval([[1.0, 1.0]] * 100)
    assert (mean, high) == (1.0, 1.0)
    assert 0.97 < low < 0.99


def test_scores_are_counted_by_rank() -> None:
    assert by_rank([0, 11, 12, 46, 54, 55, 59]) == [1, 1, 0, 0, 0, 2, 2]
    low, mean, high = mean_interval([40.0, 50.0] * 20)
    assert (low + high) / 2 == pytest.approx(mean) == 45.0
    assert high - mean == pytest.approx(1.96 * 5.06 / 40**0.5, abs=0.02)


def test_an_unknown_block_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "strength.json"
    answer = CliRunner().invoke(main, ["chess", "--file", str(file), "--docs", str(tmp_path)])
    assert answer.exit_code == 2
    assert "no such block" in answer.output
    assert not file.exists()


def test_the_search_beats_the_plain_one_at_the_same_iterations() -> None:
    assert share(Side("good"), Side("good", tuning=PLAIN), deals=12) >= 0.8
    assert share(Side("good"), Side("good", tuning=PLAIN), deals=6, seats=3) >= 0.6


@pytest.mark.parametrize("level", LEVELS[2:-3])
def test_each_level_beats_the_one_below(level: str) -> None:
    assert 0.55 <= share(Side(level), Side(LEVELS[LEVELS.index(level) - 1]), deals=12) <= 0.95


def test_a_good_player_alone_is_an_expert_by_the_rulebook() -> None:
    block = Block("test", "", Side("good"), None, seats=1, deals=6, seed=77)
    assert statistics.fmean(play(block, deal, 0).outcome for deal in range(6)) >= 46
