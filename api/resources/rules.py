"""Facts about the game: cards, boards, computer players, options."""

from __future__ import annotations

from flask import Response

from ai import PLAYERS
from api.almanac import can_chi
from api.spec import Routes, answer
from api.viewers import store
from engine import (
    CARDS,
    DEFAULT_BOARD,
    DEFAULT_OPTIONS,
    OPTION_CHOICES,
    RANK_FLOORS,
    SEAT_COUNTS,
    board_names,
    load_board,
)

rules = Routes("rules", __name__, url_prefix="/api/v1/rules", description="Facts about the game")

LASTING = {"Cache-Control": "public, max-age=3600"}


@rules.operation("GET", "/cards", 200, "CardFacts")
def list_cards() -> Response:
    """The sixty cards, one for each year of the cycle"""
    cards = [
        {
            "year": card.year,
            "name": card.name,
            "element": card.element,
            "animal": card.animal,
            "rank": card.rank,
            "can_chi": can_chi(card.year),
        }
        for card in CARDS
    ]
    return answer({"cards": cards}, headers=LASTING)


@rules.operation("GET", "/boards", 200, "BoardFacts")
def list_boards() -> Response:
    """The boards, with their vines and where to draw their spaces"""
    boards = [
        {
            "name": name,
            "default": name == DEFAULT_BOARD,
            "spaces": [{"space": space, "x": x, "y": y} for space, (x, y) in enumerate(board.coordinates)],
            "vines": [list(vine) for vine in board.vines],
            "token_spaces": list(board.token_spaces),
        }
        for name, board in ((name, load_board(name)) for name in board_names())
    ]
    return answer({"boards": boards}, headers=LASTING)


@rules.operation("GET", "/players", 200, "PlayerFacts")
def list_players() -> Response:
    """The computer players, from the weakest"""
    players = [
        {"name": info.name, "kind": info.kind, "seconds": store().budget(info.name).seconds}
        for info in PLAYERS.values()
    ]
    return answer({"players": players}, headers=LASTING)


@rules.operation("GET", "/options", 200, "OptionFacts")
def list_options() -> Response:
    """The options of co-operative games, how many may play, and the ranks that scores earn"""
    options = [
        {"name": name, "values": list(values), "default": DEFAULT_OPTIONS[name]}
        for name, values in OPTION_CHOICES.items()
    ]
    seats = {mode: list(counts) for mode, counts in SEAT_COUNTS.items()}
    ranks = [{"name": name, "from": floor} for name, floor in RANK_FLOORS.items()]
    return answer({"options": options, "seats": seats, "ranks": ranks}, headers=LASTING)
