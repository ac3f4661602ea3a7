"""A quick hand-made policy: what rollouts play and what the greedy player weighs.

It nearly always summons when it can, the most rewarding card first, pays with dead cards before live ones,
and draws what is not dead.
"""

from ai.compiled import kernel
from engine.compiled import integer, lowest, popcount
from engine.kernel import ANIMAL, cost_at, random_below
from engine.state import (
    ACTION,
    CARD,
    DRAW_DECK,
    MOVE,
    PAY,
    PAY_TOKENS,
    PLACE,
    SPACE,
    Record,
    Steps,
    Words,
)


@kernel
def is_dead(s: Record, card: int) -> bool:
    """Whether a card can never be placed any more: its animal already stands at its rank or higher."""
    stack = integer(s["space_of"][ANIMAL[card]])
    return stack >= 0 and integer(s["top"][stack]) >= card


@kernel
def own_tokens(s: Record, seat: int) -> int:
    """How many Element Tokens a seat has."""
    total = 0
    for element in range(5):
        total += s["tokens"][seat, element]
    return total


@kernel
def best_cost(s: Record, card: int) -> int:
    """The lowest cost at which a card that is not dead can be placed without a move."""
    stack = integer(s["space_of"][ANIMAL[card]])
    if stack >= 0:
        return cost_at(s, card, stack)
    best = 5
    empty = 0xFFF ^ integer(s["occupied"])
    while empty:
        space = lowest(empty)
        empty &= empty - 1
        best = min(best, cost_at(s, card, space))
    return best


@kernel
def summon_reward(s: Record, card: int) -> int:
    """Years that summoning a card gains now, before its payment (R12); in co-op the ranks it climbs."""
    seat = integer(s["turn"])
    stack = integer(s["space_of"][ANIMAL[card]])
    if s["cooperative"]:
        return 2 if stack >= 0 else 0
    if (integer(s["animals"][seat]) >> integer(ANIMAL[card])) & 1:
        return own_tokens(s, seat) + 1
    return popcount(s["animals"][seat]) + 1


@kernel
def policy_step(s: Record, steps: Steps, n: int, rng: Words) -> int:
    """One of the `n` legal steps."""
    if n == 1:
        return integer(steps[0])
    phase = s["phase"]
    if phase == ACTION:
        return _policy_action(s, steps, n, rng)
    if phase == PLACE:
        return _policy_space(s, steps, n, rng)
    if phase == PAY or integer(steps[0]) < SPACE:
        return _policy_card_to_lose(s, steps, n, rng)
    return integer(steps[random_below(rng, n)])


@kernel
def _policy_action(s: Record, steps: Steps, n: int, rng: Words) -> int:
    first = 0
    while first < n and integer(steps[first]) <= DRAW_DECK:
        first += 1
    if first < n and random_below(rng, 8) != 0:
        best = -100
        chosen = first
        for i in range(first, n):
            card = integer(steps[i]) - CARD
            value = 4 * (summon_reward(s, card) - best_cost(s, card)) + random_below(rng, 12)
            if value > best:
                best = value
                chosen = i
        return integer(steps[chosen])
    if first == 0:
        return integer(steps[random_below(rng, n)])
    step = integer(steps[random_below(rng, first)])
    if step < DRAW_DECK and is_dead(s, integer(s["stream"][step])):
        step = integer(steps[random_below(rng, first)])
    return step


@kernel
def _policy_space(s: Record, steps: Steps, n: int, rng: Words) -> int:
    card = integer(s["card"])
    best = 100
    chosen = 0
    for i in range(n):
        step = integer(steps[i])
        if step >= MOVE:
            # What a move saves depends on the stack that moves: left to chance.
            value = 8 + random_below(rng, 12)
        else:
            value = 4 * cost_at(s, card, step - SPACE) + random_below(rng, 6)
        if value < best:
            best = value
            chosen = i
    return integer(steps[chosen])


@kernel
def _policy_card_to_lose(s: Record, steps: Steps, n: int, rng: Words) -> int:
    for i in range(n):
        step = integer(steps[i])
        if step != PAY_TOKENS and is_dead(s, step - CARD):
            return step
    return integer(steps[random_below(rng, n)])
