"""Whether anything that a viewer may not know changes a byte of what the API answers (R22).

Random games are played over HTTP in the real store, each together with twins: for every viewer one that
differs from it only in what that viewer does not see. Ids and tokens are the same in all of them, times are
left out. At every ply every viewer asks what the OpenAPI document has, and is answered the same by both.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from flask import Flask

from api import create_app
from engine import CARD_NAMES, Game, Viewer, may_be_undone
from worker import EmbeddedStore, Settings, Store, connect, set_up_logs
from worker.advice import give_hint
from worker.moves import use

Json = dict[str, Any]
GAMES = "/api/v1/games"
ID = "thesamegame"
GAME = f"{GAMES}/{ID}"
LADDER = f"/api/v1/ladders/{ID}"
# Times, and seconds until one.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|(?<=max-age=)\d+|(?<=Retry-After: )\d+")
STRETCH = 6  # plies between two shuffles: a twin's cards stay hidden from its viewer for so long
SETTINGS: list[tuple[str, int, Json]] = [
    ("competitive", 2, {}),
    ("cooperative", 2, {"hands": "closed"}),
    ("competitive", 3, {}),
    ("cooperative", 1, {}),
    ("cooperative", 3, {"hands": "closed", "move": "any", "element_tokens": False}),
    ("competitive", 4, {}),
    ("cooperative", 2, {"scoring": "family"}),
    ("cooperative", 4, {"hands": "closed", "scoring": "family"}),
]


class Ask(NamedTuple):
    method: str
    path: str
    body: Json | None = None
    known: str | None = None  # a tag, for If-None-Match


Answer = tuple[int, str, str]  # status, headers, body


class Leak(AssertionError):
    """A viewer was answered differently by two games that it cannot tell apart."""

    def __init__(self, viewer: Viewer, ask: Ask, one: Answer, other: Answer) -> None:
        super().__init__(f"{viewer} asks {ask} and is told\n{one}\nor\n{other}")


@dataclass(frozen=True)
class Now:
    """What a case is made of: where the game stands, who asks, and chance."""

    version: int
    plies: int
    seats: int
    viewer: Viewer
    chance: random.Random

    @property
    def seat(self) -> int:
        return self.viewer if isinstance(self.viewer, int) else 0


Case = Callable[[Now], list[Ask]]


def _get(*paths: str) -> Case:
    return lambda _: [Ask("GET", path) for path in paths]


def _post(path: str, **body: Any) -> Case:
    return lambda now: [Ask("POST", path.replace("SEAT", str(now.seat)), body or None)]


def _game(now: Now) -> list[Ask]:
    return [Ask("GET", GAME), Ask("GET", GAME, known=f'"{now.version}-{now.viewer}"')]


def _positions(now: Now) -> list[Ask]:
    some = {now.plies, now.chance.randrange(now.plies + 2)}
    eyes = now.chance.choice(["0", "1", "3", "spectator", "all"])
    paths = [*(f"{index}" for index in some), f"{now.plies}?seat={eyes}"]
    return [Ask("GET", f"{GAME}/positions/{path}") for path in paths]


def _refused_actions(now: Now) -> list[Ask]:
    """Actions that are refused whatever the hand: why must not tell where a card lies."""
    # No card may pay for itself, and nobody discards fifteen.
    tries: list[Json] = [
        {
            "seat": now.seat, "type": "summon", "card": card, "space": space, "move": None,
            "pay": {"cards": [card], "tokens": 0}, "gain": None,
        }
        for space, card in enumerate(now.chance.sample(CARD_NAMES, 3))
    ]  # fmt: skip
    tries.append({"seat": now.seat, "type": "discard", "cards": list(CARD_NAMES[:15])})
    tries.append({"seat": (now.seat + 1) % 4, "type": "draw", "source": "deck"})
    bodies = [{"expected_version": now.version, "action": each} for each in tries]
    bodies.append({"expected_version": now.version + 1, "action": tries[0]})
    return [Ask("POST", f"{GAME}/actions", body) for body in bodies]


def _replacements(now: Now) -> list[Ask]:
    body = {"replacement": "greedy"}
    return [Ask("POST", f"{GAME}/seats/{seat}/replace", body) for seat in range(now.seats)]


def _undo(now: Now) -> list[Ask]:
    versions = (now.version - 1, now.version)
    return [Ask("POST", f"{GAME}/undo", {"expected_version": version}) for version in versions]


# What is asked of each operation of the OpenAPI document: at every ply ...
AT_EVERY_PLY: dict[str, Case] = {
    "get /games": _get(GAMES, f"{GAMES}?state=running&limit=1"),
    "get /games/{game_id}": _game,
    "get /games/{game_id}/actions": _get(f"{GAME}/actions", f"{GAME}/actions?after=1&limit=2"),
    "get /games/{game_id}/record": _get(f"{GAME}/record"),
    "get /games/{game_id}/legal-actions": _get(f"{GAME}/legal-actions"),
    "get /games/{game_id}/choices": _get(f"{GAME}/choices"),
    "get /games/{game_id}/positions/{index}": _positions,
    "post /games/{game_id}/actions": _refused_actions,
    "post /games/{game_id}/hint": lambda _: [Ask("POST", f"{GAME}/hint"), Ask("GET", f"{GAME}/hint")],
    "get /games/{game_id}/hint": _get(f"{GAME}/hint"),
}
# ... by one viewer at the end of each stretch, since it may change the game; leaving comes last ...
AT_THE_END: dict[str, Case] = {
    "post /games": _post(GAMES, mode="competitive", seats=[{"player": "human"}] * 2, after=ID),
    "get /games/{game_id}/analysis": _get(f"{GAME}/analysis"),
    "post /games/{game_id}/analysis": _post(f"{GAME}/analysis"),
    "post /games/{game_id}/seats/{seat}/replace": _replacements,
    "post /games/{game_id}/seats/{seat}/join": _post(f"{GAME}/seats/SEAT/join", name="Lan"),
    "post /games/{game_id}/undo": _undo,
    "post /games/{game_id}/seats/{seat}/leave": _post(f"{GAME}/seats/SEAT/leave", replacement="greedy"),
}
# ... and what names no game, once beside each.
OF_NO_GAME: dict[str, Case] = {
    "post /imports": _post("/api/v1/imports", record={"format": "stem-branch/1"}, purpose="replay"),
    "get /almanac": _get("/api/v1/almanac?date=1984-02-15"),
    "get /daily": _get("/api/v1/daily"),
    "get /ladders": _get("/api/v1/ladders"),
    "post /ladders": _post("/api/v1/ladders", players=[{"player": "random"}], games=1),
    "get /ladders/{ladder_id}": _get(LADDER),
    "post /ladders/{ladder_id}/{change}": _post(f"{LADDER}/stop"),
    "get /ladders/{ladder_id}/matches": _get(f"{LADDER}/matches"),
    "get /ladders/{ladder_id}/matches/{match}/games/{game}/record": _get(
        f"{LADDER}/matches/0/games/0/record"
    ),
    "get /rules": _get("/api/v1/rules"),
    "get /rules/cards": _get("/api/v1/rules/cards"),
    "get /rules/boards": _get("/api/v1/rules/boards"),
    "get /rules/options": _get("/api/v1/rules/options"),
    "get /rules/players": _get("/api/v1/rules/players"),
    "get /healthz": _get("/healthz"),
    "get /readyz": _get("/readyz"),
}
CASES = AT_EVERY_PLY | AT_THE_END | OF_NO_GAME


@contextmanager
def _made_here(id: str) -> Iterator[None]:
    """Games made in the meantime have this id, and tokens that are the same each time."""
    made = count()
    with (
        patch("worker.store.new_game_id", lambda: id),
        patch("worker.store.new_token", lambda: f"token-of-{id}-{next(made)}"),
    ):
        yield


class Table:
    """One of several games that share id and tokens, each in a database of its own."""

    def __init__(self, app: Flask, settings: Settings, number: int) -> None:
        self.app, self.http = app, app.test_client()
        self.settings = replace(settings, redis_url=f"{settings.redis_url}?db={number}")
        self.store = Store(connect(self.settings), self.settings)
        self.tokens: dict[int, str] = {}

    def begin(self, record: Json) -> None:
        """Has this game and no other, at the end of its actions; its last seat is taken over HTTP."""
        self.store.client.flushdb()
        last = len(record["seats"]) - 1
        players = ["human"] * last + ["open"]
        seats = [{"name": "Minh", "player": player} for player in players]
        with _made_here(ID):
            made = self.store.create(
                Game.from_record({**record, "seats": seats}), public=True, hints=True, absence_minutes=1
            )
        self.tokens = made.tokens
        # Whose token it is, is remembered by processes of the API: another game's needs another one.
        join = Ask("POST", f"{GAME}/seats/{last}/join", {"name": "Minh"})
        status, _, body = self.ask("spectator", join, made=f"seat-{last}")
        assert status == 201, body
        self.tokens[last] = re.findall('"token":"(.*?)"', body)[0]

    def ask(self, viewer: Viewer, ask: Ask, made: str = "another") -> Answer:
        """The whole answer, without times; what it makes is named `made`."""
        self.app.extensions["store"] = self.store
        headers = {"X-Request-Id": "the-same"}
        if ask.known is not None:
            headers["If-None-Match"] = ask.known
        if isinstance(viewer, int):
            headers["Authorization"] = f"Bearer {self.tokens[viewer]}"
        with _made_here(made):
            answer = self.http.open(ask.path, method=ask.method, json=ask.body, headers=headers)
        told = (str(answer.headers), answer.get_data(as_text=True))
        return answer.status_code, TIME.sub("TIME", told[0]), TIME.sub("TIME", told[1])

    def find_hint(self, version: int) -> None:
        """Does what a worker would, if a hint was asked for."""
        use(self.settings)
        give_hint(ID, version)


Twins = list[tuple[Viewer, Table]]


def check_hidden(games: int, seed: int, operations: int | None = None) -> int:
    """Plays random games of all modes with their twins and compares what every viewer is told at every ply.

    Gives how many answers were compared. Raises Leak.

    With `operations`, each asks for so many of them at a ply, drawn by chance, and else for all.
    """
    set_up_logs("error")
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Settings(data_dir=Path(folder))) as server:
        settings = Settings(redis_url=server.url, admin_token="whoever-looks-for-leaks", hint_iterations=10)
        settings = replace(settings, hint_seconds=60.0)
        app = create_app(settings)
        app.testing = True
        tables = [Table(app, settings, number) for number in range(6)]
        try:
            return sum(
                _check_game(tables, seed + number, operations, *SETTINGS[number % len(SETTINGS)])
                for number in range(games)
            )
        finally:
            use(Settings())
            for table in tables:
                table.store.client.close()


def _check_game(
    tables: list[Table], seed: int, operations: int | None, mode: str, seats: int, options: Json
) -> int:
    chance = random.Random(seed)
    game = Game.new(mode, [{"name": "Minh", "player": "human"}] * seats, seed=seed, options=options or None)
    compared, shown = 0, set[str]()
    one, *others = tables
    while not game.over:
        before = {**game.record(), "result": None}
        coming = _stretch(game, chance)
        shown |= {card for action, _ in coming for card in shown_by(action)}
        one.begin(before)
        twins: Twins = list(zip((*range(seats), "spectator"), others, strict=False))
        for viewer, twin in twins:
            deck = shuffled_deck(game.record(), shown, viewer, chance)
            twin.begin({**before, "setup": {**before["setup"], "deck": deck}})
        version, plies = 2 + len(before["actions"]), len(before["actions"])
        for number, (action, taken_back) in enumerate(coming, 1):
            compared += _look(one, twins, Now(version, plies, seats, "spectator", chance), operations)
            if game.over and number == len(coming):
                return compared  # the action that ends a game shows every hand
            twins, found = _act(one, twins, action["seat"], "actions", version, action=action)
            version, plies, compared = version + 1, plies + 1, compared + found
            if taken_back:
                twins, found = _act(one, twins, action["seat"], "undo", version)
                version, plies, compared = version + 1, plies - 1, compared + found
        if twins:
            viewer, twin = chance.choice(twins)
            now = Now(version, plies, seats, viewer, chance)
            cases = AT_THE_END if before["actions"] else OF_NO_GAME | AT_THE_END
            for case in cases.values():
                compared += _compare(one, twin, viewer, case(now))
    return compared


def _stretch(game: Game, chance: random.Random) -> list[tuple[Json, bool]]:
    """Plays some actions; which they were, and which of them were taken back at once."""
    played: list[tuple[Json, bool]] = []
    while not game.over and len(played) < STRETCH:
        legal = game.legal_actions()
        summons = [action for action in legal if action["type"] == "summon"]
        action = chance.choice(summons if summons and chance.random() < 0.5 else legal)
        taken_back = may_be_undone(game.apply(action)) and chance.random() < 0.5
        if taken_back:
            game.undo()
        played.append((action, taken_back))
    return played


def shown_by(action: Json) -> list[str]:
    """Cards that everybody has seen once this was played."""
    if action["type"] == "discard":
        return list(action["cards"])
    return [action["card"], *action["pay"]["cards"]] if action["type"] == "summon" else []


def shuffled_deck(record: Json, shown: set[str], viewer: Viewer, chance: random.Random) -> list[str]:
    """The deal, its cards shuffled among the places that the viewer has not seen by the end of the record.

    Cards in `shown` stay where they came from: whoever played them has to have them.
    """
    deck, seats = list(record["setup"]["deck"]), len(record["seats"])
    open_hands = record["mode"] == "cooperative" and record["options"]["hands"] == "open"
    dealt = 4 * seats + 8
    seen = {place for place in range(dealt) if place >= 4 * seats or place // 4 == viewer or open_hands}
    for action in record["actions"]:
        if action["type"] == "draw" and dealt < len(deck):
            # A place in the Stream is filled again, openly.
            if action["source"] != "deck" or action["seat"] == viewer or open_hands:
                seen.add(dealt)
            dealt += 1
    places = [place for place in range(len(deck)) if place not in seen and deck[place] not in shown]
    cards = [deck[place] for place in places]
    chance.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    return deck


def _act(one: Table, twins: Twins, seat: int, path: str, version: int, **body: Any) -> tuple[Twins, int]:
    """Plays on in all games; the twins in which that was legal, and how many answers were compared.

    A pass may not be legal with other cards in that hand. Only the seat itself is answered.
    """
    ask = Ask("POST", f"{GAME}/{path}", {"expected_version": version, **body})
    expected = one.ask(seat, ask)
    assert expected[0] < 400, expected
    answers = {viewer: twin.ask(seat, ask) for viewer, twin in twins}
    # The action that ends the game is answered with every hand.
    if '"seat_to_act":null' not in expected[2] and answers.get(seat, expected) != expected:
        raise Leak(seat, ask, expected, answers[seat])
    return [(viewer, twin) for viewer, twin in twins if answers[viewer][0] < 400], int(seat in answers)


def _look(one: Table, twins: Twins, now: Now, operations: int | None) -> int:
    compared = 0
    for viewer, twin in twins:
        chosen = list(AT_EVERY_PLY)
        if operations is not None:
            chosen = now.chance.sample(chosen, operations)
        for name in chosen:
            compared += _compare(one, twin, viewer, AT_EVERY_PLY[name](replace(now, viewer=viewer)))
            if name == "post /games/{game_id}/hint":
                one.find_hint(now.version)
                twin.find_hint(now.version)
                compared += _compare(one, twin, viewer, [Ask("GET", f"{GAME}/hint")])
    return compared


def _compare(one: Table, twin: Table, viewer: Viewer, asks: Sequence[Ask]) -> int:
    for ask in asks:
        expected, found = one.ask(viewer, ask), twin.ask(viewer, ask)
        if expected != found:
            raise Leak(viewer, ask, expected, found)
        assert ask.known is None or expected[0] == 304, f"{ask} names no tag of that version"
    return len(asks)
