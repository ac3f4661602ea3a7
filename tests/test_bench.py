"""The runner of the benchmarks."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

import bench.__main__ as runner
import bench.openspiel


@pytest.fixture
def benchmarks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "fast_thing.py").write_text(
        "def measure():\n    return {'things_per_s': 12345.6, 'wait_s': 0.02}\n"
    )
    (tmp_path / "slow_thing.py").write_text("def measure():\n    return {'slow_things_per_s': 2.0}\n")
    (tmp_path / "shared.py").write_text("")
    monkeypatch.setattr("bench.__path__", [str(tmp_path)])
    monkeypatch.setattr(runner, "RESULTS", tmp_path / "results.json")
    yield tmp_path
    for name in ("fast_thing", "slow_thing", "shared"):
        sys.modules.pop(f"bench.{name}", None)


def test_a_table_is_printed_and_flat_figures_are_written(
    benchmarks: Path, capsys: pytest.CaptureFixture[str]
):
    runner.main([])
    assert "12,346" in capsys.readouterr().out
    written = json.loads((benchmarks / "results.json").read_text())
    assert written == {"things_per_s": 12345.6, "wait_s": 0.02, "slow_things_per_s": 2.0}


def test_one_benchmark_alone_keeps_the_other_figures(benchmarks: Path):
    (benchmarks / "results.json").write_text('{"slow_things_per_s": 3.0}')
    runner.main(["fast_thing"])
    assert json.loads((benchmarks / "results.json").read_text())["slow_things_per_s"] == 3.0


def test_an_unknown_benchmark_is_named(benchmarks: Path):
    with pytest.raises(SystemExit, match="No such benchmark: chess"):
        runner.main(["chess"])


def test_without_openspiel_its_part_is_left_out_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert bench.openspiel.measure() == {}
    assert "make bench EXTRAS=1" in capsys.readouterr().out
