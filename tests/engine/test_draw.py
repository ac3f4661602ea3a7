"""R7-R9: two actions a turn, drawing, passing, the hand limit."""

import pytest

from engine import Game
from tests.engine.deals import deal
from tests.engine.positions import position
from tests.engine.reference import CARDS
from tests.engine.table import Table


def test_a_turn_is_two_actions_and_then_the_next_seat_clockwise() -> None:
    table = Table.of_record(deal(1, seats=3))
    first = table.game.seat_to_act
    seats = []
    for _ in range(8):
        seats.append(table.game.seat_to_act)
        table.draw()
    assert first is not None
    assert seats == [(first + turn) % 3 for turn in (0, 0, 1, 1, 2, 2, 0, 0)]


def test_the_decks_top_card_comes_in_the_records_order() -> None:
    record = deal(2)
    table = Table.of_record(record)
    assert [table.draw()["drawn"] for _ in range(4)] == record["setup"]["deck"][16:20]


def test_a_stream_card_is_replaced_in_its_place_from_the_deck() -> None:
    record = deal(3)
    deck = record["setup"]["deck"]
    table = Table.of_record(record)
    outcome = table.draw(5)
    assert outcome["drawn"] == deck[8 + 5]
    assert outcome["refill"] == deck[16]
    assert table.game.view(0)["table"]["stream"] == [*deck[8:13], deck[16], *deck[14:16]]


def test_with_the_deck_empty_a_stream_place_stays_empty() -> None:
    table = Table.at(position(deck=0, last_round={"seat": 0, "reason": "deck"}))
    assert table.draw(2)["refill"] is None
    assert table.game.view(0)["table"]["stream"][2] is None
    table.refuse(table.drawing(2), "stream-place-empty", "R8")
    table.refuse(table.drawing("deck"), "deck-empty", "R8")


def nothing_to_do(actions_left: int = 2, hand: str = "") -> Table:
    """Deck and Stream are used up and one more turn is due to seat 0."""
    return Table.at(
        position(
            hands=[hand],
            actions_left=actions_left,
            stream=[None] * 8,
            deck=0,
            last_round={"seat": 1, "reason": "deck"},
        )
    )


def test_pass_only_where_neither_draw_nor_summon_is_possible() -> None:
    table = nothing_to_do(hand="fire-snake wood-mouse")
    assert table.game.legal_actions() == [{"seat": 0, "type": "pass"}]
    choices = table.game.choices()
    assert choices is not None
    assert choices["pass"] is True
    table.apply({"seat": 0, "type": "pass"})
    table.apply({"seat": 0, "type": "pass"})
    assert table.game.over


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(nothing_to_do(hand="wood-mouse wood-pig"), id="a summon is possible"),
        pytest.param(Table.at(position(deck=0)), id="a Stream card is left"),
        pytest.param(Table.at(position(stream=[None] * 8, deck=1)), id="a deck card is left"),
    ],
)
def test_no_pass_where_something_else_is_possible(table: Table) -> None:
    table.refuse({"seat": 0, "type": "pass"}, "pass-not-allowed", "R7")


@pytest.mark.parametrize("cards", [6, 7, 8])
def test_discard_to_seven_after_the_second_action(cards: int) -> None:
    hand = CARDS[:cards]
    table = Table.at(position(hands=[" ".join(hand)]))
    outcomes = [table.draw(), table.draw()]
    too_many = max(0, cards + 2 - 7)
    view = table.game.view(0)
    assert view["discards_due"] == too_many
    assert [outcome["turn_over"] for outcome in outcomes] == [False, too_many == 0]
    if too_many:
        assert view["phase"] == "discard"
        assert table.game.seat_to_act == 0
        table.refuse(table.drawing(), "must-discard", "R9")
        table.discard(" ".join(hand[:too_many]))
    view = table.game.view(0)
    assert view["players"][0]["cards"] == min(7, cards + 2)
    assert set(hand[:too_many]) <= set(view["table"]["discards"])
    assert table.game.seat_to_act == 1


def test_between_the_two_actions_the_hand_may_exceed_seven() -> None:
    table = Table.at(position(hands=[" ".join(CARDS[:7])]))
    table.draw()
    assert table.game.view(0)["phase"] == "action"
    table.summon("wood-mouse", 0, "wood-buffalo")
    assert table.game.seat_to_act == 1


def test_every_choice_of_discards_is_offered_once() -> None:
    table = Table.at(position(hands=[" ".join(CARDS[:9])], actions_left=1))
    table.draw()
    assert len(table.game.legal_actions()) == 10 * 9 * 8 // 6


def test_discards_are_never_shuffled_back() -> None:
    table = Table.at(position(hands=["", "wood-mouse"], deck=1))
    discarded = len(table.game.view(0)["table"]["discards"])
    assert discarded > 0
    table.draw()
    view = table.game.view(0)
    assert view["table"]["deck"] == 0
    assert len(view["table"]["discards"]) == discarded


def test_the_order_of_discarded_cards_does_not_matter() -> None:
    games = []
    for cards in (["wood-mouse", "wood-buffalo"], ["wood-buffalo", "wood-mouse"]):
        game: Game = Table.at(position(hands=[" ".join(CARDS[:8])], actions_left=1)).game
        game.apply({"seat": 0, "type": "draw", "source": "deck"})
        game.apply({"seat": 0, "type": "discard", "cards": cards})
        games.append(game)
    assert games[0].state_bytes() == games[1].state_bytes()
