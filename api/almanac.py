"""The Vietnamese calendar (UTC+7): which year of the sixty a day belongs to."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache

from lunar_vn import LunarDate, lunar_to_solar

from engine import CARDS, Card

FIRST_DAY = date(1901, 1, 1)
LAST_DAY = date(2100, 12, 31)
VIETNAM = timezone(timedelta(hours=7))

_STEMS = ("Giáp", "Ất", "Bính", "Đinh", "Mậu", "Kỷ", "Canh", "Tân", "Nhâm", "Quý")
_BRANCHES = ("Tý", "Sửu", "Dần", "Mão", "Thìn", "Tỵ", "Ngọ", "Mùi", "Thân", "Dậu", "Tuất", "Hợi")
# The library ends with lunar 2100; Tết of 2101 closes that year.
_TET_2101 = date(2101, 1, 29)


class OutOfRange(ValueError):
    """A date before 1901 or after 2100."""


@dataclass(frozen=True, slots=True)
class LunarYear:
    """A lunar year: `number` as the Western year in which it begins, its days inclusive, and its card."""

    number: int
    first_day: date
    last_day: date
    card: Card


def can_chi(year: int) -> str:
    """The Vietnamese name of a year 0..59 of the cycle, counted from Giáp Tý."""
    return f"{_STEMS[year % 10]} {_BRANCHES[year % 12]}"


@cache
def new_year(number: int) -> date:
    """Tết of that lunar year, 1900..2101."""
    if number == _TET_2101.year:
        return _TET_2101
    return lunar_to_solar(LunarDate(day=1, month=1, year=number), 7.0)


def lunar_year(day: date) -> LunarYear:
    """The lunar year of a day from 1901 to 2100; OutOfRange otherwise."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise OutOfRange(day.isoformat())
    number = day.year if day >= new_year(day.year) else day.year - 1
    last_day = new_year(number + 1) - timedelta(days=1)
    return LunarYear(number, new_year(number), last_day, CARDS[(number - 4) % 60])


def today_in_vietnam() -> date:
    return datetime.now(UTC).astimezone(VIETNAM).date()


def year_animal(day: date) -> str:
    """The animal of the lunar year of a day (R15)."""
    return lunar_year(day).card.animal
