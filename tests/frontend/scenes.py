"""Positions worth looking at, reached by playing: each a record that a table can be opened from."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import Game

Json = dict[str, Any]
LONG = ["Nguyễn Thị Phương Thảo Hoàng Anh", "Wilhelmina van der Westhuizen", "Trần Đại Nghĩa", "Maximilian"]
SHORT = ["An", "Lan", "Minh", "Hoa"]
MOST_TRIES = 40


@dataclass(frozen=True)
class Scene:
    """A kind of game, how eagerly it is played, and what has come about when the first seat is to act."""

    mode: str
    seats: int
    reached: Callable[[Game, Json], bool]
    eager: float = 0.8
    names: tuple[str, ...] = tuple(SHORT)
    board: str = "scroll"


def taken(view: Json) -> int:
    return sum(bool(space["cards"]) for space in view["table"]["spaces"])


def payments(game: Game) -> bool:
    """Can the seat to move pay for a card in more than one way?"""
    choices = game.choices()
    offered = choices["summon"] if choices else []
    return any(
        placement["payable"] and len(summon["usable"]["cards"]) > placement["cost"] - placement["tokens"] > 0
        for summon in offered
        for placement in summon["placements"]
    )


SCENES = {
    "opening": Scene("competitive", 2, lambda game, view: game.actions_played < 3),
    "duel": Scene(
        "competitive", 2, lambda game, view: view["actions_left"] == 2 and taken(view) >= 7 and payments(game)
    ),
    "crowded": Scene(
        "competitive",
        4,
        lambda game, view: taken(view) >= 11 and view["table"]["deck"] < 12,
        names=tuple(LONG),
    ),
    "overfull": Scene("competitive", 2, lambda game, view: view["discards_due"] == 2, 0.25, tuple(LONG)),
    "last-round": Scene("competitive", 3, lambda game, view: bool(view["last_round"]), 0.5, tuple(LONG)),
    "solo": Scene("cooperative", 1, lambda game, view: len(view["table"]["ascended"]) >= 3, 0.9),
    "together": Scene(
        "cooperative",
        4,
        lambda game, view: taken(view) >= 9 and len(view["table"]["ascended"]) >= 1,
        names=tuple(LONG),
        board="terraces",
    ),
}


def play_until(scene: Scene, seed: int) -> Game | None:
    game = Game.new(scene.mode, seats=scene.seats, seed=seed, board=scene.board)
    chance = random.Random(seed)
    while not game.over:
        if game.seat_to_act == 0 and scene.reached(game, game.view(0)):
            return game
        legal = game.legal_actions()
        summons = [action for action in legal if action["type"] == "summon"]
        # Higher ranks over lower ones: boards grow as they do when people play.
        rising = [action for action in summons if action["gain"] is not None] or summons
        others = [action for action in legal if action["type"] != "summon"]
        chosen = rising if rising and (not others or chance.random() < scene.eager) else others
        game.apply(chance.choice(chosen))
    return None


def record_of(name: str) -> Json:
    """The scene's record: the first seat is a person's and to move, the others are random players'."""
    scene = SCENES[name]
    for seed in range(MOST_TRIES):
        game = play_until(scene, seed)
        if game is None:
            continue
        for seat in range(scene.seats):
            game.set_seat(seat, scene.names[seat], "random" if seat else "human")
        return game.record()
    raise AssertionError(f"no game came to {name!r}")
