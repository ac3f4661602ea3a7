"""What positions are worth: rewards at the end, and a quick hand-made estimate before it."""

import math

import numpy as np

from ai.compiled import kernel
from ai.policy import best_cost, is_dead, own_tokens
from engine.compiled import lowest, popcount
from engine.kernel import ANIMAL, ANIMAL_CARDS, card_bit, score, winners
from engine.state import Record

Rewards = np.ndarray


@kernel
def final_rewards(s: Record, win_weight: float, rewards: Rewards, outcomes: Rewards) -> None:
    """What the end is worth to each seat.

    `outcomes` are for people: the share of the win, or in co-op the score. `rewards` in [0, 1] are for the
    search: a mixture of the win and of the margin in years over the best other seat; in co-op the score.
    """
    seats = s["seats"]
    if s["cooperative"]:
        points = score(s)
        for seat in range(seats):
            outcomes[seat] = points
            rewards[seat] = points / (12.0 if s["family"] else 60.0)
        return
    won = winners(s)
    count = 0
    for seat in range(seats):
        count += (won >> seat) & 1
    for seat in range(seats):
        best = -1000
        for other in range(seats):
            if other != seat:
                best = max(best, s["years"][other])
        margin = 0.5 + 0.5 * math.tanh((s["years"][seat] - best) / 12.0)
        outcomes[seat] = ((won >> seat) & 1) / count
        rewards[seat] = win_weight * outcomes[seat] + (1.0 - win_weight) * margin


@kernel
def estimated_rewards(s: Record, win_weight: float, rewards: Rewards, outcomes: Rewards) -> None:
    """What a competitive position is worth to each seat, in the manner of `final_rewards`.

    A margin's chance to win is logistic, the more certain the fewer cards are left in the deck.
    """
    seats = s["seats"]
    spread = 2.5 + 7.0 * min((60 - s["dealt"]) / 27.0, 1.0)
    total = 0.0
    for seat in range(seats):
        margin = evaluate(s, seat)
        outcomes[seat] = 1.0 / (1.0 + math.exp(-margin / spread))
        total += outcomes[seat]
        rewards[seat] = 0.5 + 0.5 * math.tanh(margin / 12.0)
    for seat in range(seats):
        outcomes[seat] /= total
        rewards[seat] = win_weight * outcomes[seat] + (1.0 - win_weight) * rewards[seat]


@kernel
def card_worth(s: Record, card: int) -> float:
    """What holding a card is worth, in years: a payment at least, more if it can be summoned soon."""
    if s["cooperative"]:
        return 0.5 if is_dead(s, card) else 0.9 + 0.2 * (5 - best_cost(s, card))
    return 1.0 if is_dead(s, card) else 1.6 + 0.25 * (5 - best_cost(s, card))


@kernel
def _standing(s: Record, seat: int) -> float:
    """A linear estimate of a seat's final years (competitive)."""
    early = min((60 - s["dealt"]) / 27.0, 1.0)
    value = (0.95 - 0.6 * early) * s["years"][seat]
    value += (0.5 + 5.4 * early) * popcount(s["animals"][seat])
    value += (1.2 + 1.8 * early) * own_tokens(s, seat)
    return float(value + 1.5 * (s["hand_size"][seat] - popcount(s["hands"][seat])))


@kernel
def _progress(s: Record) -> float:
    """How far the table has come in co-op: cards in stacks, most of all in those fully ascended."""
    value = 2.0 * score(s)
    for space in range(12):
        if s["top"][space] >= 0:
            value += 3.0 * popcount(s["placed"] & ANIMAL_CARDS[ANIMAL[s["top"][space]]])
    return float(value)


@kernel
def evaluate(s: Record, seat: int) -> float:
    """A quick estimate for a seat, from what it sees: its expected margin in years, or in co-op the progress
    of the table."""
    hand = s["hands"][seat]
    worth = 0.0
    while hand:
        card = lowest(hand)
        hand ^= card_bit(card)
        worth += card_worth(s, card)
    if s["cooperative"]:
        # A full hand is a reason to play: what is over the limit will be thrown away.
        crowded = max(s["hand_size"][seat] - 5, 0)
        return float(_progress(s) + worth - 0.9 * crowded + 0.8 * own_tokens(s, seat))
    best = -1e9
    for other in range(s["seats"]):
        if other != seat:
            best = max(best, _standing(s, other) + 1.6 * popcount(s["hands"][other]))
    return _standing(s, seat) + worth - best
