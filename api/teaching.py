"""`stem-branch train`: teaches a network, shows how far it is, and draws what came of it."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ai.training import LEAF_STAGES, Plan, train
from api.pictures import INK, LACQUER, save
from worker.supervisor import end_with_parent

Json = dict[str, Any]


def teach(plan: Plan, folder: Path, processes: int, console: Console) -> None:
    """Teaches by a plan, or goes on with one: leaves network.npz, reports.json and two pictures in `folder`.

    Raises ai.training.OtherPlan."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        tasks: dict[str, Any] = {}

        def say(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done)

        report = train(plan, folder, processes, say, _begin)
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    draw_curves(report, plan, folder / "curves.png")
    draw_reliability(report["reliability"], plan, folder / "reliability.png")
    console.print(f"Written: {folder}/network.npz, curves.png, reliability.png and report.json")


def _begin() -> None:
    """Ctrl-C ends the command, which ends its helpers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def draw_curves(report: Json, plan: Plan, file: Path) -> None:
    """The loss on games that were not learned from, round by round and of the leaves, and the error in what
    came of them."""
    curves = dict(report["curves"])
    of_leaves = {name: curves.pop(name) for name in LEAF_STAGES if name in curves}
    figure, (losses, errors, *more) = pyplot.subplots(
        1, 2 + len(of_leaves), figsize=(7 + 2.5 * len(of_leaves), 3.4), layout="constrained"
    )
    for number, curve in enumerate(curves.values()):
        shade = 0.25 + 0.75 * (number + 1) / len(curves)
        _draw_loss(losses, curve, shade)
        errors.plot(_along(curve, "batch"), _along(curve, "error"), color=LACQUER, alpha=shade)
    losses.set(title="loss (dotted: learned)", xlabel="batches", ylim=_middle(losses))
    unit = "squares of points" if plan.mode == "cooperative" else "Brier score"
    errors.set(title=f"held back: {unit}", xlabel="batches")
    for axes, (name, curve) in zip(more, of_leaves.items(), strict=True):
        _draw_loss(axes, curve, 1.0)
        axes.set(title=f"loss: {name}", xlabel="batches", ylim=_middle(axes))
    save(figure, file)


def _draw_loss(axes: Axes, curve: list[Json], shade: float) -> None:
    axes.plot(_along(curve, "batch"), _along(curve, "held_back"), color=LACQUER, alpha=shade)
    axes.plot(_along(curve, "batch"), _along(curve, "learned"), color=INK, alpha=shade, linestyle=":")


def _along(curve: list[Json], what: str) -> list[float]:
    return [mark[what] for mark in curve]


def _middle(axes: Axes) -> tuple[float, float]:
    """The range of a picture without the first steps of a curve, which start far above it."""
    heights = sorted(np.concatenate([np.asarray(line.get_ydata(), float) for line in axes.get_lines()]))
    return heights[0] - 0.02, heights[int(0.95 * (len(heights) - 1))] + 0.02


def draw_reliability(reliability: dict[str, list[Json]], plan: Plan, file: Path) -> None:
    """How often what was said to be so likely came to be, in games that were not learned from."""
    figure, axes = pyplot.subplots(figsize=(4.2, 4.2))
    axes.plot([0, 1], [0, 1], color=INK, linewidth=1)
    for (who, tenths), colour in zip(reliability.items(), (INK, LACQUER), strict=True):
        said, came = [each["said"] for each in tenths], [each["came"] for each in tenths]
        axes.plot(said, came, "o-", color=colour, label=who)
    what = "score, as a share" if plan.mode == "cooperative" else "win"
    axes.set(xlabel=f"{what}: said", ylabel=f"{what}: came", xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="upper left")
    save(figure, file)
