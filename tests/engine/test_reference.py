"""The reference stands on its own: small cases counted on paper, so that agreeing with it means something."""

from math import comb

import pytest

from tests.engine.deals import deal
from tests.engine.positions import position
from tests.engine.reference import CARDS, Reference, Refused


def test_the_rulebooks_costs() -> None:
    table = position(stacks={0: "water-goat", 2: "water-mouse", 4: "water-horse"})
    assert table.cost("water-cat", 1) == 2
    assert table.cost("earth-horse", 4) == 3
    assert table.cost("water-cat", 6) == 4


def test_a_lone_rank_one_card_with_two_ways_to_pay() -> None:
    # Nine draws; the mouse on any of twelve spaces for one of two cards; the others are too dear or unpaid.
    table = position(hands=["wood-mouse wood-dragon earth-mouse"])
    summons = [action for action in table.legal_actions() if action["type"] == "summon"]
    assert len(summons) == 12 * 2
    assert table.perft(1) == 9 + 24


def test_discards_are_all_combinations() -> None:
    table = position(hands=[" ".join(CARDS[:10])], actions_left=1)
    table.apply({"seat": 0, "type": "draw", "source": "deck"})
    assert table.perft(1) == comb(11, 4)


def test_sequences_of_draws_alone() -> None:
    """Nobody holds a card that anything could pay: 9 draws, and whatever two drawn cards allow."""
    table = position(hands=["", ""], stream=["wood-mouse", None, *[None] * 6], deck=["fire-cat", "water-pig"])
    # Deck or place 0, which the fire cat then fills; after either, deck or place 0 again.
    assert table.perft(1) == 2
    assert table.perft(2) == 4
    assert table.perft(0) == 1


def test_nothing_is_played_that_is_not_legal() -> None:
    table = Reference(deal(1))
    before = (table.card_places(), table.token_places(), table.seat)
    for action in (
        {"seat": 1 - table.seat, "type": "draw", "source": "deck"},
        {"seat": table.seat, "type": "pass"},
        {"seat": table.seat, "type": "discard", "cards": [min(table.hands[table.seat])]},
    ):
        with pytest.raises(Refused):
            table.apply(action)
    assert (table.card_places(), table.token_places(), table.seat) == before
