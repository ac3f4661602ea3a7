"""The command `stem-branch`. Every sub-command is one process; `play` is the one that starts the others."""

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="stem-branch")
def main() -> None:
    """Stem & Branch: the game of sixty zodiac cards, its server and its players.

    Settings come from the environment; docs/configuration.md lists them.
    """


@main.command()
def play() -> None:
    """Start everything that a game needs and open the page. Ctrl-C stops it again."""
