"""The players: scripted people who use the API as a careful client does, and keep what was acknowledged."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import httpx

Json = dict[str, Any]

TIMEOUT = 6.0
RETRY = (0.05, 0.4)  # seconds before the same request is sent again
THINKS = (0.02, 0.25)
UNDOES, LEAVES = 0.15, 0.01  # how often, where it can be done
WAIT = 2  # seconds for which a poll may wait for a change

# Every mode, number of seats and kind of rival whose thinking is short. "human" is played here.
KINDS: tuple[tuple[str, tuple[str, ...], Json], ...] = (
    ("competitive", ("human", "greedy"), {}),
    ("competitive", ("human", "human"), {}),
    ("competitive", ("beginner", "human", "greedy"), {}),
    ("competitive", ("human", "apprentice", "random", "greedy"), {}),
    ("competitive", ("human", "open"), {}),
    ("competitive", ("greedy", "beginner"), {}),
    ("competitive", ("human", "average"), {}),
    ("competitive", ("human", "human", "human", "human"), {}),
    ("competitive", ("human", "master"), {}),
    ("cooperative", ("human",), {}),
    ("cooperative", ("human", "greedy"), {"hands": "closed"}),
    ("cooperative", ("human", "open", "beginner"), {"move": "any"}),
    ("cooperative", ("human", "greedy", "human", "apprentice"), {"element_tokens": False}),
    ("cooperative", ("greedy",), {"scoring": "family"}),
)


@dataclass
class Acknowledged:
    """An action that the API said was played; `undone` once it said that it was taken back."""

    version: int
    seat: int
    action: Json
    undone: bool = False


@dataclass
class Table:
    """A game and what its players were told of it."""

    id: str
    tokens: dict[int, str]
    played: list[Acknowledged] = field(default_factory=list)
    left: dict[int, int | None] = field(default_factory=dict)  # by seat, the version (None: not told)
    seen: int = 0  # the highest version


class Lane:
    """A thread that plays one game after another until `stop` is set, and then leaves nothing in doubt."""

    def __init__(self, number: int, seed: int, url: str, stop: threading.Event) -> None:
        self.kind = KINDS[number % len(KINDS)]
        self.tables: list[Table] = []
        self.faults: list[str] = []  # what no answer should be
        self.sent_again = 0
        self.seen_and_lost = 0  # versions that were read and were gone after a crash
        self._chance = random.Random(f"{seed}-{number}")  # a text as seed is the same everywhere
        self._stop = stop
        self._http = httpx.Client(base_url=f"{url}/api/v1", timeout=TIMEOUT)
        self.thread = threading.Thread(target=self._run, name=f"lane {number}", daemon=True)

    def _run(self) -> None:
        try:
            with self._http:
                while not self._stop.is_set():
                    self._play_game()
        except Exception as error:
            self.faults.append(f"the player broke off: {error!r}")
            raise

    def _play_game(self) -> None:
        mode, players, options = self.kind
        seats = [{"name": f"Seat {seat}", "player": player} for seat, player in enumerate(players)]
        created, _ = self._send("POST", "/games", body={"mode": mode, "seats": seats, "options": options})
        if created.status_code != 201:
            self._unexpected("making a game", created)
            return
        made = created.json()
        table = Table(made["id"], {int(seat): token for seat, token in made["tokens"].items()})
        self.tables.append(table)
        if not all(self._join(table, seat) for seat, player in enumerate(players) if player == "open"):
            return
        tag = ""
        while not self._stop.is_set():
            eyes = next(iter(table.tokens), None)
            answer, _ = self._send("GET", f"/games/{table.id}?wait={WAIT}", table, eyes, tag=tag)
            if answer.status_code == 304:
                continue
            if answer.status_code != 200:
                self._unexpected("reading", answer)
                return
            game, tag = answer.json(), answer.headers["ETag"]
            self._look(table, game["version"])
            if game["over"]:
                return
            if game["seat_to_act"] in table.tokens:
                self._act(table, game["seat_to_act"])
                tag = ""

    def _join(self, table: Table, seat: int) -> bool:
        joined, in_doubt = self._send("POST", f"/games/{table.id}/seats/{seat}/join", body={"name": "Guest"})
        if joined.status_code == 201:
            table.tokens[seat] = joined.json()["token"]
        elif not in_doubt:
            self._unexpected("joining", joined)
        return joined.status_code == 201

    def _act(self, table: Table, seat: int) -> None:
        self._stop.wait(self._chance.uniform(*THINKS))
        answer, _ = self._send("GET", f"/games/{table.id}/legal-actions", table, seat)
        if answer.status_code != 200:
            self._unexpected("asking for actions", answer)
            return
        legal = answer.json()
        if not legal["actions"]:
            return
        if len(table.tokens) > 1 and self._chance.random() < LEAVES:
            self._leave(table, seat)
            return
        action = self._chance.choice(legal["actions"])
        body = {"expected_version": legal["version"], "action": action}
        answer, _ = self._send("POST", f"/games/{table.id}/actions", table, seat, body, key=self._key())
        if answer.status_code != 201:
            # After a crash the position may be an earlier one than that just read.
            if not (answer.status_code == 409 and answer.json()["code"] == "stale-version"):
                self._unexpected("playing", answer)
            return
        applied = answer.json()
        table.played.append(Acknowledged(applied["version"], seat, action))
        self._look(table, applied["version"])
        if applied["game"]["can_undo"] and self._chance.random() < UNDOES:
            self._undo(table, seat, applied["game"]["version"])

    def _undo(self, table: Table, seat: int, version: int) -> None:
        body = {"expected_version": version}
        answer, _ = self._send("POST", f"/games/{table.id}/undo", table, seat, body, key=self._key())
        if answer.status_code == 200:
            table.played[-1].undone = True
            self._look(table, answer.json()["version"])
        elif not (answer.status_code == 409 and answer.json()["code"] == "stale-version"):
            self._unexpected("taking back", answer)

    def _leave(self, table: Table, seat: int) -> None:
        body = {"replacement": "greedy"}
        answer, in_doubt = self._send("POST", f"/games/{table.id}/seats/{seat}/leave", table, seat, body)
        if answer.status_code == 200 or (answer.status_code == 401 and in_doubt):
            table.left[seat] = answer.json()["version"] if answer.status_code == 200 else None
            del table.tokens[seat]
        else:
            self._unexpected("leaving", answer)

    def _send(
        self,
        method: str,
        path: str,
        table: Table | None = None,
        seat: int | None = None,
        body: Json | None = None,
        key: str = "",
        tag: str = "",
    ) -> tuple[httpx.Response, bool]:
        """The first answer that is one, and whether an earlier try may have had its effect."""
        headers = {"Idempotency-Key": key} if key else {}
        if table is not None and seat is not None:
            headers["Authorization"] = f"Bearer {table.tokens[seat]}"
        if tag:
            headers["If-None-Match"] = tag
        in_doubt = False
        while True:
            try:
                answer = self._http.request(method, path, headers=headers, json=body)
            except httpx.TransportError:
                in_doubt = True
            else:
                if answer.status_code not in (429, 503):
                    if answer.status_code >= 500:
                        self._unexpected("anything", answer)
                        in_doubt = True
                    else:
                        return answer, in_doubt
                in_doubt = in_doubt or answer.status_code == 503
            self.sent_again += 1
            time.sleep(self._chance.uniform(*RETRY))

    def _look(self, table: Table, version: int) -> None:
        if version < table.seen:
            self.seen_and_lost += 1
        table.seen = version

    def _key(self) -> str:
        return f"{self._chance.getrandbits(80):x}"

    def _unexpected(self, doing: str, answer: httpx.Response) -> None:
        self.faults.append(f"{doing} was answered {answer.status_code}: {answer.text[:200]}")
