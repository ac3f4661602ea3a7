"""Dealing the hidden cards afresh: a determinization of what a seat observes (Cowling et al. 2012).

An observation holds the cards that the seat may see and only counts of the rest (R22). Every unseen card is
equally likely to be in the deck or in another seat's hidden hand, so one shuffle of them deals both.
"""

from ai.compiled import kernel
from engine.compiled import lowest, popcount
from engine.kernel import card_bit, shuffle, unseen_cards
from engine.state import Numbers, Record, Words


@kernel
def list_unseen(s: Record, pool: Numbers) -> int:
    """Writes the cards that the observing seat cannot see into `pool` (60 long); returns how many."""
    unseen = unseen_cards(s)
    n = 0
    while unseen:
        card = lowest(unseen)
        unseen ^= card_bit(card)
        pool[n] = card
        n += 1
    return n


@kernel
def deal_unseen(s: Record, pool: Numbers, n: int, rng: Words) -> None:
    """Deals the `n` unseen cards of `pool` to the hidden hands and the deck of an observation, in place."""
    shuffle(pool, 0, n, rng)
    k = 0
    for seat in range(s["seats"]):
        hidden = s["hand_size"][seat] - popcount(s["hands"][seat])
        for _ in range(hidden):
            s["hands"][seat] |= card_bit(pool[k])
            k += 1
    place = s["dealt"]
    while k < n:
        s["deck"][place] = pool[k]
        place += 1
        k += 1
