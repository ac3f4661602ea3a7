"""R10: where a card may go, what it costs, how it is paid; R17 with it in co-operation."""

import itertools

import pytest

from engine import board_names, load_board
from tests.engine.positions import position
from tests.engine.reference import CARDS
from tests.engine.table import Table


def spaces_of(table: Table, card: str) -> set[int]:
    return {action["space"] for action in table.summons_of(card)}


def costs_of(table: Table, card: str) -> dict[int, int]:
    return {
        action["space"]: len(action["pay"]["cards"]) + action["pay"]["tokens"]
        for action in table.summons_of(card)
    }


def test_the_first_of_an_animal_goes_on_any_empty_space() -> None:
    stacks = {0: "fire-tiger", 7: "fire-cat", 11: "metal-goat"}
    table = Table.at(position(hands=["wood-mouse wood-dog"], stacks=stacks))
    assert spaces_of(table, "wood-mouse") == set(range(12)) - set(stacks)


def test_ranks_may_be_skipped() -> None:
    table = Table.at(position(hands=["water-mouse " + " ".join(CARDS[8:10])], stacks={5: "metal-mouse"}))
    assert spaces_of(table, "water-mouse") == {5}


@pytest.mark.parametrize("top", ["earth-mouse", "metal-mouse", "water-mouse"])
def test_an_equal_or_higher_rank_on_the_board_bars_the_card(top: str) -> None:
    table = Table.at(position(hands=["fire-mouse fire-tiger fire-cat"], stacks={5: top}))
    assert table.summons_of("fire-mouse") == []
    table.refuse(table.summoning("fire-mouse", 5, "fire-tiger fire-cat"), "rank-not-higher", "R10a")
    table.refuse(table.summoning("fire-mouse", 6, "fire-tiger fire-cat"), "rank-not-higher", "R10a")


def test_nothing_goes_on_another_animal() -> None:
    table = Table.at(position(hands=["wood-mouse wood-dog"], stacks={4: "wood-buffalo"}))
    table.refuse(table.summoning("wood-mouse", 4, "wood-dog"), "space-occupied", "R10a")


def test_cost_is_the_rank_less_what_lies_underneath_less_the_neighbours_that_share() -> None:
    stacks = {10: "fire-tiger earth-tiger", 0: "wood-buffalo", 3: "water-monkey wood-monkey", 4: "wood-pig"}
    hand = "wood-tiger wood-mouse wood-dog wood-rooster wood-horse wood-goat"
    # Rank 5 over rank 2; 0, 3 and 4 show wood and are joined to 10.
    assert costs_of(Table.at(position(hands=[hand], stacks=stacks)), "wood-tiger") == {10: 0}
    # Only the top card shares: a fire monkey hides the wood one.
    stacks[3] = "wood-monkey fire-monkey"
    assert costs_of(Table.at(position(hands=[hand], stacks=stacks)), "wood-tiger") == {10: 1}


def test_cost_is_never_below_nothing() -> None:
    stacks = {0: "wood-buffalo", 1: "wood-dog", 2: "wood-pig", 3: "wood-monkey"}
    table = Table.at(position(hands=["wood-mouse wood-goat"], stacks=stacks))
    assert costs_of(table, "wood-mouse")[10] == 0
    table.refuse(table.summoning("wood-mouse", 10, "wood-goat"), "payment-amount", "R10c")


@pytest.mark.parametrize("name", board_names())
def test_each_vine_shares_and_no_other_pair_of_spaces_does(name: str) -> None:
    board = load_board(name).as_json()
    vines = {frozenset(vine) for vine in board["vines"]}
    for there in range(12):
        table = Table.at(
            position(
                hands=["wood-horse wood-dog wood-pig wood-goat"], stacks={there: "wood-mouse"}, board=board
            )
        )
        costs = costs_of(table, "wood-horse")
        assert costs == {here: 3 - (frozenset((here, there)) in vines) for here in range(12) if here != there}


def test_cards_pay_by_element_or_animal_and_tokens_by_element() -> None:
    table = Table.at(
        position(
            hands=["wood-horse wood-mouse metal-horse fire-cat wood-dog"],
            tokens=["wood metal"],
            stacks={5: "wood-buffalo"},
        )
    )
    ways = {
        (*action["pay"]["cards"], *["token"] * action["pay"]["tokens"])
        for action in table.summons_of("wood-horse")
        if action["space"] == 0
    }
    usable = ["wood-mouse", "metal-horse", "wood-dog", "token"]
    assert ways == {tuple(sorted(way, key=_tokens_last)) for way in itertools.combinations(usable, 3)}


def _tokens_last(name: str) -> tuple[bool, str]:
    return name == "token", name


PAYMENTS = {
    "too little": ("wood-dog", 0, "payment-amount"),
    "too much": ("wood-dog wood-mouse metal-horse", 1, "payment-amount"),
    "neither element nor animal": ("wood-dog fire-cat", 1, "payment-mismatch"),
    "the summoned card itself": ("wood-dog wood-horse", 1, "payment-self"),
    "a card in no hand": ("wood-dog wood-pig", 1, "payment-not-in-hand"),
    "a card of the other seat": ("wood-dog wood-goat", 1, "payment-not-in-hand"),
    "more tokens of the element than held": ("wood-dog", 2, "payment-tokens"),
}


@pytest.mark.parametrize("fault", PAYMENTS)
def test_a_payment_is_refused(fault: str) -> None:
    cards, tokens, code = PAYMENTS[fault]
    table = Table.at(
        position(
            hands=["wood-horse wood-mouse metal-horse fire-cat wood-dog", "wood-goat"], tokens=["wood metal"]
        )
    )
    table.refuse(table.summoning("wood-horse", 0, cards, tokens), code, "R10c")


def test_what_was_paid_is_discarded_and_tokens_go_to_the_supply() -> None:
    table = Table.at(position(hands=["wood-horse wood-mouse metal-horse"], tokens=["wood"]))
    supply = table.game.view(0)["table"]["supply"]["wood"]
    table.summon("wood-horse", 0, "wood-mouse metal-horse", 1)
    after = table.game.view(0)
    assert {"wood-mouse", "metal-horse"} <= set(after["table"]["discards"])
    assert after["table"]["supply"]["wood"] == supply + 1
    assert after["players"][0]["tokens"]["wood"] == 0
    assert after["players"][0]["hand"] == []


def test_a_token_on_the_space_is_gained_and_cannot_pay_for_the_same_summon() -> None:
    table = Table.at(position(hands=["wood-mouse fire-mouse"], space_tokens={2: "wood"}))
    table.refuse(table.summoning("wood-mouse", 2, tokens=1), "payment-tokens", "R10c")
    outcome = table.summon("wood-mouse", 2, "fire-mouse")
    source = {"from": "space", "space": 2}
    assert outcome["gained"] == [{"element": "wood", "by": "space", "from": source}]
    view = table.game.view(0)
    assert view["table"]["spaces"][2]["token"] is None
    assert view["players"][0]["tokens"]["wood"] == 1


def test_the_ascension_token_cannot_pay_for_its_own_summon_but_for_the_next() -> None:
    table = Table.at(
        position(hands=["fire-mouse fire-tiger wood-buffalo"], stacks={0: "wood-mouse"}, tokens=[""])
    )
    table.summon("fire-mouse", 0, "fire-tiger", gain={"from": "supply"})
    table.summon("wood-buffalo", 2, tokens=1)


def test_a_card_must_be_in_the_hand_to_be_summoned() -> None:
    table = Table.at(position(hands=["wood-mouse", "wood-dog"]))
    table.refuse(table.summoning("wood-dog", 0, "wood-mouse"), "card-not-in-hand")
