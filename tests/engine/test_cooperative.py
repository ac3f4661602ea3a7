"""R16-R21: alone and together."""

import pytest

from engine import RANK_NAMES
from tests.engine.deals import deal
from tests.engine.positions import position
from tests.engine.reference import ANIMALS, CARDS, animal
from tests.engine.table import Table

STACK = {name: [card for card in CARDS if animal(card) == name] for name in ANIMALS}  # by rank


def full_stacks(count: int, cards: int = 5) -> dict[int, str]:
    """The first `count` animals fully ascended on spaces 0, 1 …, each of its `cards` highest cards."""
    return {space: " ".join(STACK[ANIMALS[space]][-cards:]) for space in range(count)}


def moves_of(table: Table, card: str, space: int | None = None) -> set[tuple[int, int]]:
    return {
        (action["move"]["from"], action["move"]["to"])
        for action in table.summons_of(card)
        if action["move"] and space in (None, action["space"])
    }


# --- R17 ---


def vacating(**rest: object) -> Table:
    """A fire tiger on space 1 may make room for the wood mouse; a metal goat lies on space 5."""
    arguments: dict[str, object] = {
        "hands": ["wood-mouse wood-dog fire-cat fire-pig"],
        "stacks": {1: "fire-tiger", 5: "metal-goat"},
    }
    return Table.at(position("cooperative", 2, **(arguments | rest)))  # type: ignore[arg-type]


def test_a_stack_moves_along_a_vine_to_an_empty_space() -> None:
    assert moves_of(vacating(), "wood-mouse", 1) == {(1, 0), (1, 2), (1, 10)}
    table = vacating(stacks={1: "fire-tiger", 2: "metal-goat"})
    assert moves_of(table, "wood-mouse", 1) == {(1, 0), (1, 10)}
    table.refuse(
        table.summoning("wood-mouse", 1, "wood-dog", move={"from": 1, "to": 2}), "move-target-occupied", "R17"
    )
    table.refuse(
        table.summoning("wood-mouse", 1, "wood-dog", move={"from": 1, "to": 3}), "move-not-adjacent", "R17"
    )
    table.refuse(
        table.summoning("wood-mouse", 3, "wood-dog", move={"from": 3, "to": 4}), "move-nothing-there", "R17"
    )


def test_all_cards_of_the_space_move_together() -> None:
    table = vacating(stacks={1: "fire-tiger earth-tiger metal-tiger"})
    table.summon("wood-mouse", 1, "wood-dog", move={"from": 1, "to": 10})
    spaces = table.game.view(0)["table"]["spaces"]
    assert spaces[10]["cards"] == ["fire-tiger", "earth-tiger", "metal-tiger"]
    assert spaces[1]["cards"] == ["wood-mouse"]


def test_vacated_means_the_new_first_card_takes_the_place_left() -> None:
    table = vacating()
    assert moves_of(table, "wood-mouse") == {(1, 0), (1, 2), (1, 10), (5, 4), (5, 6), (5, 11)}
    for action in table.summons_of("wood-mouse"):
        assert action["move"] is None or action["move"]["from"] == action["space"]
    elsewhere = table.summoning("wood-mouse", 3, "wood-dog", move={"from": 1, "to": 2})
    table.refuse(elsewhere, "move-not-vacated", "R17")


def test_vacated_lets_no_stack_move_for_an_ascension() -> None:
    table = vacating(hands=["earth-tiger earth-dragon earth-snake"])
    assert moves_of(table, "earth-tiger") == set()
    gain = {"from": "supply"}
    for move in ({"from": 1, "to": 2}, {"from": 5, "to": 6}):
        action = table.summoning("earth-tiger", 1, "earth-dragon", move=move, gain=gain)
        table.refuse(action, "move-not-vacated", "R17")


def test_any_moves_any_one_stack_wherever_the_card_goes() -> None:
    table = vacating(options={"move": "any"})
    all_moves = {(1, 0), (1, 2), (1, 10), (5, 4), (5, 6), (5, 11)}
    assert moves_of(table, "wood-mouse", 8) == all_moves
    # The place a stack has just left is free for the card, the one it has gone to is not.
    assert moves_of(table, "wood-mouse", 1) == {(1, 0), (1, 2), (1, 10)}
    assert moves_of(table, "wood-mouse", 2) == all_moves - {(1, 2)}
    table.summon("wood-mouse", 8, "wood-dog", move={"from": 5, "to": 11})


def test_any_lets_the_very_stack_move_that_is_ascended() -> None:
    table = vacating(
        options={"move": "any"},
        hands=["earth-tiger fire-cat"],
        stacks={1: "fire-tiger", 3: "earth-dragon"},
    )
    # Rank 2 over rank 1 costs 1; beside the earth dragon, on 2, nothing.
    supply = {"from": "supply"}
    assert table.summon("earth-tiger", 2, move={"from": 1, "to": 2}, gain=supply)["cost"] == 0
    assert table.game.view(0)["table"]["spaces"][2]["cards"] == ["fire-tiger", "earth-tiger"]


def test_the_token_covered_by_the_move_can_pay() -> None:
    table = vacating(space_tokens={2: "wood"})
    outcome = table.summon("wood-mouse", 1, tokens=1, move={"from": 1, "to": 2})
    assert outcome["gained"] == [{"element": "wood", "by": "move", "from": {"from": "space", "space": 2}}]
    view = table.game.view(0)
    assert view["table"]["spaces"][2]["token"] is None
    assert view["table"]["supply"]["wood"] == 2
    assert view["players"][0]["tokens"]["wood"] == 0


def test_the_cost_is_counted_after_the_move() -> None:
    table = vacating(hands=["fire-dog fire-cat"])
    # Unmoved, the fire tiger shares with the spaces beside it, and one card is not enough elsewhere.
    options = {action["space"]: action for action in table.summons_of("fire-dog") if action["move"] is None}
    assert set(options) == {0, 2, 10}
    assert table.summon("fire-dog", 1, "fire-cat", move={"from": 1, "to": 0})["cost"] == 1


def test_no_move_in_a_competitive_game() -> None:
    table = Table.at(position(hands=["wood-mouse wood-dog"], stacks={1: "fire-tiger"}))
    assert moves_of(table, "wood-mouse") == set()
    action = table.summoning("wood-mouse", 1, "wood-dog", move={"from": 1, "to": 2})
    table.refuse(action, "move-not-allowed", "R17")


# --- R18 ---


@pytest.mark.parametrize("move", ["vacated", "any"])
def test_a_fully_ascended_stack_stays_and_still_shares(move: str) -> None:
    table = vacating(
        options={"move": move}, stacks={1: "wood-tiger"}, hands=["wood-mouse wood-monkey wood-dog"]
    )
    assert moves_of(table, "wood-mouse") == set()
    action = table.summoning("wood-mouse", 1, "wood-dog", move={"from": 1, "to": 2})
    table.refuse(action, "move-ascended", "R18")
    view = table.game.view(0)["table"]
    assert view["spaces"][1]["ascended"]
    assert view["ascended"] == ["tiger"]
    assert table.summon("wood-mouse", 2)["cost"] == 0


def test_placing_a_rank_five_ascends_the_animal() -> None:
    table = vacating(stacks={1: "water-tiger"}, hands=["wood-tiger wood-dog"])
    outcome = table.summon("wood-tiger", 1, "wood-dog", gain={"from": "supply"})
    assert outcome["ascended"] == "tiger"
    assert table.game.view(0)["table"]["score"] == 2


# --- R19, R20 ---


def test_it_ends_at_once_when_the_stream_is_empty_after_an_action() -> None:
    table = Table.at(
        position("cooperative", 2, hands=[" ".join(CARDS[:9])], stream=[None] * 7 + ["water-pig"], deck=0)
    )
    outcome = table.draw(7)
    assert outcome["over"]
    assert table.game.over
    # Neither the second action nor a discard is asked for.
    assert table.game.view(0)["players"][0]["cards"] == 10


def test_the_empty_deck_alone_does_not_end_it() -> None:
    table = Table.at(position("cooperative", 1, deck=1))
    table.draw()
    assert not table.game.over
    for place in range(8):
        assert not table.game.over
        if table.game.view(0)["phase"] == "discard":
            table.apply(table.reference.legal_actions()[0])
        table.draw(place)
    assert table.game.over


def last_pig(deck: int, stream: int, **options: object) -> Table:
    """Eleven animals of three cards each are up, and the dog beside the pig makes the last rank free."""
    stacks = {**full_stacks(11, cards=3), 11: "metal-pig"}
    shown = [STACK[ANIMALS[place]][0] for place in range(stream)]
    return Table.at(
        position(
            "cooperative",
            1,
            options=options,
            stacks=stacks,
            hands=["water-pig"],
            stream=[*shown, *[None] * (8 - stream)],
            deck=deck,
        )
    )


def test_it_ends_at_once_when_all_twelve_are_fully_ascended() -> None:
    table = last_pig(4, 8)
    assert table.summon("water-pig", 11, gain={"from": "supply"})["over"]
    assert table.game.view(0)["table"]["ascended"] == ANIMALS


@pytest.mark.parametrize(("deck", "stream"), [(0, 1), (0, 5), (4, 8)])
def test_all_twelve_count_what_is_left_in_deck_and_stream_too(deck: int, stream: int) -> None:
    table = last_pig(deck, stream)
    assert table.game.view(0)["table"]["score"] == 33
    table.summon("water-pig", 11, gain={"from": "supply"})
    score = 35 + deck + stream
    rank = table.reference.result["rank"]  # type: ignore[index]
    assert table.game.result == {"score": score, "rank": rank, "won": True}


def test_stacks_that_are_not_fully_ascended_score_nothing() -> None:
    stacks = {**full_stacks(2), 5: "metal-snake water-snake"}
    table = Table.at(position("cooperative", 1, stacks=stacks, stream=["water-pig", *[None] * 7], deck=0))
    table.draw(0)
    assert table.game.result == {"score": 10, "rank": "beginner", "won": False}


def test_family_scoring_counts_animals() -> None:
    table = last_pig(4, 8, scoring="family")
    assert table.game.view(0)["table"]["score"] == 11
    table.summon("water-pig", 11, gain={"from": "supply"})
    assert table.game.result == {"score": 12, "rank": None, "won": True}


def test_family_scoring_at_the_end_of_the_stream() -> None:
    table = Table.at(
        position(
            "cooperative",
            2,
            options={"scoring": "family"},
            stacks=full_stacks(3),
            stream=["water-pig", *[None] * 7],
            deck=0,
        )
    )
    table.draw(0)
    assert table.game.result == {"score": 3, "rank": None, "won": False}


# --- R21 ---

FLOORS = {
    1: "beginner",
    12: "apprentice",
    21: "average",
    29: "good",
    38: "strong",
    46: "expert",
    55: "master",
}


def test_the_rank_names_in_order() -> None:
    assert tuple(FLOORS.values()) == RANK_NAMES


@pytest.mark.parametrize("score", range(55))
def test_rank_names_by_score(score: int) -> None:
    """Eleven full stacks at most can be up while the Stream runs out, so 55 and more needs all twelve."""
    heights = [min(5, score - 5 * space) for space in range(11) if score > 5 * space]
    stacks = {space: " ".join(STACK[ANIMALS[space]][-height:]) for space, height in enumerate(heights)}
    table = Table.at(position("cooperative", 1, stacks=stacks, stream=["fire-pig", *[None] * 7], deck=0))
    table.draw(0)
    names = [name for floor, name in FLOORS.items() if score >= floor]
    assert table.game.result == {"score": score, "rank": names[-1] if names else None, "won": False}


@pytest.mark.parametrize(("held", "score"), [("earth-pig", 59), ("earth-pig fire-pig", 58)])
def test_the_highest_rank_needs_all_twelve(held: str, score: int) -> None:
    """With all twelve up every card counts but those in hand."""
    stacks = {**full_stacks(11), 11: "metal-pig"}
    left = [card for card in ("wood-pig", "fire-pig") if card not in held]
    stream = [*left, *[None] * (8 - len(left))]
    table = Table.at(
        position("cooperative", 1, stacks=stacks, hands=[f"water-pig {held}"], stream=stream, deck=0)
    )
    table.summon("water-pig", 11, gain={"from": "supply"})
    assert table.game.result == {"score": score, "rank": "master", "won": True}


# --- R16, R6 ---


def test_solo_keeps_its_turns_of_two_actions_and_its_hand_limit() -> None:
    table = Table.of_record(deal(4, "cooperative", 1))
    for turn in (1, 1, 2, 2):
        assert table.game.view(0)["turn"] == turn
        table.draw()
    view = table.game.view(0)
    assert (view["phase"], view["discards_due"], view["seat_to_act"]) == ("discard", 1, 0)


def test_without_element_tokens_there_is_none_anywhere() -> None:
    view = Table.of_record(deal(5, "cooperative", 2, options={"element_tokens": False})).game.view(0)
    assert all(space["token"] is None for space in view["table"]["spaces"])
    assert set(view["table"]["supply"].values()) == {0}
