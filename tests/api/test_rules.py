"""Facts about the game that the page and programs ask for."""

from engine import RANK_NAMES
from tests.api.tables import Client


def test_the_scale_of_ranks_r21(client: Client):
    told = client.get("/api/v1/rules/options").get_json()["ranks"]
    assert [rank["from"] for rank in told] == [1, 12, 21, 29, 38, 46, 55]
    assert tuple(rank["name"] for rank in told) == RANK_NAMES


def test_all_facts_come_in_one_answer(client: Client):
    parts = [
        client.get(f"/api/v1/rules/{part}").get_json() for part in ("cards", "boards", "players", "options")
    ]
    assert client.get("/api/v1/rules").get_json() == {
        name: fact for part in parts for name, fact in part.items()
    }
