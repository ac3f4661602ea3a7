"""The command `stem-branch`. Every sub-command is one process; `play` is the one that starts the others."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

HERE = Path(__file__).resolve().parent
QUEUES = click.Choice(["moves", "advice", "ladders"])


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="stem-branch")
def main() -> None:
    """Stem & Branch: the game of sixty zodiac cards, its server and its players.

    Settings come from the environment; docs/configuration.md lists them.
    """


@main.command()
def play() -> None:
    """Start everything that a game needs and open the page; Ctrl-C stops it again.

    Games are kept in DATA_DIR. Where the game already runs on that folder, its page is opened instead.
    """
    from api.launcher import launch
    from worker import Settings

    with clear_sentences():
        launch(Settings.from_env())


@main.command()
@click.option("--fd", type=int, hidden=True, help="Serve on this inherited socket instead of HOST and PORT.")
def api(fd: int | None) -> None:
    """Serve the HTTP API and the page on HOST and PORT."""
    from worker import Settings

    with clear_sentences():
        settings = Settings.from_env()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    serve(
        bind=f"{host}:{settings.port}" if fd is None else f"fd://{fd}",
        workers=settings.api_workers,
        environment=settings.to_env(),
    )


def serve(bind: str, workers: int, environment: dict[str, str]) -> NoReturn:
    """Become gunicorn. A process that has imported nothing yet is what gevent's patches ask for."""
    command = [sys.executable, "-P", "-m", "gunicorn", "--config", f"file:{HERE / 'gunicorn_conf.py'}"]
    # gunicorn imports from its working directory first; this makes it the one that holds the packages.
    command += ["--chdir", str(HERE.parent), "--bind", bind, "--workers", str(workers), "api:create_app()"]
    os.execve(sys.executable, command, {**os.environ, **environment})  # noqa: S606


@main.command()
@click.option(
    "--queue",
    type=QUEUES,
    default="moves",
    show_default=True,
    help="Which work to do: moves in running games; advice, and moves before it; or games of ladders.",
)
def worker(queue: str) -> None:
    """Compute the AI's moves or advice, as one process; start as many as there are cores to spare."""
    from worker import Settings, run_worker, set_up_logs

    with clear_sentences():
        settings = Settings.from_env()
        set_up_logs(settings.log_level, f"worker-{queue}")
        run_worker(settings, queue)


@main.command()
def sweeper() -> None:
    """Queue again what got lost: turns of an AI whose worker died. One of it is enough."""
    from worker import Settings, run_sweeper, set_up_logs

    with clear_sentences():
        settings = Settings.from_env()
        set_up_logs(settings.log_level, "sweeper")
        run_sweeper(settings)


@main.command()
@click.option("--queue", type=QUEUES, help="Also ask for a live worker of this queue.")
@click.option("--sweeper", is_flag=True, help="Also ask for a live sweeper.")
def health(queue: str | None, sweeper: bool) -> None:
    """Say whether the store answers, and fail when not; what containers check."""
    from worker import Settings, Store, connect, require_store

    with clear_sentences():
        settings = Settings.from_env()
        require_store(settings)
        store = Store(connect(settings), settings)
        workers = store.workers_alive(queue) if queue else None
        if sweeper and not store.sweeper_alive():
            raise click.ClickException("No sweeper is alive.")
    if workers == 0:
        raise click.ClickException(f"No worker of the queue {queue} is alive.")
    click.echo("The store answers." if workers is None else f"The store answers; {queue}: {workers} alive.")


@main.command()
@click.option(
    "--players", required=True, help="Who takes part: good,master@0.1s,fast=strong@200,my_bot.py:MyBot"
)
@click.option("--games", default=100, show_default=True, help="At least so many games, in whole matches.")
@click.option("--seats", default=2, show_default=True, help="Players at a table.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same deals.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="A folder for all of it."
)
@click.option(
    "--mode", type=click.Choice(["competitive", "cooperative"]), default="competitive", show_default=True
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of co-operative games."
)
@click.option(
    "--gauntlet", is_flag=True, help="The first player against all others, not everybody against everybody."
)
@click.option(
    "--sprt", metavar="ELO0,ELO1", help="Stop once the first of two players is shown to be so much stronger."
)
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    default=os.cpu_count(),
    show_default=True,
    help="Processes to start for it here.",
)
def ladder(
    players: str,
    games: int,
    seats: int,
    seed: int,
    out: Path,
    mode: str,
    options: tuple[str, ...],
    gauntlet: bool,
    sprt: str | None,
    workers: int,
) -> None:
    """Play computer players and bots against each other, and rate them.

    Every deal is played in every rotation of the seats. Ctrl-C stops after the matches under way; the same
    command goes on from there. With REDIS_URL, ladder workers of all machines that share the store take part.
    """
    from rich.console import Console

    from ai.ladder import BadLadder, Ladder, read_entrants
    from api.ladder import read_options, read_sprt, run_ladder
    from worker import LadderStuck, Settings, set_up_logs

    with clear_sentences():
        set_up_logs("error", "ladder")
        try:
            asked = Ladder(read_entrants(players), seats, games, seed, mode, gauntlet, read_options(options))
            status = run_ladder(asked, out, workers, read_sprt(sprt), Settings.from_env(), Console())
        except BadLadder as problem:
            raise click.UsageError(str(problem)) from None
        except LadderStuck as problem:
            log = out / "workers.log"
            told = f" The log of the workers here is {log}." if log.exists() else ""
            raise click.ClickException(f"{problem}{told}") from None
    raise SystemExit(status)


@main.command()
@click.option(
    "--mode", type=click.Choice(["competitive", "cooperative"]), required=True, help="What to teach."
)
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="A folder for all of it."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=4, show_default=True, help="Of playing and learning."
)
@click.option(
    "--games", type=click.IntRange(min=100), default=6_000, show_default=True, help="To be played in a round."
)
@click.option(
    "--iterations",
    type=click.IntRange(min=8),
    default=200,
    show_default=True,
    help="To search for each step.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same games.")
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=os.cpu_count(),
    show_default=True,
    help="Games at a time.",
)
def train(mode: str, out: Path, rounds: int, games: int, iterations: int, seed: int, processes: int) -> None:
    """Teach a network to judge positions, by games of the search against itself (needs the extra `train`).

    Ctrl-C stops it; the same command goes on from there. docs/learning.md says how the networks that the
    players use were made.
    """
    from rich.console import Console

    try:
        from ai.training import OtherPlan, Plan
        from api.teaching import teach
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"Teaching needs {missing.name}: install this project with its extra `train`."
        ) from None
    try:
        teach(Plan(mode, rounds, games, iterations, seed=seed), out, processes, Console())
    except OtherPlan as problem:
        raise click.UsageError(str(problem)) from None
    except KeyboardInterrupt:
        raise click.ClickException("Stopped; the same command goes on from here.") from None


@main.command()
@click.argument("spec", metavar="FILE.PY:CLASS")
@click.option(
    "--server", default="http://127.0.0.1:8000", show_default=True, help="Where the game is played."
)
@click.option("--game", required=True, help="The game's id.")
@click.option("--token", required=True, envvar="SEAT_TOKEN", help="The seat's token; better in SEAT_TOKEN.")
def bot(spec: str, server: str, game: str, token: str) -> None:
    """Let a bot play a seat on a server, to the end of the game."""
    from http.client import HTTPException
    from urllib.error import HTTPError

    from ai.ladder import BadLadder
    from api.online import play_online
    from worker.bot_host import load_bot

    try:
        result = play_online(load_bot(spec), server, game, token)
    except BadLadder as problem:
        raise click.UsageError(f"The bot does not start: {problem}.") from None
    except HTTPError as refused:
        try:
            told = json.load(refused)["message"]
        except (ValueError, LookupError, TypeError):  # not ours: of a proxy before the server
            told = f"{refused.code} {refused.reason}"
        raise click.ClickException(f"The server refuses: {told}") from None
    except (OSError, HTTPException) as problem:
        reason = getattr(problem, "reason", problem)
        raise click.ClickException(f"{server} does not answer: {reason}.") from None
    click.echo(json.dumps(result))


@main.command()
def openapi() -> None:
    """Print the OpenAPI description of the HTTP API as JSON."""
    from api import openapi_document

    click.echo(json.dumps(openapi_document(), indent=2, ensure_ascii=False))


@contextmanager
def clear_sentences() -> Iterator[None]:
    """What a person can put right ends the program with its sentence, not with a traceback."""
    from api.launcher import CannotPlay
    from worker import SettingsError, StoreUnreachable

    try:
        yield
    except (CannotPlay, SettingsError, StoreUnreachable) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
