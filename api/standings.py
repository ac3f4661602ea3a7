"""What a ladder has come to: standings, pairings, and the files that tell of it."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from ai.ladder import FAULTS, Ladder, Played
from ai.ratings import Rating, elo_ratings, mean_rating, plackett_luce_ratings

Json = dict[str, Any]


@dataclass(frozen=True)
class Standing:
    """An entrant's line of the table; `wins` are shares of wins, in co-op the sum of scores."""

    name: str
    rating: Rating
    games: int
    wins: float
    mean: float
    seconds_per_action: float
    faults: dict[str, int]


@dataclass(frozen=True)
class Standings:
    """The table, the best first; `pairings[a][b]` are games of a against b and what a won of them."""

    method: str
    cooperative: bool
    lines: list[Standing]
    pairings: dict[str, dict[str, tuple[int, float]]]

    @property
    def played(self) -> list[Standing]:
        """The lines of those who have played: only of them a chart can tell something."""
        return [line for line in self.lines if line.games]


def standings(ladder: Ladder, matches: Sequence[Sequence[Played]]) -> Standings:
    """Everything that can be said after some matches, given in the order of the schedule. Who has not played
    comes last."""
    count = len(ladder.entrants)
    cooperative = ladder.mode == "cooperative"
    if cooperative:
        method = "mean score"
        samples = [
            [game.shares[0] for games in matches for game in games if game.seats[0] == n]
            for n in range(count)
        ]
        highest = 12.0 if ladder.options.get("scoring") == "family" else 60.0
        ratings = [mean_rating(each, highest) for each in samples]
    elif ladder.seats == 2:
        method, ratings = "Elo", elo_ratings(count, matches)
    else:
        method, ratings = "PlackettLuce", plackett_luce_ratings(count, matches)
    lines = [_line(ladder, number, ratings[number], matches) for number in range(count)]
    lines.sort(key=lambda line: (line.games == 0, -line.rating.value, line.name))
    return Standings(method, cooperative, lines, _pairings(ladder, matches))


def _line(ladder: Ladder, number: int, rating: Rating, matches: Sequence[Sequence[Played]]) -> Standing:
    games, wins, actions, seconds = 0, 0.0, 0, 0.0
    faults: dict[str, int] = dict.fromkeys(FAULTS, 0)
    for game in (game for games in matches for game in games):
        own = [seat for seat, entrant in enumerate(game.seats) if entrant == number]
        if not own:
            continue
        games += 1
        # In co-op every seat is the entrant's, and all have the one score.
        wins += game.shares[own[0]]
        actions += sum(game.actions[seat] for seat in own)
        seconds += sum(game.seconds[seat] for seat in own)
        if game.fault is not None and game.faulty_seat in own:
            faults[game.fault] += 1
    return Standing(
        name=ladder.entrants[number].name,
        rating=rating,
        games=games,
        wins=wins,
        mean=wins / max(games, 1),
        seconds_per_action=seconds / max(actions, 1),
        faults=faults,
    )


def _pairings(ladder: Ladder, matches: Sequence[Sequence[Played]]) -> dict[str, dict[str, tuple[int, float]]]:
    names = [entrant.name for entrant in ladder.entrants]
    found: dict[str, dict[str, tuple[int, float]]] = {name: {} for name in names}
    if ladder.mode == "cooperative":
        return found
    for game in (game for games in matches for game in games):
        for one, other in permutations(range(len(game.seats)), 2):
            mine, theirs = names[game.seats[one]], names[game.seats[other]]
            better = game.places[one] - game.places[other]
            won = 1.0 if better < 0 else 0.5 if better == 0 else 0.0
            before = found[mine].get(theirs, (0, 0.0))
            found[mine][theirs] = (before[0] + 1, before[1] + won)
    return found


def write_files(folder: Path, ladder: Ladder, matches: Sequence[Sequence[Played]]) -> list[Path]:
    """Writes the standings as JSON and CSV, the pairings as CSV, the records as JSON Lines, the report as
    HTML and, where matplotlib is installed, the chart as PNG; which files."""
    table = standings(ladder, matches)
    files = [
        folder / name
        for name in ("standings.json", "standings.csv", "pairings.csv", "records.jsonl", "report.html")
    ]
    told = {
        "method": table.method,
        "standings": [asdict(line) for line in table.lines],
        "pairings": table.pairings,
    }
    files[0].write_text(json.dumps(told, indent=1) + "\n")
    with files[1].open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(
            [
                *("name", "rating", "low", "high", "games", "points" if table.cooperative else "wins"),
                *("mean", "seconds_per_action", *FAULTS),
            ]
        )
        for line in table.lines:
            rating = [round(each, 2) for each in (line.rating.value, line.rating.low, line.rating.high)]
            figures = (line.games, line.wins, line.mean, line.seconds_per_action)
            rows.writerow([line.name, *rating, *(round(each, 4) for each in figures), *line.faults.values()])
    with files[2].open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["player", "against", "games", "won"])
        for mine, others in table.pairings.items():
            rows.writerows([mine, theirs, games, won] for theirs, (games, won) in others.items())
    with files[3].open("w") as file:
        for game in (game for games in matches for game in games):
            file.write(json.dumps(game.record, ensure_ascii=False) + "\n")
    files[4].write_text(report(ladder, table))
    return files + _chart(folder / "ratings.png", table)


def _chart(file: Path, table: Standings) -> list[Path]:
    try:
        from matplotlib import pyplot

        from api.pictures import LACQUER, save
    except ImportError:
        return []
    lines = table.played
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.4 * len(lines)))
    for place, line in enumerate(reversed(lines)):
        spread = [[line.rating.value - line.rating.low], [line.rating.high - line.rating.value]]
        axes.errorbar(line.rating.value, place, xerr=spread, fmt="o", color=LACQUER, capsize=4)
    names = [line.name for line in reversed(lines)]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_xlabel(table.method)
    with warnings.catch_warnings():
        # A name may have letters that the font lacks; they are drawn as boxes.
        warnings.filterwarnings("ignore", "Glyph")
        save(figure, file)
    return [file]


def report(ladder: Ladder, table: Standings) -> str:
    """A page that needs nothing beside itself: settings, standings with a chart, pairings."""
    low = min(line.rating.low for line in table.played)
    span = max(max(line.rating.high for line in table.played) - low, 1e-9)
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True)
    template = environment.get_template("ladder_report.html")
    return template.render(
        ladder=ladder,
        table=table,
        shown=shown,
        pairing=pairing,
        across=lambda value: round(170 + 500 * (value - low) / span, 1),
    )


def shown(rating: Rating) -> str:
    """A rating and half the width of its interval."""
    return f"{rating.value:.1f} ± {(rating.high - rating.low) / 2:.1f}"


def pairing(table: Standings, mine: str, theirs: str) -> str:
    """What one won of the games against another."""
    games, won = table.pairings[mine].get(theirs, (0, 0.0))
    return f"{won:g}/{games}" if games else ""
