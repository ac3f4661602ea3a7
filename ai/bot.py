"""The base class of bots in Python."""

from abc import ABC, abstractmethod
from typing import Any

Json = dict[str, Any]


class Bot(ABC):
    """A player to be written: subclass it and say what to choose.

    It takes part in a local ladder as "file.py:Class", or plays a seat on a server with `stem-branch bot`.
    """

    time_left: float | None = None
    """Seconds in which `choose` has to answer, set before each call; None where nobody counts them."""

    @abstractmethod
    def choose(self, view: Json, actions: list[Json]) -> Json:
        """One of `actions`, every complete action that is legal now, in the notation of game records.

        `view` is what the bot's seat sees, as the API tells it: `seat_to_act` is its own seat, `table` the
        board and the Stream, `players` the seats, its own with its `hand`. Answering too late, an exception
        or what is not legal loses the game.
        """
