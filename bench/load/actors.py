"""People who play so many actions a second at tables with computer players."""

from __future__ import annotations

import http.client
import queue
import random
import resource
import threading
import time
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.load.stack import Json, Seat, Visitor

LIVELY = 4  # games that are played at a time, for each action a second
LOOK_AGAIN = 0.5  # seconds, while a computer player is to move
HANDS, EYES = 24, 4  # threads that act, and that see what can be done


@dataclass
class Played:
    """Latencies in seconds of the actions of the measured time, and what all requests were answered."""

    latencies: array[float] = field(default_factory=lambda: array("d"))
    statuses: Counter[int] = field(default_factory=Counter)
    finished: int = 0  # games
    late: int = 0  # actions whose moment came before a table was there for them
    processor_seconds: float = 0.0


class Actors:
    def __init__(
        self, url: str, seats: Sequence[Seat], rate: float, start: float, measure: float, end: float
    ) -> None:
        self.url, self.rate = url, rate
        self.start, self.measure, self.end = start, measure, end
        self.reserve = list(seats)
        self.ready: queue.Queue[tuple[Seat, Json]] = queue.Queue()
        self.to_see: queue.Queue[tuple[float, Seat]] = queue.PriorityQueue()
        self.turn, self.lock = 0, threading.Lock()
        self.played = Played()

    def run(self) -> Played:
        for _ in range(round(LIVELY * self.rate)):
            self.next_game()
        threads = [threading.Thread(target=self.see) for _ in range(EYES)]
        threads += [threading.Thread(target=self.act) for _ in range(HANDS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        used = resource.getrusage(resource.RUSAGE_SELF)
        self.played.processor_seconds = used.ru_utime + used.ru_stime
        return self.played

    def next_game(self) -> None:
        with self.lock:
            if self.reserve:
                self.to_see.put((time.monotonic(), self.reserve.pop()))

    def game_over(self) -> None:
        with self.lock:
            self.played.finished += 1
        self.next_game()

    def see(self) -> None:
        """Find out what can be done in games whose next action has not been chosen."""
        visitor, choose = Visitor(self.url), random.Random()
        while time.monotonic() < self.end:
            try:
                when, seat = self.to_see.get(timeout=0.2)
            except queue.Empty:
                continue
            time.sleep(max(0.0, min(when, self.end) - time.monotonic()))
            legal = self.ask(visitor, "GET", f"/games/{seat.id}/legal-actions", seat.token)
            if legal is not None and legal["actions"]:
                summons = [action for action in legal["actions"] if action["type"] == "summon"]
                action = choose.choice(summons or legal["actions"])
                self.ready.put((seat, {"expected_version": legal["version"], "action": action}))
                continue
            game = self.ask(visitor, "GET", f"/games/{seat.id}", seat.token)
            if game is not None and game["over"]:
                self.game_over()
            else:
                self.to_see.put((time.monotonic() + LOOK_AGAIN, seat))

    def act(self) -> None:
        """Play the chosen actions, each at its moment; its latency counts from then."""
        visitor = Visitor(self.url)
        while True:
            with self.lock:
                due = self.start + self.turn / self.rate
                self.turn += 1
            if due >= self.end:
                return
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                seat, body = self.ready.get_nowait()
            except queue.Empty:
                self.played.late += due >= self.measure
                continue
            key = f"{seat.id}-{body['expected_version']}"
            answer = self.ask(visitor, "POST", f"/games/{seat.id}/actions", seat.token, body, key)
            if due >= self.measure:
                self.played.latencies.append(time.monotonic() - due)
            if answer is not None and answer["game"]["over"]:
                self.game_over()
            else:
                mine = answer is None or answer["game"]["seat_to_act"] == 0
                self.to_see.put((time.monotonic() + (0 if mine else LOOK_AGAIN), seat))

    def ask(
        self, visitor: Visitor, method: str, path: str, token: str, body: Json | None = None, key: str = ""
    ) -> Json | None:
        """The answer, if it is a good one."""
        headers = {"Idempotency_Key": key} if key else {}
        try:
            status, answer, _ = visitor.ask(method, path, token, body, **headers)
        except (OSError, http.client.HTTPException):
            visitor.connection.close()
            status, answer = 0, {}
        with self.lock:
            self.played.statuses[status] += 1
        return answer if status in (200, 201) else None


def play(url: str, seats: Sequence[Seat], rate: float, start: float, measure: float, end: float) -> Played:
    """Play `rate` actions a second from `start` to `end`, at some of the tables at a time."""
    return Actors(url, seats, rate, start, measure, end).run()
