"""The almanac by the rulebook's chart, and the days around Tết where calendars differ."""

from datetime import date, timedelta

import pytest

from api import almanac
from api.almanac import OutOfRange, can_chi, lunar_year, year_animal
from engine import CARDS
from tests.api.tables import Client

# The chart's facts: card, Can Chi, then for each of its years the first and last day. Its two misprints
# (the ends of 1953 and of 2022) are put right here.
CHART = """
wood-mouse     Giáp Tý     1924-02-05 1925-01-23  1984-02-02 1985-01-20
wood-buffalo   Ất Sửu      1925-01-24 1926-02-12  1985-01-21 1986-02-08
fire-tiger     Bính Dần    1926-02-13 1927-02-01  1986-02-09 1987-01-28
fire-cat       Đinh Mão    1927-02-02 1928-01-22  1987-01-29 1988-02-16
earth-dragon   Mậu Thìn    1928-01-23 1929-02-09  1988-02-17 1989-02-05
earth-snake    Kỷ Tỵ       1929-02-10 1930-01-29  1989-02-06 1990-01-26
fire-mouse     Bính Tý     1936-01-24 1937-02-10  1996-02-19 1997-02-06
fire-buffalo   Đinh Sửu    1937-02-11 1938-01-30  1997-02-07 1998-01-27
earth-tiger    Mậu Dần     1938-01-31 1939-02-18  1998-01-28 1999-02-15
earth-cat      Kỷ Mão      1939-02-19 1940-02-07  1999-02-16 2000-02-04
metal-dragon   Canh Thìn   1940-02-08 1941-01-26  2000-02-05 2001-01-23
metal-snake    Tân Tỵ      1941-01-27 1942-02-14  2001-01-24 2002-02-11
earth-mouse    Mậu Tý      1948-02-10 1949-01-28  2008-02-07 2009-01-25
earth-buffalo  Kỷ Sửu      1949-01-29 1950-02-16  2009-01-26 2010-02-13
metal-tiger    Canh Dần    1950-02-17 1951-02-05  2010-02-14 2011-02-02
metal-cat      Tân Mão     1951-02-06 1952-01-26  2011-02-03 2012-01-22
water-dragon   Nhâm Thìn   1952-01-27 1953-02-13  2012-01-23 2013-02-09
water-snake    Quý Tỵ      1953-02-14 1954-02-02  2013-02-10 2014-01-30
metal-mouse    Canh Tý     1960-01-28 1961-02-14  2020-01-25 2021-02-11
metal-buffalo  Tân Sửu     1961-02-15 1962-02-04  2021-02-12 2022-01-31
water-tiger    Nhâm Dần    1962-02-05 1963-01-24  2022-02-01 2023-01-21
water-cat      Quý Mão     1963-01-25 1964-02-12  2023-01-22 2024-02-09
"""


def chart_years() -> list[tuple[str, str, date, date]]:
    years = []
    for line in CHART.strip().splitlines():
        card, stem, branch, *days = line.split()
        for first, last in zip(days[::2], days[1::2], strict=True):
            years.append((card, f"{stem} {branch}", date.fromisoformat(first), date.fromisoformat(last)))
    return years


@pytest.mark.parametrize(("card", "name", "first", "last"), chart_years())
def test_the_printed_chart(card, name, first, last):
    for day in (first, first + timedelta(days=100), last):
        year = lunar_year(day)
        assert (year.card.name, can_chi(year.card.year)) == (card, name)
        assert (year.first_day, year.last_day, year.number) == (first, last, first.year)


def test_example_8_born_on_15_february_1984(client: Client):
    answer = client.get("/api/v1/almanac?date=1984-02-15")
    assert answer.get_json() == {
        "date": "1984-02-15",
        "element": "wood",
        "animal": "mouse",
        "card": "wood-mouse",
        "can_chi": "Giáp Tý",
        "lunar_year": 1984,
        "first_day": "1984-02-02",
        "last_day": "1985-01-20",
    }


@pytest.mark.parametrize(
    ("day", "number"),
    # The Chinese new year came on 1968-01-30, 1985-02-20 and 2007-02-18.
    [
        ("1968-01-28", 1967), ("1968-01-29", 1968),
        ("1985-01-20", 1984), ("1985-01-21", 1985),
        ("2007-02-16", 2006), ("2007-02-17", 2007),
    ],
)  # fmt: skip
def test_tet_by_utc_plus_7_where_it_differs_from_the_chinese_new_year(day, number):
    assert lunar_year(date.fromisoformat(day)).number == number


def test_years_follow_one_another_without_gap_and_have_twelve_or_thirteen_moons():
    day = almanac.FIRST_DAY
    number = 1900
    while day <= almanac.LAST_DAY:
        year = lunar_year(day)
        assert year.number == number
        assert year.card is CARDS[(number - 1984) % 60]
        assert (year.last_day - year.first_day).days + 1 in (353, 354, 355, 383, 384, 385)
        day, number = year.last_day + timedelta(days=1), number + 1
    assert day == date(2101, 1, 29)


@pytest.mark.parametrize("day", ["1900-12-31", "2101-01-01", "0001-01-01", "9999-12-31"])
def test_a_date_outside_1901_to_2100_is_refused(client: Client, day):
    with pytest.raises(OutOfRange):
        lunar_year(date.fromisoformat(day))
    answer = client.get(f"/api/v1/almanac?date={day}")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "date-out-of-range")


@pytest.mark.parametrize("day", ["1901-01-01", "2100-12-31"])
def test_the_first_and_the_last_day_are_known(client: Client, day):
    assert client.get(f"/api/v1/almanac?date={day}").status_code == 200


@pytest.mark.parametrize(
    "query",
    ["", "date=", "date=1984-2-15", "date=19840215", "date=1984-W07-3", "date=1984-02-30", "date=tomorrow",
     "date=1984-02-15T00:00:00", "date=-001-01-01", "date=１９８４-02-15", "date=1984-02-15&zone=8"],
)  # fmt: skip
def test_what_is_no_date_is_malformed(client: Client, query):
    answer = client.get(f"/api/v1/almanac?{query}")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad-fields")


def test_a_game_keeps_the_animal_of_the_year_in_vietnam(client: Client, monkeypatch):
    # 17:30 UTC on the eve of Tết 1985 is already the new year in Hanoi.
    monkeypatch.setattr("api.resources.games.today_in_vietnam", lambda: date(1985, 1, 21))
    assert client.table().read()["year_animal"] == "buffalo"
    monkeypatch.undo()
    assert client.table().read()["year_animal"] == year_animal(almanac.today_in_vietnam())


def test_today_is_reckoned_in_vietnam(monkeypatch):
    class Clock(almanac.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(1985, 1, 20, 17, 30, tzinfo=tz)

    monkeypatch.setattr(almanac, "datetime", Clock)
    assert almanac.today_in_vietnam() == date(1985, 1, 21)
