"""The log's lines: small, exact, and readable for ever."""

import random
from datetime import UTC, datetime

import pytest

from engine import Game
from worker import LogEntry, Store
from worker.actionlog import pack_entry, read_action, read_entry

KIB = 1024

SUMMON = {
    "seat": 0,
    "type": "summon",
    "card": "earth-horse",
    "space": 4,
    "move": None,
    "pay": {"cards": ["earth-snake"], "tokens": 2},
    "gain": {"from": "seat", "seat": 1},
}
OUTCOME = {
    "drawn": None,
    "hidden": False,
    "refill": None,
    "cost": 3,
    "covered": "water-horse",
    "gained": [{"element": "water", "by": "ascension", "from": {"from": "seat", "seat": 1}}],
    "animal_token": {"animal": "horse", "from": 1},
    "ascended": None,
    "years": 4,
    "turn_over": True,
    "last_round": None,
    "over": False,
}
# The line that version 0.1.0 stores for them.
LINE = b"8 1700000000500 " + bytes.fromhex(
    "23c271a8090fea54131d7cae422942919c6844c08986b5089701431f919a504b38ac910f56424c2242b310e83c9c69155e1e80b5"
    "1a025d0f4db62618b9a3361600"
)


def test_a_line_stored_by_an_earlier_version_is_read():
    at = datetime(2023, 11, 14, 22, 13, 20, 500_000, UTC)
    assert read_entry(6, LINE) == LogEntry(6, 8, at, 0, SUMMON, OUTCOME)
    assert read_action(LINE) == SUMMON


@pytest.mark.parametrize("mode", ["competitive", "cooperative"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_action_and_outcome_comes_back_as_it_was(mode: str, seats: int):
    for seed in range(5):
        game, choose = Game.new(mode, seats, seed=seed), random.Random(seed)
        while not game.over:
            outcome = game.apply(choose.choice(game.legal_actions()))
            entry = read_entry(0, b"1 0 " + pack_entry(game.actions[-1], outcome))
            assert (entry.action, entry.outcome) == (game.actions[-1], outcome)


@pytest.mark.parametrize("undone", [0, 100])
@pytest.mark.parametrize(
    ("mode", "players"),
    [("competitive", 2), ("competitive", 4), ("cooperative", 1), ("cooperative", 3), ("cooperative", 4)],
)
def test_a_finished_game_takes_at_most_sixteen_kilobytes_in_the_store(
    store: Store, mode: str, players: int, undone: int
):
    """However it was played: by people with long names, with a key for each of their changes, of which they
    took back many."""
    people = [{"name": "Nguyễn Thị Minh Khai ở Hà Nội và Sài Gòn", "player": "human"}] * players
    id = store.create(Game.new(mode, people, seed=5), public=True, hints=True, absence_minutes=1440).id
    choose = random.Random(5)
    while not (stored := store.read(id)).game.over:
        seat, key = stored.game.seat_to_act, f"a key as long as a UUID is {stored.version:010}"
        assert seat is not None
        if stored.undoable and undone:
            store.undo(id, seat, stored.version, key=key)
            undone -= 1
        else:
            store.act(id, seat, choose.choice(stored.game.legal_actions()), stored.version, key=key)
    keys = store.client.keys(f"sb:game:{id}*")
    assert sum(store.client.memory_usage(key, samples=0) for key in keys) <= 16 * KIB
