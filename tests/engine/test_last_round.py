"""R13-R15: the end of a competitive game."""

import pytest

from tests.engine.positions import position
from tests.engine.reference import ANIMALS, CARDS
from tests.engine.table import Table

EVERY_SEAT = [(seats, seat) for seats in (2, 3, 4) for seat in range(seats)]


def turns_to_the_end(table: Table) -> list[int]:
    """Seats in the order of the turns that remain, drawing and discarding whatever comes first."""
    seats: list[int] = []
    turn = None
    while not table.game.over:
        view = table.game.view("spectator")
        if view["turn"] != turn:
            turn = view["turn"]
            seats.append(view["seat_to_act"])
        table.apply(table.reference.legal_actions()[0])
    return seats


@pytest.mark.parametrize(("seats", "seat"), EVERY_SEAT)
@pytest.mark.parametrize("actions_left", [2, 1])
def test_the_empty_deck_gives_every_other_seat_one_last_turn(
    seats: int, seat: int, actions_left: int
) -> None:
    table = Table.at(position(seats=seats, seat=seat, actions_left=actions_left, deck=1))
    assert table.draw(0)["last_round"] == "deck"
    assert table.game.view(0)["last_round"] == {"seat": seat, "reason": "deck"}
    others = [(seat + turn) % seats for turn in range(1, seats)]
    mine = [seat] if actions_left == 2 else []
    assert turns_to_the_end(table) == mine + others


@pytest.mark.parametrize(("seats", "seat"), EVERY_SEAT)
@pytest.mark.parametrize("actions_left", [2, 1])
def test_sixty_years_give_every_other_seat_one_last_turn(seats: int, seat: int, actions_left: int) -> None:
    hands = ["" for _ in range(seats)]
    hands[seat] = "wood-mouse wood-buffalo"
    years = [0] * seats
    years[seat] = 59
    table = Table.at(position(seats=seats, seat=seat, actions_left=actions_left, hands=hands, years=years))
    assert table.summon("wood-mouse", 0, "wood-buffalo")["last_round"] == "years"
    assert table.game.view(0)["last_round"] == {"seat": seat, "reason": "years"}
    others = [(seat + turn) % seats for turn in range(1, seats)]
    mine = [seat] if actions_left == 2 else []
    assert turns_to_the_end(table) == mine + others


def test_fifty_nine_years_do_not_end_it() -> None:
    table = Table.at(position(hands=["wood-mouse wood-buffalo"], years=[58]))
    assert table.summon("wood-mouse", 0, "wood-buffalo")["last_round"] is None


def test_the_last_card_of_the_deck_may_be_a_refill_or_drawn() -> None:
    for source in ("deck", 7):
        table = Table.at(position(deck=1))
        assert table.draw(source)["last_round"] == "deck"
        table = Table.at(position(deck=2))
        assert table.draw(source)["last_round"] is None


def test_later_triggers_change_nothing() -> None:
    table = Table.at(
        position(seats=3, hands=["", "wood-mouse wood-buffalo"], years=[0, 59], deck=1, actions_left=1)
    )
    table.draw()
    assert table.summon("wood-mouse", 0, "wood-buffalo")["last_round"] is None
    assert table.game.view(0)["last_round"] == {"seat": 0, "reason": "deck"}
    assert turns_to_the_end(table) == [1, 2]


def test_in_the_last_round_drawing_goes_on_from_the_stream() -> None:
    table = Table.at(position(deck=1))
    table.draw()
    sources = {action["source"] for action in table.game.legal_actions()}
    assert sources == set(range(8))


def test_the_hand_limit_holds_in_last_turns_too() -> None:
    hand = " ".join(CARDS[:7])
    table = Table.at(
        position(hands=[hand], actions_left=1, owner={"mouse": 0}, last_round={"seat": 1, "reason": "deck"})
    )
    table.draw()
    assert not table.game.over
    assert table.game.view(0)["discards_due"] == 1
    table.discard("wood-mouse")
    # The discarded mouse would have been worth a year.
    assert table.game.over
    assert table.game.view(0)["scoring"][0]["matching_cards"] == 0


def last_action(**rest: object) -> Table:
    """Seat 0 has one action left of the whole game; the Stream holds a rank that matches nobody's token."""
    arguments: dict[str, object] = {
        "seats": 3,
        "actions_left": 1,
        "stream": ["water-pig", *[None] * 7],
        "deck": 0,
        "last_round": {"seat": 1, "reason": "deck"},
    }
    return Table.at(position(**(arguments | rest)))  # type: ignore[arg-type]


def test_final_scoring_adds_element_tokens_and_cards_of_own_animals() -> None:
    table = last_action(
        years=[10, 20, 30],
        tokens=["fire fire wood", "water"],
        hands=["wood-mouse fire-mouse wood-dog", "earth-mouse wood-tiger", "fire-cat"],
        owner={"mouse": 0, "tiger": 1, "goat": 2},
    )
    outcome = table.draw(0)
    assert outcome["over"]
    assert table.game.view("spectator")["scoring"] == [
        {"seat": 0, "years": 10, "element_tokens": 3, "matching_cards": 2, "total": 15},
        {"seat": 1, "years": 20, "element_tokens": 1, "matching_cards": 1, "total": 22},
        {"seat": 2, "years": 30, "element_tokens": 0, "matching_cards": 0, "total": 30},
    ]
    assert table.game.result == {"years": [15, 22, 30], "winners": [2]}
    assert table.game.seat_to_act is None
    assert table.game.legal_actions() == []


def test_the_card_drawn_last_scores_too() -> None:
    table = last_action(owner={"pig": 0})
    table.draw(0)
    assert table.game.result == {"years": [1, 0, 0], "winners": [0]}


@pytest.mark.parametrize("year_animal", ANIMALS)
def test_a_tie_goes_back_through_the_years_all_the_way_round(year_animal: str) -> None:
    """Going back, next year's animal is the last to be asked and the one after it the last but one."""
    year = ANIMALS.index(year_animal)
    last, last_but_one, drawn = (ANIMALS[(year + ahead) % 12] for ahead in (1, 2, 3))
    card = next(card for card in CARDS if card.endswith(drawn))
    owner = {last: 0, last_but_one: 1, year_animal: 2}
    table = last_action(year_animal=year_animal, owner=owner, years=[5, 5, 4], stream=[card, *[None] * 7])
    table.draw(0)
    assert table.game.result == {"years": [5, 5, 4], "winners": [1]}


def test_the_years_own_animal_decides_first() -> None:
    table = last_action(year_animal="goat", owner={"goat": 2, "horse": 0, "snake": 1}, years=[8, 8, 8])
    table.draw(0)
    assert table.game.result == {"years": [8, 8, 8], "winners": [2]}


def test_an_animal_of_somebody_who_is_not_tied_decides_nothing() -> None:
    table = last_action(year_animal="goat", owner={"goat": 2, "snake": 1}, years=[8, 8, 7])
    table.draw(0)
    assert table.game.result == {"years": [8, 8, 7], "winners": [1]}


def test_tied_without_any_animal_token_they_share_the_win() -> None:
    table = last_action(year_animal="goat", owner={"goat": 1}, years=[8, 7, 8])
    table.draw(0)
    assert table.game.result == {"years": [8, 7, 8], "winners": [0, 2]}
    table = last_action(years=[0, 0, 0])
    table.draw(0)
    assert table.game.result == {"years": [0, 0, 0], "winners": [0, 1, 2]}


def test_nothing_is_legal_after_the_end() -> None:
    table = last_action()
    table.draw(0)
    table.refuse({"seat": 0, "type": "pass"}, "game-over")
