"""Boards are data files (R2): twelve spaces, the vines that join them, and where Element Tokens start."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from engine.errors import BadSetup

SPACES = 12
TOKENS = 10
DEFAULT_BOARD = "scroll"


@dataclass(frozen=True, slots=True)
class Board:
    """A board. `coordinates` are (x, y) in 0..1 of the drawing area, y downwards; empty for a board known
    only by its vines. `vines` are pairs of spaces; `token_spaces` are ten spaces in the record's order."""

    name: str
    vines: tuple[tuple[int, int], ...]
    token_spaces: tuple[int, ...]
    coordinates: tuple[tuple[float, float], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The board as it stands in a game record: all that the rules need."""
        return {
            "name": self.name,
            "vines": [list(vine) for vine in self.vines],
            "token_spaces": list(self.token_spaces),
        }

    def neighbour_masks(self) -> list[int]:
        """For each space, the spaces joined to it as a bit mask."""
        masks = [0] * SPACES
        for a, b in self.vines:
            masks[a] |= 1 << b
            masks[b] |= 1 << a
        return masks


def _is_space(value: object) -> bool:
    return type(value) is int and 0 <= value < SPACES


def board_from_json(data: object, coordinates: tuple[tuple[float, float], ...] = ()) -> Board:
    """A board from its record form; BadSetup `bad-board` names the part that is wrong."""
    if not isinstance(data, dict) or set(data) != {"name", "vines", "token_spaces"}:
        raise BadSetup("bad-board", part="keys")
    name, vines, token_spaces = data["name"], data["vines"], data["token_spaces"]
    if not isinstance(name, str) or not 0 < len(name) <= 64:
        raise BadSetup("bad-board", part="name")
    if not isinstance(vines, list) or not all(
        isinstance(vine, list) and len(vine) == 2 and all(map(_is_space, vine)) and vine[0] != vine[1]
        for vine in vines
    ):
        raise BadSetup("bad-board", part="vines")
    if len({frozenset(vine) for vine in vines}) != len(vines):
        raise BadSetup("bad-board", part="vines")
    if (
        not isinstance(token_spaces, list)
        or not all(map(_is_space, token_spaces))
        or len(token_spaces) != TOKENS
        or len(set(token_spaces)) != TOKENS
    ):
        raise BadSetup("bad-board", part="token_spaces")
    return Board(name, tuple((a, b) for a, b in vines), tuple(token_spaces), coordinates)


@cache
def board_names() -> tuple[str, ...]:
    """The boards that come with the game, the default one first."""
    folder = files("engine") / "boards"
    names = sorted(
        path.name.removesuffix(".json") for path in folder.iterdir() if path.name.endswith(".json")
    )
    return (DEFAULT_BOARD, *(name for name in names if name != DEFAULT_BOARD))


@cache
def load_board(name: str) -> Board:
    """The board of that name; BadSetup `unknown-board` if there is none."""
    if name not in board_names():
        raise BadSetup("unknown-board", board=name, known=list(board_names()))
    data = json.loads((files("engine") / "boards" / f"{name}.json").read_text("utf-8"))
    spaces = data.pop("spaces")
    coordinates = tuple((float(space["x"]), float(space["y"])) for space in spaces)
    if len(coordinates) != SPACES:
        raise BadSetup("bad-board", part="spaces")
    return board_from_json(data, coordinates)
