"""Measures the players: `python -m bench.strength`, or only some blocks: `python -m bench.strength level`.

Interrupted, it goes on where it was when it is started again. Writes bench/strength.json after every game,
docs/strength.md and its pictures after every block.
"""

import os
from pathlib import Path

import click

from bench.strength.blocks import BLOCKS
from bench.strength.matches import play_blocks
from bench.strength.results import Results

ROOT = Path(__file__).parents[2]


@click.command(help=__doc__)
@click.argument("names", nargs=-1)
@click.option("--processes", default=os.cpu_count(), show_default=True, help="Games at a time.")
@click.option(
    "--file",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=ROOT / "bench/strength.json",
    help="Where every game is kept.",
)
@click.option(
    "--docs",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=ROOT / "docs",
    help="The folder for strength.md and its pictures.",
)
def main(names: tuple[str, ...], processes: int, file: Path, docs: Path) -> None:
    blocks = [block for block in BLOCKS if not names or any(block.name.startswith(name) for name in names)]
    if not blocks:
        raise click.BadParameter(f"no such block; there are {', '.join(block.name for block in BLOCKS)}")
    play_blocks(blocks, Results(file), docs, processes)
    click.echo(f"Written: {file} and {docs / 'strength.md'}")


if __name__ == "__main__":
    main()
