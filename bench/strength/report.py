"""Writes docs/strength.md and its pictures from the results."""

import statistics
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from matplotlib import pyplot

from api.pictures import INK, LACQUER, save
from bench.strength.blocks import ACTION_SECONDS, BLOCKS, Block
from bench.strength.results import Results
from engine import RANK_FLOORS

# R21's names with the score at which each begins.
RANKS = {name.capitalize(): floor for name, floor in RANK_FLOORS.items()}

TEXT = """# How strong the players are

Written by `make strength`, which plays these games (at most two hours on two cores, and it can be
interrupted). Every mean is followed by its 95 % interval. In competition each deal is played once from every
seat, and a deal is one sample. Time is processor time of the searching thread for a whole action, so that a
busy machine weakens nobody.

Played from {begun} on: {processor}, {cores} cores, {system}; {versions}. Single games are in
[bench/strength.json](../bench/strength.json).

## Against plain search

*Plain* knows the rules only: uniform rollouts to the end and UCB1. Both have {ACTION_SECONDS} s an action;
one seat is the search's with the policy as prior and player of the rollouts, the others are plain.

| table | games | wins of the policy's | fair share | s an action, policy's and plain |
|---|---|---|---|---|
{plain}

## The network

What [the network](learning.md) is worth, in one seat against rollouts to the end of the game in the others,
by the time that both have for an action. A rollout is right on average, a network is quick: the shorter the
time, the more it is ahead. Players ask it up to 0.1 s.

| table and time | games | wins of the network's | fair share | s an action, network's and rollouts' |
|---|---|---|---|---|
{network}

![Wins of the network's by time, two players](strength-network.png)

## The levels

Every level but `master` is a number of iterations, so it plays alike on any machine; `master` thinks 0.5 s
on two threads.

| players | games | wins of the first | s an action, first and second |
|---|---|---|---|
{levels}

![Wins of each level against the one below](strength-levels.png)

## Alone and together

The search by rollouts or with the co-operative network, on one thread, default options, the same player in
every seat, by the time for an action.

| table, search and time | deals | mean score | lowest to highest | {rank_names} |
|---|---|---|---|{rank_rule}
{together}

![Scores by deal](strength-scores.png)

## What each part is worth

The search with rollouts and one thing changed against it as it is, two players, {ACTION_SECONDS} s an action.
Below 50 %, it does better as it is.

| changed | games | wins of the changed one |
|---|---|---|
{gains}

![Wins of the changed search](strength-gains.png)
"""


def write_report(results: Results, docs: Path) -> None:
    """Writes the page and its pictures into `docs`, with the deals that are complete so far."""
    begun = [block for block in BLOCKS if results.outcomes(block)]

    def table(kind: str, row: Callable[[Results, Block], str]) -> str:
        return "\n".join(row(results, block) for block in begun if block.name.startswith(kind))

    facts = {key: results.data[key] for key in ("begun", "processor", "cores", "system", "versions")}
    page = TEXT.format(
        **facts,
        ACTION_SECONDS=ACTION_SECONDS,
        plain=table("plain", _seats_row),
        network=table("network", _seats_row),
        levels=table("level", _level_row),
        rank_names=" | ".join(RANKS),
        rank_rule="---|" * len(RANKS),
        together=table("together", _together_row),
        gains=table("gain", _gain_row),
    )
    (docs / "strength.md").write_text(page)
    for kind, picture in (("network-2", "network"), ("level", "levels"), ("gain", "gains")):
        blocks = [block for block in begun if block.name.startswith(kind)]
        _draw_shares(results, blocks, docs / f"strength-{picture}.png")
    _draw_scores(
        results, [block for block in begun if block.name.startswith("together")], docs / "strength-scores.png"
    )


def percent(low: float, mean: float, high: float) -> str:
    return f"{100 * mean:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def _seats_row(results: Results, block: Block) -> str:
    games, wins, seconds = _games(results, block), _wins(results, block), _seconds(results, block)
    return f"| {block.title} | {games} | {wins} | {100 / block.seats:.0f} % | {seconds} |"


def _level_row(results: Results, block: Block) -> str:
    return (
        f"| {block.title} | {_games(results, block)} | {_wins(results, block)} | {_seconds(results, block)} |"
    )


def _gain_row(results: Results, block: Block) -> str:
    return f"| {block.title} | {_games(results, block)} | {_wins(results, block)} |"


def _together_row(results: Results, block: Block) -> str:
    scores = [score for (score,) in results.outcomes(block)]
    low, mean, high = results.interval(block)
    counts = " | ".join(str(count) for count in by_rank(scores))
    span = f"{min(scores):.0f} to {max(scores):.0f}"
    return f"| {block.title} | {len(scores)} | {mean:.1f} ({low:.1f}-{high:.1f}) | {span} | {counts} |"


def by_rank(scores: list[float]) -> list[int]:
    """How many scores have each rank."""
    bounds = [*RANKS.values(), 61]
    return [sum(low <= score < high for score in scores) for low, high in pairwise(bounds)]


def _games(results: Results, block: Block) -> int:
    return len(results.outcomes(block)) * block.rotations


def _wins(results: Results, block: Block) -> str:
    return percent(*results.interval(block))


def _seconds(results: Results, block: Block) -> str:
    return " and ".join(f"{seconds:.3f}" for seconds in results.seconds_per_action(block))


def _draw_shares(results: Results, blocks: list[Block], file: Path) -> None:
    figure, axes = pyplot.subplots(figsize=(8, 0.8 + 0.36 * max(len(blocks), 1)))
    for place, block in enumerate(reversed(blocks)):
        low, mean, high = (100 * each for each in results.interval(block))
        axes.errorbar(mean, place, xerr=[[mean - low], [high - mean]], fmt="o", color=LACQUER, capsize=4)
    axes.axvline(50, color=INK, linewidth=1)
    axes.set(yticks=range(len(blocks)), yticklabels=[block.title for block in reversed(blocks)])
    axes.set(xlim=(0, 100), xlabel="games won, %", ylim=(-0.7, len(blocks) - 0.3))
    save(figure, file)


def _draw_scores(results: Results, blocks: list[Block], file: Path) -> None:
    figure, axes = pyplot.subplots(figsize=(8, 0.8 + 0.6 * max(len(blocks), 1)))
    for place, block in enumerate(reversed(blocks)):
        scores = [score for (score,) in results.outcomes(block)]
        axes.plot(scores, [place] * len(scores), "o", color=LACQUER, alpha=0.35, markeredgewidth=0)
        axes.plot(statistics.fmean(scores), place, "|", color=INK, markersize=22, markeredgewidth=2)
    for name, score in RANKS.items():
        axes.axvline(score - 0.5, color=INK, linewidth=0.5, alpha=0.5)
        axes.annotate(name, (score, len(blocks) - 0.42), fontsize=7, color=INK)
    axes.set(yticks=range(len(blocks)), yticklabels=[block.title for block in reversed(blocks)])
    axes.set(xlim=(0, 61), xlabel="score", ylim=(-0.6, len(blocks) - 0.2))
    save(figure, file)
