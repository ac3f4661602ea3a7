"""Games to test with, played through the API."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.described import check_answer

Json = dict[str, Any]
GAMES = "/api/v1/games"
HUMANS = ({"name": "Lan", "player": "human"}, {"name": "Minh", "player": "human"})


class Client:
    """Speaks HTTP with the application and holds every answer against the OpenAPI document."""

    def __init__(self, flask_client: FlaskClient) -> None:
        self.flask_client = flask_client

    def send(self, method: str, path: str, *, token: str | None = None, **more: Any) -> TestResponse:
        # The same id for all, so that answers can be compared to the last header.
        headers = {"X-Request-Id": "of-a-test", **more.pop("headers", {})}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        response = self.flask_client.open(path, method=method, headers=headers, **more)
        check_answer(method, urlsplit(path).path, response)
        return response

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.send("GET", path, **more)

    def post(self, path: str, body: object, **more: Any) -> TestResponse:
        return self.send("POST", path, json=body, **more)

    def table(self, mode: str = "competitive", seats: Any = HUMANS, **more: Any) -> Table:
        """A new game with its tokens."""
        response = self.post(GAMES, {"mode": mode, "seats": list(seats), **more})
        assert response.status_code == 201, response.get_json()
        return Table(self, **response.get_json())

    def imported(self, record: Json, purpose: str = "play") -> Table:
        response = self.post("/api/v1/imports", {"record": record, "purpose": purpose})
        assert response.status_code == 201, response.get_json()
        return Table(self, **response.get_json())


@dataclass
class Table:
    """A game and the tokens of its seats."""

    client: Client
    id: str
    version: int
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"{GAMES}/{self.id}"

    def token(self, seat: int | None) -> str | None:
        return None if seat is None else self.tokens[str(seat)]

    def get(self, path: str = "", seat: int | None = None, **more: Any) -> TestResponse:
        return self.client.get(self.url + path, token=self.token(seat), **more)

    def read(self, seat: int | None = None) -> Json:
        response = self.get(seat=seat)
        assert response.status_code == 200, response.get_json()
        return dict(response.get_json())

    def post(self, path: str, body: object, seat: int | None = None, **more: Any) -> TestResponse:
        return self.client.post(self.url + path, body, token=self.token(seat), **more)

    def act(self, action: Json, seat: int | None = None, **more: Any) -> TestResponse:
        """Play an action at the version that is now."""
        seat = action["seat"] if seat is None else seat
        body = {"expected_version": self.read()["version"], "action": action}
        return self.post("/actions", body, seat=seat, **more)

    def legal(self) -> list[Json]:
        """The legal actions of the seat to act; none when the game is over."""
        mover = self.read()["seat_to_act"]
        return [] if mover is None else list(self.get("/legal-actions", seat=mover).get_json()["actions"])

    def play(self, steps: int, choose: Any = None) -> None:
        """Play so many actions, fewer if the game ends: by default draws, and the first way to discard."""
        for _ in range(steps):
            legal = self.legal()
            if not legal:
                return
            response = self.act(legal[0] if choose is None else choose(legal))
            assert response.status_code == 201, response.get_json()

    def everything(self) -> str:
        """All that anybody may know of the game, to see that nothing has changed."""
        seats = [None, *map(int, self.tokens)]
        reads = [self.get(seat=seat) for seat in seats]
        records = [self.get("/record", seat=seat).get_json() for seat in seats]
        log = self.get("/actions").get_json()
        return json.dumps([[(r.headers["ETag"], r.get_json()) for r in reads], records, log], sort_keys=True)


def error_code(response: TestResponse) -> str:
    return str(response.get_json()["code"])
