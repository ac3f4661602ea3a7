"""Clients that poll once a second each, whether or not the server keeps up.

Every poll has its moment, fixed beforehand, and its latency counts from then: neither a slow answer nor a
late client hides the wait that follows (no "coordinated omission").
"""

from __future__ import annotations

import re
import resource
import select
import socket
import time
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
TAG = re.compile(rb'(?i)\r\netag: *("[^"\r]*")')
LAST_ANSWERS = 5.0  # seconds that those polls have whose moment has come


@dataclass
class Told:
    """Latencies in seconds of the polls of the measured time, and what all were answered, by status."""

    latencies: array[float] = field(default_factory=lambda: array("d"))
    statuses: Counter[int] = field(default_factory=Counter)
    unanswered: int = 0
    processor_seconds: float = 0.0


class Client:
    """One keep-alive connection that reads one game."""

    def __init__(self, host: str, port: int, id: str, token: str) -> None:
        self.address = host, port
        self.connect()
        head = f"GET /api/v1/games/{id} HTTP/1.1\r\nHost: {host}:{port}\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self.head = head.encode()
        self.request = self.head + b"\r\n"
        self.due: list[float] = []  # the moments of the polls that have not been answered

    def connect(self) -> None:
        self.socket = socket.create_connection(self.address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.got = b""

    def poll(self, due: float) -> None:
        self.due.append(due)
        if len(self.due) == 1:
            self.socket.sendall(self.request)

    def hear(self) -> int | None:
        """Read what has come: the status, once an answer is complete. Raises ConnectionError."""
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError
        got = self.got = self.got + data
        end = got.find(HEAD_END)
        if end < 0:
            return None
        head = got[: end + 2]
        length = LENGTH.search(head)
        if len(got) < end + 4 + (int(length[1]) if length else 0):
            return None
        self.got = b""
        status = int(got[9:12])
        if status == 200:
            tag = TAG.search(head)
            self.request = self.head + b"If-None-Match: " + (tag[1] if tag else b"") + HEAD_END
        return status

    def answered(self) -> float:
        """The moment of the poll that was answered; the next one goes out if its moment has come."""
        due = self.due.pop(0)
        if self.due:
            self.socket.sendall(self.request)
        return due


def poll(url: str, games: Sequence[tuple[str, str]], start: float, measure: float, end: float) -> Told:
    """Poll each game (id and token, or "" for a spectator) once a second from `start` to `end`.

    Polls count from `measure` on. All three are of `time.monotonic`.
    """
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    clients = [Client(address.hostname, address.port, *game) for game in games]
    by_handle = {client.socket.fileno(): client for client in clients}
    watch = select.epoll()
    for handle in by_handle:
        watch.register(handle, select.EPOLLIN)
    if time.monotonic() > start:
        raise SystemExit("The clients were not connected in time: the machine is too slow, or busy.")
    told, turn, between = Told(), 0, 1 / len(clients)
    while True:
        now = time.monotonic()
        due = start + turn * between
        while due <= now and due < end:
            clients[turn % len(clients)].poll(due)
            turn += 1
            due = start + turn * between
        if now > end and (now > end + LAST_ANSWERS or not any(client.due for client in clients)):
            break
        for handle, _ in watch.poll(max(0.0, min(due - now, 0.1))):
            client = by_handle[handle]
            try:
                status = client.hear()
            except ConnectionError:
                # A server may end a connection that waits, but not one that has asked.
                status = 0 if client.due else None
                watch.unregister(handle)
                client.socket.close()
                client.connect()
                by_handle[client.socket.fileno()] = client
                watch.register(client.socket, select.EPOLLIN)
            if status is not None:
                asked = client.answered()
                told.statuses[status] += 1
                if asked >= measure:
                    told.latencies.append(time.monotonic() - asked)
    told.unanswered = sum(len(client.due) for client in clients)
    for client in clients:
        client.socket.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    told.processor_seconds = used.ru_utime + used.ru_stime
    return told
