"""Playing what is missing of the blocks, several games at a time."""

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ai import warm_up
from bench.strength.blocks import Block, play
from bench.strength.report import write_report
from bench.strength.results import Results
from worker.supervisor import end_with_parent


def play_blocks(blocks: list[Block], results: Results, docs: Path, processes: int) -> None:
    """Plays what is missing of the blocks, one block after the other."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"))
    with (
        Progress(*columns, TimeRemainingColumn(elapsed_when_finished=False)) as progress,
        ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_begin) as pool,
    ):
        task = progress.add_task("", total=sum(_left(results, block) for block in blocks))
        for number, block in enumerate(blocks):
            while missing := results.missing(block):
                runs = {
                    pool.submit(play, block, deal, rotation): (deal, rotation) for deal, rotation in missing
                }
                try:
                    for run in as_completed(runs):
                        results.add(block, *runs[run], run.result())
                        progress.update(
                            task, advance=block.game_seconds, description=_described(results, block)
                        )
                except KeyboardInterrupt:
                    pool.shutdown(cancel_futures=True)
                    raise click.Abort from None
            left = sum(_left(results, block) for block in blocks[number + 1 :])
            progress.update(task, total=progress.tasks[task].completed + left)
            low, mean, high = results.interval(block)
            progress.console.print(f"{block.name}: {mean:.3g} ({low:.3g} to {high:.3g})")
            write_report(results, docs)


def _begin() -> None:
    """Ctrl-C ends the command, not the games that it waits for; a command that is killed takes them along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    warm_up()


def _left(results: Results, block: Block) -> float:
    """Roughly the processor time that a block still takes, were all its deals played."""
    if not results.missing(block):
        return 0.0
    return (block.deals * block.rotations - len(results.games(block))) * block.game_seconds


def _described(results: Results, block: Block) -> str:
    games = len(results.games(block))
    return f"{block.name}: {games} of {block.deals * block.rotations} games"
