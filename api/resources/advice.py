"""Advice: a hint for the seat to move, and the analysis of a game that is over."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import reading
from api.errors import Refusal
from api.resources.games import PER_VIEWER, SECRET
from api.spec import Routes, answer
from api.viewers import seat_of, store, viewer_of
from worker import Analysis, Hint, ask_analysis, ask_hint, read_analysis, read_hint

Json = dict[str, Any]

advice = Routes(
    "advice",
    __name__,
    url_prefix="/api/v1/games",
    description="What the search thinks of a position or a game",
)


@advice.operation(
    "POST", "/<game:game_id>/hint", 202, "Hint",
    at_once=True, who="seat", refusals=(403, 404, 409, 503), rate="hints",
)  # fmt: skip
def ask_for_hint(game_id: str) -> Response:
    """Ask for the best actions of the seat to move

    Only where the game allows hints. They are worked out once for each version; asking again is cheap.
    """
    hint = ask_hint(store(), game_id, seat_of(game_id))
    return answer(hint_read(hint), 202 if hint.candidates is None else 200, SECRET)


@advice.operation("GET", "/<game:game_id>/hint", 200, "Hint", who="seat", refusals=(403, 404, 409, 503))
def get_hint(game_id: str) -> Response:
    """Read the hint that was asked for"""
    hint = read_hint(store(), game_id, seat_of(game_id))
    if hint is None:
        raise Refusal(404, "no-hint")
    return answer(hint_read(hint), headers=SECRET)


@advice.operation(
    "POST", "/<game:game_id>/analysis", 202, "Analysis",
    at_once=True, who="viewer", refusals=(404, 409, 503), rate="analyses",
)  # fmt: skip
def ask_for_analysis(game_id: str) -> Response:
    """Have every action of a game that is over, or of a replay, judged

    It is done once and kept; asking again is cheap.
    """
    viewer_of(game_id)
    analysis = ask_analysis(store(), game_id)
    return answer(analysis_read(analysis), 200 if analysis.done else 202, PER_VIEWER)


@advice.operation("GET", "/<game:game_id>/analysis", 200, "Analysis", who="viewer", refusals=(404, 409, 503))
def get_analysis(game_id: str) -> Response:
    """Read the analysis that was asked for, as far as it is"""
    viewer_of(game_id)
    analysis = read_analysis(store(), game_id)
    if analysis is None:
        raise Refusal(404, "no-analysis")
    return answer(analysis_read(analysis), headers=PER_VIEWER)


def hint_read(hint: Hint) -> Json:
    """The `Hint` answer."""
    poll = reading.POLL_ADVICE if hint.candidates is None else None
    return {"version": hint.version, "candidates": hint.candidates, "poll_after_ms": poll}


def analysis_read(analysis: Analysis) -> Json:
    """The `Analysis` answer."""
    return {
        "actions": analysis.actions,
        "judgements": analysis.judgements,
        "done": analysis.done,
        "poll_after_ms": None if analysis.done else reading.POLL_ADVICE,
    }
