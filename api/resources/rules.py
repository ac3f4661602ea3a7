"""Facts about the game: cards, boards, computer players, options."""

from __future__ import annotations

from typing import Any

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


def card_facts() -> dict[str, Any]:
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
    return {"cards": cards}


def board_facts() -> dict[str, Any]:
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
    return {"boards": boards}


def player_facts() -> dict[str, Any]:
    players = [
        {"name": info.name, "kind": info.kind, "seconds": store().budget(info.name).seconds}
        for info in PLAYERS.values()
    ]
    return {"players": players}


def option_facts() -> dict[str, Any]:
    options = [
        {"name": name, "values": list(values), "default": DEFAULT_OPTIONS[name]}
        for name, values in OPTION_CHOICES.items()
    ]
    seats = {mode: list(counts) for mode, counts in SEAT_COUNTS.items()}
    ranks = [{"name": name, "from": floor} for name, floor in RANK_FLOORS.items()]
    return {"options": options, "seats": seats, "ranks": ranks}


@rules.operation("GET", "", 200, "RuleFacts", refusals=(503,))
def read_rules() -> Response:
    """Cards, boards, computer players and options in one answer"""
    return answer(card_facts() | board_facts() | player_facts() | option_facts(), headers=LASTING)


@rules.operation("GET", "/cards", 200, "CardFacts")
def list_cards() -> Response:
    """The sixty cards, one for each year of the cycle"""
    return answer(card_facts(), headers=LASTING)


@rules.operation("GET", "/boards", 200, "BoardFacts")
def list_boards() -> Response:
    """The boards, with their vines and where to draw their spaces"""
    return answer(board_facts(), headers=LASTING)


@rules.operation("GET", "/players", 200, "PlayerFacts", refusals=(503,))
def list_players() -> Response:
    """The computer players, from the weakest"""
    return answer(player_facts(), headers=LASTING)


@rules.operation("GET", "/options", 200, "OptionFacts")
def list_options() -> Response:
    """The options of co-operative games, how many may play, and the ranks that scores earn"""
    return answer(option_facts(), headers=LASTING)
