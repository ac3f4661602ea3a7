"""One case for every code with which a well-formed action is refused, and the rule it names."""

from typing import Any

import pytest

from tests.engine.positions import position
from tests.engine.reference import CARDS
from tests.engine.table import Table

Json = dict[str, Any]

HAND = "fire-mouse wood-monkey fire-tiger fire-cat wood-dog"
SUPPLY = {"from": "supply"}


def competitive(**rest: Any) -> Table:
    """Seat 0 to act with a mouse to ascend on space 0 and a rank 2 monkey to place."""
    arguments: Json = {"seats": 3, "hands": [HAND, "wood-pig"], "stacks": {0: "wood-mouse", 4: "metal-goat"}}
    return Table.at(position(**(arguments | rest)))


def cooperative(**rest: Any) -> Table:
    return competitive(**({"mode": "cooperative", "stacks": {0: "wood-mouse", 4: "wood-tiger"}} | rest))


def over() -> Table:
    table = competitive(actions_left=1, last_round={"seat": 1, "reason": "years"})
    table.draw()
    return table


def discarding() -> Table:
    table = competitive(hands=[" ".join(CARDS[20:28])], actions_left=1)
    table.draw()
    return table


def monkey(space: int = 2, pay: str = "fire-monkey", tokens: int = 0, **rest: Any) -> Json:
    """Rank 2: both the wood dog and one more would do."""
    return competitive().summoning("wood-monkey", space, pay, tokens, **rest)


def mouse(space: int = 0, pay: str = "fire-tiger", **rest: Any) -> Json:
    return competitive().summoning("fire-mouse", space, pay, **rest)


def draw(source: str | int) -> Json:
    return {"seat": 0, "type": "draw", "source": source}


def discard(cards: list[str]) -> Json:
    return {"seat": 0, "type": "discard", "cards": cards}


def pair(start: int, end: int) -> Json:
    return {"from": start, "to": end}


REFUSALS: list[tuple[str, str | None, Any, Json]] = [
    ("game-over", None, over, draw("deck")),
    ("not-your-turn", None, competitive, {"seat": 1, "type": "draw", "source": "deck"}),
    ("must-discard", "R9", discarding, draw("deck")),
    ("discard-not-due", "R9", competitive, discard(["wood-dog"])),
    ("discard-count", "R9", discarding, discard([])),
    ("discard-count", "R9", discarding, discard(CARDS[20:24])),
    ("card-not-in-hand", None, discarding, discard(CARDS[40:42])),
    ("card-not-in-hand", None, competitive, monkey() | {"card": "wood-pig"}),
    ("stream-place-empty", "R8", lambda: competitive(stream=[None] * 7 + ["water-pig"]), draw(3)),
    ("deck-empty", "R8", lambda: competitive(deck=0), draw("deck")),
    ("pass-not-allowed", "R7", competitive, {"seat": 0, "type": "pass"}),
    ("rank-not-higher", "R10a", lambda: competitive(stacks={0: "earth-mouse"}), mouse(gain=SUPPLY)),
    ("space-occupied", "R10a", competitive, monkey(4, "wood-dog")),
    ("wrong-space", "R10a", competitive, mouse(7, gain=SUPPLY)),
    ("payment-amount", "R10c", competitive, mouse(pay="", gain=SUPPLY)),
    ("payment-mismatch", "R10c", competitive, mouse(pay="wood-dog", gain=SUPPLY)),
    ("payment-self", "R10c", competitive, mouse(pay="fire-mouse", gain=SUPPLY)),
    ("payment-not-in-hand", "R10c", competitive, mouse(pay="fire-pig", gain=SUPPLY)),
    ("payment-tokens", "R10c", competitive, mouse(pay="", gain=SUPPLY) | {"pay": {"cards": [], "tokens": 1}}),
    ("gain-required", "R11", competitive, mouse()),
    ("gain-not-due", "R11", competitive, monkey(1, "wood-dog", gain=SUPPLY)),
    ("gain-unavailable", "R11", competitive, mouse(gain={"from": "space", "space": 9})),
    ("gain-not-from-seat", "R11", competitive, mouse(gain={"from": "seat", "seat": 1})),
    ("move-not-allowed", "R17", competitive, monkey(4, "wood-dog", move=pair(4, 3))),
    ("move-not-adjacent", "R17", cooperative, monkey(0, "wood-dog", move=pair(0, 5))),
    ("move-target-occupied", "R17", lambda: cooperative(stacks={0: "wood-mouse", 1: "wood-goat"}),
     monkey(0, "wood-dog", move=pair(0, 1))),
    ("move-nothing-there", "R17", cooperative, monkey(7, "wood-dog", move=pair(7, 8))),
    ("move-ascended", "R18", cooperative, monkey(4, "wood-dog", move=pair(4, 5))),
    ("move-not-vacated", "R17", cooperative, monkey(10, "wood-dog", move=pair(0, 1))),
    ("move-not-vacated", "R17", cooperative, mouse(0, gain=SUPPLY, move=pair(0, 1))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "rule", "table", "action"), REFUSALS, ids=[f"{n}-{case[0]}" for n, case in enumerate(REFUSALS)]
)
def test_refused_with_its_code_and_its_rule(code: str, rule: str | None, table: Any, action: Json) -> None:
    error = table().refuse(action, code, rule)
    assert error.rule.startswith("R")
    assert isinstance(error.params, dict)


CODES = """
    game-over not-your-turn must-discard discard-not-due discard-count card-not-in-hand stream-place-empty
    deck-empty pass-not-allowed rank-not-higher space-occupied wrong-space payment-amount payment-mismatch
    payment-self payment-not-in-hand payment-tokens gain-required gain-not-due gain-unavailable
    gain-not-from-seat move-not-allowed move-not-adjacent move-target-occupied move-nothing-there
    move-ascended move-not-vacated
"""


def test_no_code_is_left_out() -> None:
    assert {code for code, *_ in REFUSALS} == set(CODES.split())


def test_a_short_payment_says_the_cost_and_what_was_paid() -> None:
    error = competitive().refuse(mouse(pay="", gain=SUPPLY), "payment-amount", "R10c")
    assert error.params["cost"] == 1
    assert error.params["paid"] == 0
