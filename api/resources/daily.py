"""The daily deal: the same solo game for everybody, another every day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from flask import Response

from api.reading import moment
from api.schemas import MAX_SEED
from api.spec import Routes, answer
from engine import DEFAULT_OPTIONS

daily = Routes("daily", __name__, url_prefix="/api/v1/daily", description="A solo game for everybody")


def now() -> datetime:
    return datetime.now(UTC)


def seed_of(day: date) -> int:
    """The day's seed. It never changes, so that a score stays comparable."""
    digest = sha256(f"stem-branch daily {day.isoformat()}".encode()).digest()
    return int.from_bytes(digest) & MAX_SEED


@daily.operation("GET", "", 200, "DailyDeal")
def read_daily() -> Response:
    """The deal of this day, by UTC

    Create an ordinary solo game with this seed and these options.
    """
    at = now()
    today = at.date()
    midnight = datetime.combine(today + timedelta(days=1), time(), UTC)
    seconds = int((midnight - at).total_seconds())
    return answer(
        {
            "date": today.isoformat(),
            "seed": seed_of(today),
            "mode": "cooperative",
            "options": DEFAULT_OPTIONS,
            "next_at": moment(midnight),
        },
        headers={"Cache-Control": f"public, max-age={seconds}"},
    )
