"""The sixty cards, one for each year of the cycle (R1)."""

from dataclasses import dataclass

ANIMALS = (
    "mouse",
    "buffalo",
    "tiger",
    "cat",
    "dragon",
    "snake",
    "horse",
    "goat",
    "monkey",
    "rooster",
    "dog",
    "pig",
)
ELEMENTS = ("wood", "fire", "earth", "metal", "water")
# R21: from which score on
RANK_FLOORS = {
    "beginner": 1,
    "apprentice": 12,
    "average": 21,
    "good": 29,
    "strong": 38,
    "expert": 46,
    "master": 55,
}
RANK_NAMES = tuple(RANK_FLOORS)


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its `year` 0..59 from Giáp Tý is its index everywhere, `name` (`water-cat`) its notation."""

    year: int
    name: str
    element: str
    animal: str
    rank: int


def _card(year: int) -> Card:
    element, animal = ELEMENTS[year % 10 // 2], ANIMALS[year % 12]
    return Card(year, f"{element}-{animal}", element, animal, year // 12 + 1)


CARDS = tuple(_card(year) for year in range(60))
CARD_NAMES = tuple(card.name for card in CARDS)
_YEARS = {name: year for year, name in enumerate(CARD_NAMES)}


def card_year(name: str) -> int:
    """The year 0..59 of the card of that name; KeyError if there is none."""
    return _YEARS[name]


def names_of(mask: int) -> list[str]:
    """The cards of a bit mask, by year."""
    return [name for year, name in enumerate(CARD_NAMES) if mask >> year & 1]


def rank_name(score: int) -> str | None:
    """The rulebook's name for a co-operative score (R21); None for a score of 0."""
    name = None
    for candidate, floor in RANK_FLOORS.items():
        if score >= floor:
            name = candidate
    return name
