"""R4-R6: who plays, how it is dealt, which options there are; and set-ups that are refused."""

from typing import Any

import pytest

from engine import ANIMALS, DEFAULT_OPTIONS, OPTION_CHOICES, BadSetup, Game, board_names
from tests.engine.deals import DEFAULTS
from tests.engine.reference import CARDS, ELEMENTS
from tests.engine.table import Table

Json = dict[str, Any]

SEATS = [("competitive", seats) for seats in (2, 3, 4)] + [("cooperative", seats) for seats in (1, 2, 3, 4)]


@pytest.mark.parametrize(("mode", "seats"), SEATS)
@pytest.mark.parametrize("board", board_names())
def test_four_cards_to_each_seat_eight_in_the_stream_the_rest_in_the_deck(
    mode: str, seats: int, board: str
) -> None:
    game = Game.new(mode, seats, seed=1, board=board)
    deck = game.record()["setup"]["deck"]
    for seat in range(seats):
        assert set(game.view(seat)["players"][seat]["hand"]) == set(deck[4 * seat : 4 * seat + 4])
    view = game.view("spectator")
    assert view["table"]["stream"] == deck[4 * seats : 4 * seats + 8]
    assert view["table"]["deck"] == 60 - 4 * seats - 8
    assert [player["years"] for player in view["players"]] == [0] * seats
    assert set(view["table"]["animal_tokens"].values()) == {None}
    assert (view["turn"], view["actions_left"], view["phase"]) == (1, 2, "action")
    Table.of_record(game.record())


def test_all_sixty_cards_and_two_tokens_of_each_element_are_shuffled() -> None:
    setup = Game.new("competitive", 2, seed=5).record()["setup"]
    assert sorted(setup["deck"]) == sorted(CARDS)
    assert setup["deck"] != CARDS
    assert sorted(setup["tokens"]) == sorted(ELEMENTS * 2)


@pytest.mark.parametrize("board", board_names())
def test_the_ten_tokens_lie_on_the_boards_token_spaces_in_order(board: str) -> None:
    game = Game.new("competitive", 2, seed=5, board=board)
    record = game.record()
    spaces = game.view(0)["table"]["spaces"]
    on_board = [spaces[space]["token"] for space in record["board"]["token_spaces"]]
    assert on_board == record["setup"]["tokens"]
    assert sum(space["token"] is not None for space in spaces) == 10


def test_a_seed_deals_the_same_again_and_another_seed_does_not() -> None:
    one, same, other = (Game.new("competitive", 3, seed=seed).record() for seed in (8, 8, 9))
    assert one == same
    assert one["setup"] != other["setup"]


def test_without_a_seed_no_two_deals_are_alike() -> None:
    deals = [Game.new("competitive", 2).record()["setup"]["deck"] for _ in range(4)]
    assert len({tuple(deck) for deck in deals}) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_may_begin_and_then_it_goes_round(seats: int) -> None:
    first = {Game.new("competitive", seats, seed=seed).seat_to_act for seed in range(40)}
    assert first == set(range(seats))


def test_seats_have_names_and_players() -> None:
    seats = [{"name": "Linh", "player": "human"}, {"name": "Rival", "player": "strong"}]
    game = Game.new("competitive", seats)
    assert game.seats == seats
    before = game.state_bytes()
    game.set_seat(1, "Minh", "human")
    assert game.record()["seats"] == [seats[0], {"name": "Minh", "player": "human"}]
    assert game.state_bytes() == before


def test_the_defaults_are_the_first_named_of_each_option() -> None:
    assert DEFAULT_OPTIONS == DEFAULTS
    assert {name: values[0] for name, values in OPTION_CHOICES.items()} == DEFAULTS
    assert Game.new("cooperative", 1).options == DEFAULTS
    assert Game.new("competitive", 2).options == {}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in OPTION_CHOICES.items() for value in values]
)
def test_each_option_can_be_chosen_alone(name: str, value: Any) -> None:
    assert Game.new("cooperative", 2, options={name: value}).options == {**DEFAULTS, name: value}


@pytest.mark.parametrize("animal", ANIMALS)
def test_the_years_animal_is_kept(animal: str) -> None:
    game = Game.new("competitive", 2, year_animal=animal)
    assert game.year_animal == animal
    assert game.record()["year_animal"] == animal


BAD_SETUPS: dict[str, Json] = {
    "no such mode": {"mode": "solitaire"},
    "mode of another case": {"mode": "Competitive"},
    "mode none": {"mode": None},
    "competitive alone": {"seats": 1},
    "five seats": {"seats": 5},
    "no seats": {"seats": 0},
    "negative seats": {"seats": -2},
    "seats a float": {"seats": 2.0},
    "seats a bool": {"seats": True},
    "seats a text": {"seats": "2"},
    "cooperative with five": {"mode": "cooperative", "seats": 5},
    "cooperative with none": {"mode": "cooperative", "seats": 0},
    "cooperative with an empty list": {"mode": "cooperative", "seats": []},
    "five named seats": {"seats": [{"name": "A", "player": "human"}] * 5},
    "one named seat": {"seats": [{"name": "A", "player": "human"}]},
    "a seat without a player": {"seats": [{"name": "A"}] * 2},
    "a seat with too much": {"seats": [{"name": "A", "player": "human", "age": 9}] * 2},
    "a seat whose name is a number": {"seats": [{"name": 1, "player": "human"}] * 2},
    "seats of texts": {"seats": ["A", "B"]},
    "options in a competitive game": {"options": {"hands": "open"}},
    "all the defaults in a competitive game": {"options": DEFAULTS},
    "an unknown option": {"mode": "cooperative", "options": {"speed": "fast"}},
    "an unknown value": {"mode": "cooperative", "options": {"hands": "shut"}},
    "a number for a bool": {"mode": "cooperative", "options": {"element_tokens": 1}},
    "a text for a bool": {"mode": "cooperative", "options": {"element_tokens": "true"}},
    "a list as value": {"mode": "cooperative", "options": {"move": ["any"]}},
    "options a list": {"mode": "cooperative", "options": []},
    "an unknown board": {"board": "round"},
    "a board out of the folder": {"board": "../boards/scroll"},
    "an empty board name": {"board": ""},
    "an unknown animal": {"year_animal": "rabbit"},
    "an animal of another case": {"year_animal": "Horse"},
    "a number for an animal": {"year_animal": 3},
    "a negative seed": {"seed": -1},
    "a bool for a seed": {"seed": True},
    "a text for a seed": {"seed": "7"},
    "a float for a seed": {"seed": 7.0},
}


@pytest.mark.parametrize("fault", BAD_SETUPS)
def test_refused(fault: str) -> None:
    arguments: Json = {"mode": "competitive", "seats": 2, **BAD_SETUPS[fault]}
    with pytest.raises(BadSetup) as caught:
        Game.new(**arguments)
    assert caught.value.code


@pytest.mark.parametrize("seat", [-1, 2, True, "0", None])
def test_no_such_seat_or_viewer(seat: Any) -> None:
    game = Game.new("competitive", 2, seed=1)
    for ask in (game.view, game.observe, lambda seat: game.set_seat(seat, "A", "human")):
        with pytest.raises(BadSetup):
            ask(seat)
