"""A quick policy for rollouts: a weighted sum of a few features of each legal step, and some noise.

One set of features serves both families of modes; each has its own weights (`weights.py`).
"""

from ai.compiled import kernel
from ai.weights import (
    ACTION_NOISE,
    CROWDED,
    DRAW_COST,
    DRAW_DEAD,
    DRAW_DECK_BASE,
    DRAW_LIVE,
    DRAW_MINE,
    DRAW_RIVALS,
    DRAW_SKIPPED,
    DRAW_STARTED,
    LOSE_COST,
    LOSE_DEAD,
    LOSE_MINE,
    LOSE_NOISE,
    LOSE_RANK_FIVE,
    LOSE_SKIPPED,
    LOSE_TOKENS,
    PLACE_COST,
    PLACE_MOVE,
    PLACE_NEIGHBOURS,
    PLACE_NOISE,
    PLACE_TOKEN,
    SUMMON,
    SUMMON_COST,
    SUMMON_RANK_FIVE,
    SUMMON_RIVALS,
    SUMMON_SKIPPED,
    SUMMON_STARTED,
    SUMMON_YEARS,
    Weights,
)
from engine.compiled import integer, popcount
from engine.kernel import ANIMAL, ELEMENT, cost_at, random_below, vacated_cost
from engine.state import (
    ACTION,
    CARD,
    DISCARD,
    DRAW_DECK,
    HAND_LIMIT,
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
    return max(card // 12 + 1 - integer(s["best_share"][ELEMENT[card]]), 0)


@kernel
def policy_step(s: Record, steps: Steps, n: int, weights: Weights, rng: Words) -> int:
    """The one of the `n` legal steps that the policy likes best, with some noise.

    Of the Stream it looks at every other place, which half by chance: twice as quick, and no weaker.
    """
    chosen = integer(steps[0])
    if n == 1:
        return chosen
    phase = s["phase"]
    noise = weights[ACTION_NOISE]
    if phase == PLACE:
        noise = weights[PLACE_NOISE]
    elif phase != ACTION:
        noise = weights[LOSE_NOISE]
    noise /= 1024.0
    half = random_below(rng, 2)
    mine, rivals = animal_tokens(s)
    best = -1e30
    for i in range(n):
        step = integer(steps[i])
        if phase == ACTION and step < DRAW_DECK and (step & 1) == half and i < n - 1:
            continue
        value = step_value(s, step, mine, rivals, weights)
        if noise > 0:
            value += noise * random_below(rng, 1024)
        if value > best:
            best = value
            chosen = step
    return chosen


@kernel
def animal_tokens(s: Record) -> tuple[int, int]:
    """The Animal Tokens of the seat to act and those of the others, as masks; none in co-op."""
    seat = integer(s["turn"])
    rivals = 0
    for other in range(integer(s["seats"])):
        rivals |= integer(s["animals"][other])
    mine = integer(s["animals"][seat])
    return mine, rivals ^ mine


@kernel
def step_value(s: Record, step: int, mine: int, rivals: int, weights: Weights) -> float:
    """How much the policy likes a legal step, without noise; it depends only on what all players see.

    `mine` and `rivals` are as `animal_tokens` gives them."""
    phase = s["phase"]
    if phase == ACTION:
        if step < CARD:
            return _draw_value(s, step, mine, rivals, weights)
        return _summon_value(s, step - CARD, mine, rivals, weights)
    if phase == PLACE:
        return _place_value(s, step, weights)
    if phase in (PAY, DISCARD):
        return _lose_value(s, step, mine, weights)
    return 0.0


@kernel
def _under(s: Record, card: int) -> int:
    """The card on which a card would go; for the first of its animal the year a cycle before rank 1."""
    stack = integer(s["space_of"][ANIMAL[card]])
    return integer(s["top"][stack]) if stack >= 0 else integer(ANIMAL[card]) - 12


@kernel
def _draw_value(s: Record, step: int, mine: int, rivals: int, weights: Weights) -> float:
    seat = integer(s["turn"])
    crowd = integer(s["hand_size"][seat]) + integer(s["actions_left"]) - HAND_LIMIT
    value = weights[CROWDED] * max(crowd, 0)
    if step >= DRAW_DECK:
        return float(value + weights[DRAW_DECK_BASE])
    card = integer(s["stream"][step])
    under = _under(s, card)
    if under >= card:
        return float(value + weights[DRAW_DEAD])
    value += weights[DRAW_LIVE]
    value += weights[DRAW_SKIPPED] * min((card - under) // 12 - 1, 2)
    value += weights[DRAW_COST] * best_cost(s, card)
    if under >= 0:
        value += weights[DRAW_STARTED]
    animal = integer(ANIMAL[card])
    value += weights[DRAW_MINE] * ((mine >> animal) & 1) + weights[DRAW_RIVALS] * ((rivals >> animal) & 1)
    return float(value)


@kernel
def _summon_value(s: Record, card: int, mine: int, rivals: int, weights: Weights) -> float:
    animal = integer(ANIMAL[card])
    under = _under(s, card)
    value = weights[SUMMON]
    value += weights[SUMMON_COST] * best_cost(s, card)
    value += weights[SUMMON_SKIPPED] * ((card - under) // 12 - 1)
    if card >= 48:
        value += weights[SUMMON_RANK_FIVE]
    if under >= 0:
        value += weights[SUMMON_STARTED]
    if s["cooperative"] == 0:
        years = own_tokens(s, integer(s["turn"])) if (mine >> animal) & 1 else popcount(mine)
        value += weights[SUMMON_YEARS] * (years + 1) + weights[SUMMON_RIVALS] * ((rivals >> animal) & 1)
    return float(value)


@kernel
def _place_value(s: Record, step: int, weights: Weights) -> float:
    card = integer(s["card"])
    value = 0.0
    if step >= MOVE:
        target = (step - MOVE) % 12
        value += weights[PLACE_MOVE] + weights[PLACE_COST] * vacated_cost(s, card, (step - MOVE) // 12)
    else:
        target = step - SPACE
        value += weights[PLACE_COST] * cost_at(s, card, target)
        value += weights[PLACE_NEIGHBOURS] * popcount(s["vines"][target])
    for element in range(5):
        value += weights[PLACE_TOKEN] * ((integer(s["tokens_on"][element]) >> target) & 1)
    return float(value)


@kernel
def _lose_value(s: Record, step: int, mine: int, weights: Weights) -> float:
    """How gladly a card, or what is due in tokens, is paid or thrown away."""
    if step == PAY_TOKENS:
        return float(weights[LOSE_TOKENS])
    card = step - CARD
    under = _under(s, card)
    value = weights[LOSE_MINE] * ((mine >> integer(ANIMAL[card])) & 1)
    if under >= card:
        return float(value + weights[LOSE_DEAD])
    value += weights[LOSE_SKIPPED] * min((card - under) // 12 - 1, 3)
    value += weights[LOSE_COST] * best_cost(s, card)
    if card >= 48:
        value += weights[LOSE_RANK_FIVE]
    return float(value)
