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
from engine.kernel import ANIMAL, ELEMENT, best_share, cost_at, random_below, vacated_cost
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
def ranks_skipped(s: Record, card: int) -> int:
    """How many lower ranks of its animal a card that is not dead would shut out."""
    stack = integer(s["space_of"][ANIMAL[card]])
    return (card - integer(s["top"][stack])) // 12 - 1 if stack >= 0 else card // 12


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
    return max(card // 12 + 1 - best_share(s, integer(ELEMENT[card])), 0)


@kernel
def _holder(s: Record, animal: int) -> int:
    """The seat that controls an Animal Token; -1 if none does."""
    for seat in range(s["seats"]):
        if (integer(s["animals"][seat]) >> animal) & 1:
            return seat
    return -1


@kernel
def policy_step(s: Record, steps: Steps, n: int, weights: Weights, rng: Words) -> int:
    """The one of the `n` legal steps that the policy likes best."""
    best = -1e30
    chosen = integer(steps[0])
    if n == 1:
        return chosen
    noise = weights[ACTION_NOISE]
    if s["phase"] == PLACE:
        noise = weights[PLACE_NOISE]
    elif s["phase"] != ACTION:
        noise = weights[LOSE_NOISE]
    for i in range(n):
        step = integer(steps[i])
        value = step_value(s, step, weights) + noise * random_below(rng, 1024) / 1024.0
        if value > best:
            best = value
            chosen = step
    return chosen


@kernel
def step_value(s: Record, step: int, weights: Weights) -> float:
    """How much the policy likes a legal step, before noise."""
    phase = s["phase"]
    if phase == ACTION:
        return _draw_value(s, step, weights) if step < CARD else _summon_value(s, step - CARD, weights)
    if phase == PLACE:
        return _place_value(s, step, weights)
    if phase in (PAY, DISCARD):
        return _lose_value(s, step, weights)
    return 0.0


@kernel
def _draw_value(s: Record, step: int, weights: Weights) -> float:
    seat = integer(s["turn"])
    crowd = integer(s["hand_size"][seat]) + integer(s["actions_left"]) - HAND_LIMIT
    value = weights[CROWDED] * max(crowd, 0)
    if step >= DRAW_DECK:
        return float(value + weights[DRAW_DECK_BASE])
    card = integer(s["stream"][step])
    if is_dead(s, card):
        return float(value + weights[DRAW_DEAD])
    animal = integer(ANIMAL[card])
    value += weights[DRAW_LIVE]
    value += weights[DRAW_SKIPPED] * min(ranks_skipped(s, card), 2)
    value += weights[DRAW_COST] * best_cost(s, card)
    if s["space_of"][animal] >= 0:
        value += weights[DRAW_STARTED]
    if s["cooperative"] == 0:
        holder = _holder(s, animal)
        if holder == seat:
            value += weights[DRAW_MINE]
        elif holder >= 0:
            value += weights[DRAW_RIVALS]
    return float(value)


@kernel
def _summon_value(s: Record, card: int, weights: Weights) -> float:
    seat = integer(s["turn"])
    animal = integer(ANIMAL[card])
    value = weights[SUMMON]
    value += weights[SUMMON_COST] * best_cost(s, card)
    value += weights[SUMMON_SKIPPED] * ranks_skipped(s, card)
    if card >= 48:
        value += weights[SUMMON_RANK_FIVE]
    if s["space_of"][animal] >= 0:
        value += weights[SUMMON_STARTED]
    if s["cooperative"] == 0:
        holder = _holder(s, animal)
        if holder == seat:
            value += weights[SUMMON_YEARS] * (own_tokens(s, seat) + 1)
        else:
            value += weights[SUMMON_YEARS] * (popcount(s["animals"][seat]) + 1)
            if holder >= 0:
                value += weights[SUMMON_RIVALS]
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
def _lose_value(s: Record, step: int, weights: Weights) -> float:
    """How gladly a card, or what is due in tokens, is paid or thrown away."""
    if step == PAY_TOKENS:
        return float(weights[LOSE_TOKENS])
    card = step - CARD
    mine = (integer(s["animals"][integer(s["turn"])]) >> integer(ANIMAL[card])) & 1
    value = weights[LOSE_MINE] * mine
    if is_dead(s, card):
        return float(value + weights[LOSE_DEAD])
    value += weights[LOSE_SKIPPED] * min(ranks_skipped(s, card), 3)
    value += weights[LOSE_COST] * best_cost(s, card)
    if card >= 48:
        value += weights[LOSE_RANK_FIVE]
    return float(value)
