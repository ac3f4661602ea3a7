"""The greedy player: the step whose quickly completed action looks best right after it."""

from ai.compiled import kernel
from ai.evaluation import card_worth, evaluate
from ai.policy import policy_step
from ai.weights import Weights
from engine.compiled import integer
from engine.kernel import apply_step, legal_steps, random_below
from engine.state import DRAW_DECK, GAIN, PAY, PLACE, Numbers, Record, States, Steps, Words


@kernel
def _complete_action(s: Record, seat: int, steps: Steps, weights: Weights, rng: Words) -> None:
    while s["turn"] == seat and (s["phase"] == PLACE or s["phase"] == PAY or s["phase"] == GAIN):
        apply_step(s, policy_step(s, steps, legal_steps(s, steps), weights, rng))


@kernel
def _deck_worth(s: Record, pool: Numbers, unseen: int) -> float:
    total = 0.0
    for i in range(unseen):
        total += card_worth(s, integer(pool[i]))
    return total / max(unseen, 1)


@kernel
def greedy_step(
    observed: States,
    work: States,
    pool: Numbers,
    unseen: int,
    options: Steps,
    scratch: Steps,
    weights: Weights,
    rng: Words,
) -> int:
    """The best-looking legal step of the seat to act; `work` is scratch, `pool` holds the unseen cards."""
    seat = integer(observed[0]["turn"])
    n = legal_steps(observed[0], options)
    best = -1e30
    chosen = 0
    for i in range(n):
        step = integer(options[i])
        if step == DRAW_DECK:
            value = evaluate(observed[0], seat) + _deck_worth(observed[0], pool, unseen)
        else:
            work[0] = observed[0]
            apply_step(work[0], step)
            _complete_action(work[0], seat, scratch, weights, rng)
            value = evaluate(work[0], seat)
        value += random_below(rng, 1024) / 65536.0
        if value > best:
            best = value
            chosen = step
    return chosen
