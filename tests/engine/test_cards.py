"""R1: the sixty cards."""

import pytest

from engine import ANIMALS, CARDS, ELEMENTS, card_year
from tests.engine import reference


def test_the_cards_agree_with_the_reference() -> None:
    assert [card.name for card in CARDS] == reference.CARDS
    assert [card.year for card in CARDS] == list(range(60))
    assert [card.rank for card in CARDS] == [reference.RANK[card.name] for card in CARDS]
    assert all(card.name == f"{card.element}-{card.animal}" for card in CARDS)
    assert [card_year(card.name) for card in CARDS] == list(range(60))


def test_each_animal_has_five_ranks_one_in_each_element() -> None:
    for animal in ANIMALS:
        cards = [card for card in CARDS if card.animal == animal]
        assert [card.rank for card in cards] == [1, 2, 3, 4, 5]
        assert {card.element for card in cards} == set(ELEMENTS)


def test_an_animals_elements_rise_with_its_rank() -> None:
    for card, following in zip(CARDS, CARDS[12:], strict=False):
        step = ELEMENTS.index(following.element) - ELEMENTS.index(card.element)
        assert step % 5 == 1


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("fire-snake", 5),
        ("water-mouse", 5),
        ("fire-mouse", 2),
        ("wood-mouse", 1),
        ("water-cat", 4),
        ("water-horse", 2),
        ("earth-horse", 5),
    ],
)
def test_the_rulebooks_cards_have_their_ranks(name: str, rank: int) -> None:
    assert CARDS[card_year(name)].rank == rank
