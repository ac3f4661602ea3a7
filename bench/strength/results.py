"""What the blocks came to: kept game by game in a file, with means and intervals."""

import json
import math
import os
import platform
import statistics
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.strength.blocks import Block, Played, fingerprint

Z = statistics.NormalDist().inv_cdf(0.975)
SMALLEST = 30  # deals before an interval may end a block
BATCH = 10  # deals between two looks at the interval
Json = dict[str, Any]
Interval = tuple[float, float, float]  # low, mean, high


def share_interval(deals: list[list[float]]) -> Interval:
    """The mean share of wins with its 95 % interval. A deal's games are one sample, since they are alike;
    Wilson's interval, with as many games as would vary like that, stays sensible near 0 and 1."""
    means = [statistics.fmean(games) for games in deals]
    games = sum(len(each) for each in deals)
    p = statistics.fmean(means)
    alike = 1.0
    if len(means) > 1 and 0 < p < 1:
        alike = max(statistics.variance(means) / len(means) / (p * (1 - p) / games), 0.25)
    n = games / alike
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return min(centre - half, p), p, max(centre + half, p)


def mean_interval(values: list[float]) -> Interval:
    """A mean with its 95 % interval."""
    mean = statistics.fmean(values)
    half = Z * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return mean - half, mean, mean + half


def machine() -> dict[str, str | int]:
    """Where and with what the games were played."""
    cpuinfo = Path("/proc/cpuinfo")
    names = (
        [line for line in cpuinfo.read_text().splitlines() if "model name" in line]
        if cpuinfo.exists()
        else []
    )
    return {
        "begun": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": names[0].split(":")[1].strip() if names else platform.processor(),
        "cores": os.cpu_count() or 1,
        "system": platform.system(),
        "versions": ", ".join(
            [f"Python {platform.python_version()}"]
            + [f"{package} {version(package)}" for package in ("stem-branch", "numba", "numpy")]
        ),
    }


class Results:
    """The games played so far, by block, deal and rotation; every one is in the file at once."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.data: Json = {**machine(), "blocks": {}}
        if file.exists():
            self.data = json.loads(file.read_text())

    def games(self, block: Block) -> dict[str, Json]:
        """The games kept of a block, by deal and rotation; none if its players were others or played
        otherwise then."""
        kept = self.data["blocks"].get(block.name)
        if kept is None or _matches(kept["setting"]) != _matches(setting(block)):
            return {}
        games: dict[str, Json] = kept["games"]
        return games

    def add(self, block: Block, deal: int, rotation: int, played: Played) -> None:
        """Keeps a game."""
        games = self.games(block) | {f"{deal}/{rotation}": asdict(played)}
        kept = self.data["blocks"][block.name] = {"setting": setting(block), "games": games}
        if len(self.outcomes(block)) > 1:
            kept["result"] = dict(zip(("low", "mean", "high"), self.interval(block), strict=True))
            kept["result"]["deals"] = len(self.outcomes(block))
        self._save()

    def _save(self) -> None:
        """Writes the file, all or nothing: a line for each thing about a block."""
        lines = json.dumps({**self.data, "blocks": {}}, indent=1).removesuffix("{}\n}")
        blocks = (
            f"  {json.dumps(name)}: {{\n"
            + ",\n".join(f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in block.items())
            + "\n  }"
            for name, block in self.data["blocks"].items()
        )
        new = self.file.with_suffix(".new")
        new.write_text(lines + "{\n" + ",\n".join(blocks) + "\n }\n}\n")
        new.replace(self.file)

    def interval(self, block: Block) -> Interval:
        """The mean and interval of the deals played: of the share of wins, in co-op of the score."""
        outcomes = self.outcomes(block)
        return share_interval(outcomes) if block.rival else mean_interval([score for (score,) in outcomes])

    def outcomes(self, block: Block) -> list[list[float]]:
        """The outcomes of each whole deal, in order, up to the first that is missing."""
        games, deals = self.games(block), []
        for deal in range(block.deals):
            names = [f"{deal}/{rotation}" for rotation in range(block.rotations)]
            if any(name not in games for name in names):
                break
            deals.append([games[name]["outcome"] for name in names])
        return deals

    def missing(self, block: Block) -> list[tuple[int, int]]:
        """The deals and rotations to be played next; none when the block is done."""
        games = self.games(block)
        until = block.deals
        if block.half_width is not None:
            done = len(self.outcomes(block))
            if done >= SMALLEST and done % BATCH == 0:
                low, _, high = self.interval(block)
                if (high - low) / 2 <= block.half_width:
                    return []
            until = min(block.deals, max(SMALLEST, (done // BATCH + 1) * BATCH))
        return [
            (deal, rotation)
            for deal in range(until)
            for rotation in range(block.rotations)
            if f"{deal}/{rotation}" not in games
        ]

    def seconds_per_action(self, block: Block) -> list[float]:
        """Processor time an action, of `side` and of `rival`."""
        games = self.games(block).values()
        return [
            sum(game["seconds"][who] for game in games) / max(sum(game["actions"][who] for game in games), 1)
            for who in range(2)
        ]


def setting(block: Block) -> Json:
    """A block with its players' budgets and how they play, for the file."""
    sides = [side for side in (block.side, block.rival) if side is not None]
    mode = "cooperative" if block.rival is None else "competitive"
    return {
        **asdict(block),
        "budgets": [asdict(side.budget) for side in sides],
        "fingerprints": [fingerprint(side.player, side.tuning, mode) for side in sides],
    }


def _matches(setting: Json) -> str:
    """What must be the same for games to belong to a block."""
    keys = ("side", "rival", "budgets", "fingerprints", "seats", "seed")
    return json.dumps({key: setting[key] for key in keys})
