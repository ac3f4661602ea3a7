"""A TCP proxy whose connections can be made bad."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
import threading
from pathlib import Path
from typing import Literal

Mood = Literal["good", "refuse", "stall", "delay", "lose answers"]

CHUNK = 65_536
LOOK = 0.02  # seconds between two looks whether a stall is over
LONGEST_DELAY = 0.3
LOST_ANSWERS = 0.3  # the share of answers before which the connection is reset
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST, and drops what was not sent


class Proxy:
    """Listens on a free port of the loopback and passes all on to `target`, a port or a socket's path.

    `mood` is how it treats connections: it may refuse them, hold everything back (`stall`), pass each chunk
    on late, or pass requests on and reset the connection in place of their answer.
    """

    def __init__(self, target: int | Path) -> None:
        self.target = target
        self.mood: Mood = "good"
        self._chance = random.Random()
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512), self._loop
        )
        self._server = listening.result(10)
        self.port: int = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Reset every connection."""
        self._loop.call_soon_threadsafe(self._cut)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _cut(self) -> None:
        for writer in list(self._open):
            _reset(writer)

    async def _end(self) -> None:
        self._server.close()
        self._cut()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            if self.mood == "refuse":
                return
            if isinstance(self.target, Path):
                there, on = await asyncio.open_unix_connection(self.target)
            else:
                there, on = await asyncio.open_connection("127.0.0.1", self.target)
            self._open.add(on)
            try:
                asked = asyncio.create_task(self._pass_on(reader, on, answers=False))
                await self._pass_on(there, writer, answers=True)
                asked.cancel()
            finally:
                self._open.discard(on)
                _reset(on)
        except OSError:
            pass
        finally:
            self._open.discard(writer)
            _reset(writer)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                while self.mood == "stall":
                    await asyncio.sleep(LOOK)
                if self.mood == "delay":
                    await asyncio.sleep(self._chance.uniform(0, LONGEST_DELAY))
                if answers and self.mood == "lose answers" and self._chance.random() < LOST_ANSWERS:
                    return
                writer.write(data)
                await writer.drain()
        if not answers:
            writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0 and connection.family != socket.AF_UNIX:
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    writer.transport.abort()
