"""What the networks see of a position: the numbers of the features that are there, most of them bits.

The position is a determinized one, in which a seat is about to choose an action. Seats are counted from that
one, so that one network serves all of them. A feature may be there more than once, for cards that are alike.
"""

from ai.compiled import kernel
from ai.policy import best_cost, own_tokens
from engine.compiled import integer, lowest, popcount
from engine.kernel import ANIMAL, ELEMENT, ONE, PAYING_CARDS, final_years, matching_cards
from engine.state import Mask, Record, Steps

VERSION = 1  # to be raised when a number below gets another meaning

# A card's outlook: its rank, dead or the lowest cost to place it (0 to 5), and whose its animal is.
OUTLOOKS = 5 * 7 * 3
GAINS = 14

# What there is for each seat, with its offset in the seat's own part.
_HAND = 0  # + card
_OUTLOOK = _HAND + 60
_SHORT = _OUTLOOK + OUTLOOKS  # + 5 * (short by 1, 2 or more) + rank, of cards that cannot be paid yet
_PAYABLE = _SHORT + 15  # + rank
_GAIN = _PAYABLE + 5  # + years that a payable card would bring
_BEST_GAIN = _GAIN + GAINS
_HAND_SIZE = _BEST_GAIN + GAINS
_TOKENS = _HAND_SIZE + 13  # + 5 * (one or two) + element
_TOKEN_SUM = _TOKENS + 10
_ANIMAL = _TOKEN_SUM + 11
_ANIMAL_SUM = _ANIMAL + 12
_MATCHING = _ANIMAL_SUM + 13
_YEARS = _MATCHING + 9
_LEAD = _YEARS + 21
SEAT_FEATURES = _LEAD + 31

# What there is of the table, after the four seats' parts.
_STREAM = 4 * SEAT_FEATURES
_STREAM_OUTLOOK = _STREAM + 60
_PLACED = _STREAM_OUTLOOK + OUTLOOKS
_DISCARDED = _PLACED + 60
_TOP = _DISCARDED + 60
_SPACE_ELEMENT = _TOP + 60
_SPACE_RANK = _SPACE_ELEMENT + 60
_SPACE_TOKEN = _SPACE_RANK + 60
_SHARE = _SPACE_TOKEN + 60  # + 6 * element + spaces that share it with one empty space
_SUPPLY = _SHARE + 30  # + 3 * element + tokens
_DECK = _SUPPLY + 15  # + cards left, by twos
_ACTIONS = _DECK + 27
_LAST = _ACTIONS + 2  # + turns to the end of the last round
_SEATS = _LAST + 5
_OPTIONS = _SEATS + 4
FEATURES = _OPTIONS + 4
MOST_ACTIVE = 640  # more than there can be at once


@kernel
def outlook(s: Record, card: int, mine: int) -> int:
    """A card's rank, cost and owner as one number below OUTLOOKS; `mine` are the Animal Tokens of a seat."""
    animal = integer(ANIMAL[card])
    stack = integer(s["space_of"][animal])
    owner = 0 if stack < 0 else 1 if (mine >> animal) & 1 else 2
    cost = 0
    if stack < 0 or integer(s["top"][stack]) < card:
        cost = 1 + min(best_cost(s, card), 5)
    return ((card // 12) * 7 + cost) * 3 + owner


@kernel
def _list_cards(cards: Mask, base: int, out: Steps, n: int) -> int:
    while cards:
        out[n] = base + lowest(cards)
        cards &= cards - ONE
        n += 1
    return n


@kernel
def _list_seat(s: Record, seat: int, base: int, out: Steps, n: int) -> int:
    """Appends what there is for a seat, whose part begins at `base`; returns the new length."""
    mine = integer(s["animals"][seat])
    owned = popcount(mine)
    tokens = own_tokens(s, seat)
    best = 0
    hand = s["hands"][seat]
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        view = outlook(s, card, mine)
        out[n] = base + _HAND + card
        out[n + 1] = base + _OUTLOOK + view
        n += 2
        cost = view // 3 % 7 - 1
        if cost < 0:
            continue
        rank = card // 12
        purse = popcount(PAYING_CARDS[card] & hand) + integer(s["tokens"][seat, ELEMENT[card]])
        if cost > purse:
            out[n] = base + _SHORT + 5 * (min(cost - purse, 3) - 1) + rank
            n += 1
            continue
        out[n] = base + _PAYABLE + rank
        n += 1
        if s["cooperative"] == 0:
            gain = min(tokens if view % 3 == 1 else owned + 1, GAINS - 1)
            out[n] = base + _GAIN + gain
            n += 1
            best = max(best, gain)
    out[n] = base + _BEST_GAIN + best
    out[n + 1] = base + _HAND_SIZE + min(integer(s["hand_size"][seat]), 12)
    out[n + 2] = base + _TOKEN_SUM + min(tokens, 10)
    n += 3
    for element in range(5):
        held = min(integer(s["tokens"][seat, element]), 2)
        if held:
            out[n] = base + _TOKENS + 5 * (held - 1) + element
            n += 1
    if s["cooperative"]:
        return n
    while mine:
        out[n] = base + _ANIMAL + lowest(mine)
        mine &= mine - 1
        n += 1
    lead = integer(s["years"][seat]) + final_years(s, seat)
    best_other = -100
    for other in range(integer(s["seats"])):
        if other != seat:
            best_other = max(best_other, integer(s["years"][other]) + final_years(s, other))
    out[n] = base + _ANIMAL_SUM + owned
    out[n + 1] = base + _MATCHING + min(matching_cards(s, seat), 8)
    out[n + 2] = base + _YEARS + min(integer(s["years"][seat]) // 4, 20)
    out[n + 3] = base + _LEAD + (min(max(lead - best_other, -30), 30) + 30) // 2
    return n + 4


@kernel
def list_features(s: Record, out: Steps) -> int:
    """Writes the features of a position (phase ACTION, all hands dealt) into `out`, which is at least
    MOST_ACTIVE long; returns how many there are."""
    n = 0
    seats = integer(s["seats"])
    turn = integer(s["turn"])
    for k in range(seats):
        n = _list_seat(s, (turn + k) % seats, k * SEAT_FEATURES, out, n)
    mine = integer(s["animals"][turn])
    for place in range(8):
        card = integer(s["stream"][place])
        if card >= 0:
            out[n] = _STREAM + card
            out[n + 1] = _STREAM_OUTLOOK + outlook(s, card, mine)
            n += 2
    n = _list_cards(s["placed"], _PLACED, out, n)
    n = _list_cards(s["discards"], _DISCARDED, out, n)
    for space in range(12):
        card = integer(s["top"][space])
        if card >= 0:
            out[n] = _TOP + card
            out[n + 1] = _SPACE_ELEMENT + 5 * space + integer(ELEMENT[card])
            out[n + 2] = _SPACE_RANK + 5 * space + card // 12
            n += 3
    for element in range(5):
        spaces = integer(s["tokens_on"][element])
        while spaces:
            out[n] = _SPACE_TOKEN + 5 * lowest(spaces) + element
            spaces &= spaces - 1
            n += 1
        out[n] = _SHARE + 6 * element + integer(s["best_share"][element])
        out[n + 1] = _SUPPLY + 3 * element + min(integer(s["supply"][element]), 2)
        n += 2
    left = 4
    if s["trigger"] >= 0:
        left = (integer(s["trigger"]) - turn - 1 + seats) % seats
    out[n] = _DECK + (60 - integer(s["dealt"])) // 2
    out[n + 1] = _ACTIONS + integer(s["actions_left"]) - 1
    out[n + 2] = _LAST + left
    out[n + 3] = _SEATS + seats - 1
    n += 4
    if s["family"]:
        out[n] = _OPTIONS
        n += 1
    if s["open_hands"]:
        out[n] = _OPTIONS + 1
        n += 1
    if s["any_move"]:
        out[n] = _OPTIONS + 2
        n += 1
    out[n] = _OPTIONS + 3
    return n + 1
