"""The daily deal: one for everybody, another every day of UTC."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.resources import daily
from api.schemas import MAX_SEED
from tests.api.tables import HUMANS, Client

DAILY = "/api/v1/daily"


@pytest.fixture
def clock(monkeypatch):
    """Sets the time that the resource sees."""

    def set_to(text: str) -> None:
        monkeypatch.setattr(daily, "now", lambda: datetime.fromisoformat(text))

    return set_to


def test_it_is_todays_by_utc(client: Client):
    before = datetime.now(UTC)
    told = client.get(DAILY).get_json()
    after = datetime.now(UTC)
    assert told["date"] in (before.date().isoformat(), after.date().isoformat())
    assert timedelta(0) < datetime.fromisoformat(told["next_at"]) - before <= timedelta(days=1)


def test_the_same_day_has_the_same_deal_until_the_next(client: Client, clock):
    clock("2026-11-30T00:00:00+00:00")
    first = client.get(DAILY).get_json()
    clock("2026-11-30T23:59:59.9+00:00")
    assert client.get(DAILY).get_json() == first
    assert (first["date"], first["next_at"]) == ("2026-11-30", "2026-12-01T00:00:00.000Z")
    clock(first["next_at"])
    following = client.get(DAILY).get_json()
    assert (following["date"], following["next_at"]) == ("2026-12-01", "2026-12-02T00:00:00.000Z")
    assert following["seed"] != first["seed"]


def test_the_deal_of_a_date_is_settled_for_ever():
    """Whoever wrote a score down can play the same deal again with any later version."""
    assert daily.seed_of(date(2026, 11, 30)) == 1853818231759066
    assert daily.seed_of(date(2027, 2, 6)) == 3402278530270735


def test_no_two_days_share_a_deal():
    seeds = [daily.seed_of(date(2026, 1, 1) + timedelta(days)) for days in range(10_000)]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= 0
    assert MAX_SEED // 2 < max(seeds) <= MAX_SEED


@pytest.mark.parametrize(
    ("at", "seconds"),
    [
        ("2026-11-30T00:00:00+00:00", 86_400),
        ("2026-11-30T12:00:00.5+00:00", 43_199),
        ("2026-11-30T23:59:59.5+00:00", 0),
    ],
)
def test_it_may_be_kept_until_the_next(client: Client, clock, at, seconds):
    clock(at)
    assert client.get(DAILY).headers["Cache-Control"] == f"public, max-age={seconds}"


def test_everybody_who_plays_it_gets_the_same_cards(client: Client):
    told = client.get(DAILY).get_json()
    one, other = (
        client.table(told["mode"], HUMANS[:1], seed=told["seed"], options=told["options"]).read(0)
        for _ in range(2)
    )
    assert one["options"] == told["options"]
    assert one["deal"] == "seed"
    for part in ("table", "players", "seat_to_act"):
        assert one[part] == other[part]


def test_it_takes_no_query(client: Client):
    assert client.get(f"{DAILY}?date=2026-11-30").status_code == 400
