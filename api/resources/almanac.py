"""The almanac: which of the sixty years a day belongs to."""

from __future__ import annotations

from datetime import date

from flask import Response

from api import bodies
from api.almanac import can_chi, lunar_year
from api.spec import Routes, answer

almanac = Routes("almanac", __name__, url_prefix="/api/v1/almanac", description="Stem and Branch of a day")


@almanac.operation("GET", "", 200, "AlmanacDay", query=bodies.AlmanacQuery, refusals=(422,))
def read_day(query: dict[str, date]) -> Response:
    """The Stem and Branch of a birth date, by the Vietnamese calendar"""
    day = query["date"]
    year = lunar_year(day)
    return answer(
        {
            "date": day.isoformat(),
            "element": year.card.element,
            "animal": year.card.animal,
            "card": year.card.name,
            "can_chi": can_chi(year.card.year),
            "lunar_year": year.number,
            "first_day": year.first_day.isoformat(),
            "last_day": year.last_day.isoformat(),
        },
        headers={"Cache-Control": "public, max-age=3600"},
    )
