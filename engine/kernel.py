"""The rules as compiled kernels over one state record (`state.STATE`).

`legal_steps` and `apply_step` are total and fast and trust their caller: a step that is not legal gives
nonsense. The checked path is `Game.apply`. Kernels change the record (`states[0]`) in place; the random
generator is apart, an array of one 64-bit word that is never 0.
"""

import numpy as np

from engine.compiled import integer, kernel, lowest, popcount
from engine.state import (
    ACTION,
    CARD,
    DISCARD,
    DRAW_DECK,
    DRAW_STREAM,
    GAIN,
    GAIN_SEAT,
    GAIN_SPACE,
    GAIN_SUPPLY,
    HAND_LIMIT,
    MOVE,
    OVER,
    PASS,
    PAY,
    PAY_TOKENS,
    PLACE,
    SPACE,
    TRIGGER_DECK,
    TRIGGER_YEARS,
    YEARS_TO_END,
    Mask,
    Numbers,
    Record,
    Steps,
    Words,
)

ONE = np.uint64(1)
ALL_CARDS = np.uint64((1 << 60) - 1)
ALL_SPACES = (1 << 12) - 1
RANK_FIVE = np.uint64(48)  # the rank 5 cards are the years 48..59, in the animals' order
ELEMENT = np.array([year % 10 // 2 for year in range(60)], np.int8)
ANIMAL = np.array([year % 12 for year in range(60)], np.int8)
ELEMENT_CARDS = np.array([sum(1 << y for y in range(60) if y % 10 // 2 == e) for e in range(5)], np.uint64)
ANIMAL_CARDS = np.array([sum(1 << y for y in range(60) if y % 12 == a) for a in range(12)], np.uint64)
# The cards that can pay for each card (R10c): its element or its animal, not itself.
PAYING_CARDS = np.array(
    [
        sum(1 << y for y in range(60) if y != c and (y % 10 // 2 == c % 10 // 2 or y % 12 == c % 12))
        for c in range(60)
    ],
    np.uint64,
)


@kernel
def card_bit(card: int) -> Mask:
    return ONE << np.uint64(card)


@kernel
def random_below(rng: Words, limit: int) -> int:
    """A number in 0..limit-1 (limit < 2**31) by xorshift64 (Marsaglia 2003), its high half scaled."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return integer(((x >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@kernel
def shuffle(cards: Numbers, start: int, stop: int, rng: Words) -> None:
    """Shuffles cards[start:stop] in place (Fisher and Yates)."""
    for i in range(stop - 1, start, -1):
        j = start + random_below(rng, i - start + 1)
        cards[i], cards[j] = cards[j], cards[i]


@kernel
def begin(s: Record, first_seat: int, token_spaces: Numbers, tokens: Numbers) -> None:
    """Sets the table (R3-R5) for a state whose deck, seats, vines and options are filled in; `tokens` are
    element numbers for the first len(tokens) of `token_spaces`."""
    seats = integer(s["seats"])
    for seat in range(4):
        s["hands"][seat] = 0
        s["known"][seat] = 0
        s["animals"][seat] = 0
        s["years"][seat] = 0
        s["hand_size"][seat] = 0
        for element in range(5):
            s["tokens"][seat, element] = 0
    s["discards"] = 0
    s["placed"] = 0
    s["occupied"] = 0
    for element in range(5):
        s["sharing"][element] = 0
        s["tokens_on"][element] = 0
        s["supply"][element] = 0
    for k in range(12):
        s["top"][k] = -1
        s["space_of"][k] = -1
    for k in range(len(tokens)):
        s["tokens_on"][tokens[k]] |= np.uint16(1 << integer(token_spaces[k]))
    dealt = 0
    for seat in range(seats):
        for _ in range(4):
            s["hands"][seat] |= card_bit(s["deck"][dealt])
            dealt += 1
        s["hand_size"][seat] = 4
    for place in range(8):
        s["stream"][place] = s["deck"][dealt]
        dealt += 1
    s["dealt"] = dealt
    s["turn"] = first_seat
    s["actions_left"] = 2
    s["turns"] = 1
    s["played"] = 0
    s["phase"] = ACTION
    s["trigger"] = -1
    s["trigger_reason"] = 0
    _clear_pending(s)
    count_shares(s)


@kernel
def _clear_pending(s: Record) -> None:
    s["card"] = -1
    s["space"] = -1
    s["moved"] = 0
    s["due"] = 0
    s["next_card"] = 0
    s["covered"] = -1


@kernel
def funds(s: Record, card: int) -> int:
    """The most that the seat to act can pay for a card, which may still be in its hand (R10c)."""
    seat = integer(s["turn"])
    cards = popcount(PAYING_CARDS[card] & s["hands"][seat])
    return cards + integer(s["tokens"][seat, ELEMENT[card]])


@kernel
def cost_at(s: Record, card: int, space: int) -> int:
    """The cost of a card on a space where R10a allows it (R10b)."""
    under = integer(s["top"][space])
    # Ranks of one animal lie twelve years apart, and the year below rank 1 is the animal's number less 12.
    steps = (card - under) // 12 if under >= 0 else card // 12 + 1
    shared = popcount(integer(s["vines"][space]) & integer(s["sharing"][ELEMENT[card]]))
    return max(steps - shared, 0)


@kernel
def count_shares(s: Record) -> None:
    """Brings `best_share` up to date with the board, for an element at most 5: no rank costs more."""
    empty = ALL_SPACES ^ integer(s["occupied"])
    for element in range(5):
        sharing = integer(s["sharing"][element])
        # Counted for all spaces at once: a space's bit moves up with every sharing neighbour that it has.
        one = two = three = four = five = 0
        while sharing:
            joined = integer(s["vines"][lowest(sharing)]) & empty
            sharing &= sharing - 1
            five |= four & joined
            four |= three & joined
            three |= two & joined
            two |= one & joined
            one |= joined
        s["best_share"][element] = (one > 0) + (two > 0) + (three > 0) + (four > 0) + (five > 0)


@kernel
def _token_bonus(s: Record, element: int, space: int) -> int:
    return (integer(s["tokens_on"][element]) >> space) & 1


@kernel
def _can_place_unmoved(s: Record, card: int, purse: int) -> bool:
    stack = integer(s["space_of"][ANIMAL[card]])
    if stack >= 0:
        return s["top"][stack] < card and cost_at(s, card, stack) <= purse
    short = card // 12 + 1 - purse
    return short <= 0 or integer(s["best_share"][ELEMENT[card]]) >= short


@kernel
def _can_move(s: Record, origin: int) -> bool:
    """Whether a stack stands on `origin` that R18 lets move."""
    return 0 <= integer(s["top"][origin]) < 48


@kernel
def _sharing_after_move(s: Record, element: int, origin: int, target: int) -> int:
    sharing = integer(s["sharing"][element])
    if (sharing >> origin) & 1:
        sharing ^= (1 << origin) | (1 << target)
    return sharing


@kernel
def vacated_cost(s: Record, card: int, origin: int) -> int:
    """The cost of a card on the space that its stack has just left: the stack shares from next door (R17)."""
    element = ELEMENT[card]
    sharing = integer(s["sharing"][element])
    shared = popcount(integer(s["vines"][origin]) & sharing) + ((sharing >> origin) & 1)
    return max(card // 12 + 1 - shared, 0)


@kernel
def _can_place_after(s: Record, card: int, origin: int, target: int, purse: int) -> bool:
    """Whether the card has a payable space once a stack has moved so (option move "any")."""
    purse += _token_bonus(s, ELEMENT[card], target)
    sharing = _sharing_after_move(s, ELEMENT[card], origin, target)
    stack = integer(s["space_of"][ANIMAL[card]])
    if stack >= 0:
        under = integer(s["top"][stack])
        space = target if stack == origin else stack
        shared = popcount(integer(s["vines"][space]) & sharing)
        return under < card and (card - under) // 12 - shared <= purse
    empty = ALL_SPACES ^ integer(s["occupied"]) ^ ((1 << origin) | (1 << target))
    while empty:
        space = lowest(empty)
        empty &= empty - 1
        if card // 12 + 1 - popcount(integer(s["vines"][space]) & sharing) <= purse:
            return True
    return False


@kernel
def legal_moves(s: Record, card: int, purse: int, out: Steps, n: int) -> int:
    """Appends the move steps (R17) after which the card can be placed and paid; returns the new length."""
    stack = integer(s["space_of"][ANIMAL[card]])
    if stack >= 0 and (not s["any_move"] or s["top"][stack] > card):
        return n
    occupied = integer(s["occupied"])
    stacks = occupied
    while stacks:
        origin = lowest(stacks)
        stacks &= stacks - 1
        if not _can_move(s, origin):
            continue
        targets = integer(s["vines"][origin]) & ~occupied
        if targets and not s["any_move"]:
            short = vacated_cost(s, card, origin) - purse
            if short > 1:
                continue
            if short == 1:
                targets &= integer(s["tokens_on"][ELEMENT[card]])
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            if not s["any_move"] or _can_place_after(s, card, origin, target, purse):
                out[n] = MOVE + 12 * origin + target
                n += 1
    return n


@kernel
def can_summon(s: Record, card: int, scratch: Steps) -> bool:
    """Whether the seat to act can place and pay a card of its hand, with or without a move."""
    purse = funds(s, card)
    if _can_place_unmoved(s, card, purse):
        return True
    # `scratch` beyond the legal steps' own length is free to use.
    return s["cooperative"] != 0 and legal_moves(s, card, purse, scratch, 32) > 32


@kernel
def legal_steps(s: Record, out: Steps) -> int:
    """Writes the legal steps into `out` (at least MAX_LEGAL long) and returns how many there are."""
    n = 0
    phase = s["phase"]
    seat = integer(s["turn"])
    if phase == ACTION:
        for place in range(8):
            if s["stream"][place] >= 0:
                out[n] = DRAW_STREAM + place
                n += 1
        if s["dealt"] < 60:
            out[n] = DRAW_DECK
            n += 1
        hand = s["hands"][seat]
        while hand:
            card = lowest(hand)
            hand &= hand - ONE
            if can_summon(s, card, out):
                out[n] = CARD + card
                n += 1
        if n == 0:
            out[0] = PASS
            n = 1
    elif phase == PLACE:
        card = integer(s["card"])
        purse = funds(s, card)
        stack = integer(s["space_of"][ANIMAL[card]])
        spaces = 1 << stack if stack >= 0 else ALL_SPACES ^ integer(s["occupied"])
        while spaces:
            space = lowest(spaces)
            spaces &= spaces - 1
            if cost_at(s, card, space) <= purse:
                out[n] = SPACE + space
                n += 1
        if s["cooperative"] and not s["moved"]:
            n = legal_moves(s, card, purse, out, n)
    elif phase == PAY:
        card = integer(s["card"])
        due = integer(s["due"])
        tokens = integer(s["tokens"][seat, ELEMENT[card]])
        n = _rising_cards(s["hands"][seat] & PAYING_CARDS[card], s["next_card"], due - tokens, out)
        if tokens >= due:
            out[n] = PAY_TOKENS
            n += 1
    elif phase == GAIN:
        sources = gain_sources(s, seat, integer(s["covered"]))
        while sources:
            out[n] = GAIN_SEAT + lowest(sources)
            sources &= sources - 1
            n += 1
    elif phase == DISCARD:
        n = _rising_cards(s["hands"][seat], s["next_card"], integer(s["due"]), out)
    return n


@kernel
def _rising_cards(cards: Mask, lowest_allowed: int, needed: int, out: Steps) -> int:
    """The cards that may come next when a set is named in rising order and `needed` are still to come."""
    n = 0
    cards = (cards >> np.uint64(lowest_allowed)) << np.uint64(lowest_allowed)
    left = popcount(cards)
    while cards and left >= needed:
        card = lowest(cards)
        cards &= cards - ONE
        out[n] = CARD + card
        n += 1
        left -= 1
    return n


@kernel
def gain_sources(s: Record, seat: int, element: int) -> int:
    """Where an ascension token (R11) may come from, as bits of steps counted from GAIN_SEAT; 0 for nowhere.

    Seats are sources only where the supply and the board have none."""
    if s["tokens"][seat, element] >= 2:
        return 0
    sources = integer(s["tokens_on"][element]) << (GAIN_SPACE - GAIN_SEAT)
    if s["supply"][element] > 0:
        sources |= 1 << (GAIN_SUPPLY - GAIN_SEAT)
    if sources == 0:
        for other in range(integer(s["seats"])):
            if other != seat and s["tokens"][other, element] > 0:
                sources |= 1 << other
    return sources


@kernel
def apply_step(s: Record, step: int) -> None:
    """Plays one legal step."""
    phase = s["phase"]
    seat = integer(s["turn"])
    if phase == ACTION:
        if step < DRAW_DECK:
            _draw_from_stream(s, seat, step)
        elif step == DRAW_DECK:
            s["hands"][seat] |= card_bit(s["deck"][s["dealt"]])
            s["dealt"] += 1
            s["hand_size"][seat] += 1
            _finish_action(s, seat)
        elif step == PASS:
            _finish_action(s, seat)
        else:
            card = step - CARD
            _leave_hand(s, seat, card_bit(card))
            s["card"] = card
            s["phase"] = PLACE
    elif phase == PLACE:
        card = integer(s["card"])
        if step >= MOVE:
            origin = (step - MOVE) // 12
            move_stack(s, seat, origin, (step - MOVE) % 12)
            if s["any_move"]:
                return
            space = origin
        else:
            space = step - SPACE
        s["space"] = space
        s["due"] = cost_at(s, card, space)
        if s["due"] > 0:
            s["phase"] = PAY
        else:
            _place(s, seat, card, space)
    elif phase == PAY:
        if step == PAY_TOKENS:
            element = ELEMENT[integer(s["card"])]
            s["tokens"][seat, element] -= s["due"]
            s["supply"][element] += s["due"]
            s["due"] = 0
        else:
            _throw_away(s, seat, step - CARD)
        if s["due"] == 0:
            _place(s, seat, integer(s["card"]), integer(s["space"]))
    elif phase == GAIN:
        _gain(s, seat, integer(s["covered"]), step)
        _finish_summon(s, seat)
    else:
        _throw_away(s, seat, step - CARD)
        if s["due"] == 0:
            s["played"] += 1
            _clear_pending(s)
            _end_turn(s, seat)


@kernel
def _leave_hand(s: Record, seat: int, bit: Mask) -> None:
    s["hands"][seat] &= ~bit
    s["known"][seat] &= ~bit
    s["hand_size"][seat] -= 1


@kernel
def _throw_away(s: Record, seat: int, card: int) -> None:
    bit = card_bit(card)
    _leave_hand(s, seat, bit)
    s["discards"] |= bit
    s["next_card"] = card + 1
    s["due"] -= 1


@kernel
def _draw_from_stream(s: Record, seat: int, place: int) -> None:
    bit = card_bit(s["stream"][place])
    s["hands"][seat] |= bit
    s["known"][seat] |= bit
    s["hand_size"][seat] += 1
    if s["dealt"] < 60:
        s["stream"][place] = s["deck"][s["dealt"]]
        s["dealt"] += 1
    else:
        s["stream"][place] = -1
    _finish_action(s, seat)


@kernel
def move_stack(s: Record, seat: int, origin: int, target: int) -> None:
    card = integer(s["top"][origin])
    both = np.uint16((1 << origin) | (1 << target))
    s["top"][origin] = -1
    s["top"][target] = card
    s["space_of"][ANIMAL[card]] = target
    s["occupied"] ^= both
    s["sharing"][ELEMENT[card]] ^= both
    s["moved"] = 1
    count_shares(s)
    _take_token_on(s, seat, target)


@kernel
def _take_token_on(s: Record, seat: int, space: int) -> None:
    bit = np.uint16(1 << space)
    for element in range(5):
        if s["tokens_on"][element] & bit:
            s["tokens_on"][element] ^= bit
            s["tokens"][seat, element] += 1


@kernel
def _place(s: Record, seat: int, card: int, space: int) -> None:
    """Places a card that is paid for and takes the tokens that follow (R10d)."""
    bit = np.uint16(1 << space)
    under = integer(s["top"][space])
    s["top"][space] = card
    s["space_of"][ANIMAL[card]] = space
    s["placed"] |= card_bit(card)
    s["occupied"] |= bit
    s["sharing"][ELEMENT[card]] |= bit
    if under >= 0:
        s["sharing"][ELEMENT[under]] ^= bit
    count_shares(s)
    if under < 0:
        _take_token_on(s, seat, space)
    else:
        covered = integer(ELEMENT[under])
        sources = gain_sources(s, seat, covered)
        if sources & (sources - 1):
            s["covered"] = covered
            s["phase"] = GAIN
            return
        if sources:
            _gain(s, seat, covered, GAIN_SEAT + lowest(sources))
    _finish_summon(s, seat)


@kernel
def _gain(s: Record, seat: int, element: int, source: int) -> None:
    s["tokens"][seat, element] += 1
    if source == GAIN_SUPPLY:
        s["supply"][element] -= 1
    elif source >= GAIN_SPACE:
        s["tokens_on"][element] ^= np.uint16(1 << (source - GAIN_SPACE))
    else:
        s["tokens"][source - GAIN_SEAT, element] -= 1


@kernel
def _finish_summon(s: Record, seat: int) -> None:
    """Animal Token and years (R12), then the action is done."""
    if s["cooperative"] == 0:
        animal = np.uint16(1 << integer(ANIMAL[integer(s["card"])]))
        if s["animals"][seat] & animal:
            years = 0
            for element in range(5):
                years += s["tokens"][seat, element]
        else:
            for other in range(integer(s["seats"])):
                s["animals"][other] &= ~animal
            s["animals"][seat] |= animal
            years = popcount(s["animals"][seat])
        s["years"][seat] += years
    _clear_pending(s)
    _finish_action(s, seat)


@kernel
def _finish_action(s: Record, seat: int) -> None:
    s["actions_left"] -= 1
    s["played"] += 1
    s["phase"] = ACTION
    if s["cooperative"]:
        if _cooperative_end(s):
            s["phase"] = OVER
            return
    elif s["trigger"] < 0:
        if s["dealt"] == 60:
            s["trigger"] = seat
            s["trigger_reason"] = TRIGGER_DECK
        elif s["years"][seat] >= YEARS_TO_END:
            s["trigger"] = seat
            s["trigger_reason"] = TRIGGER_YEARS
    if s["actions_left"] == 0:
        excess = s["hand_size"][seat] - HAND_LIMIT
        if excess > 0:
            s["phase"] = DISCARD
            s["due"] = excess
        else:
            _end_turn(s, seat)


@kernel
def _end_turn(s: Record, seat: int) -> None:
    following = seat + 1
    if following == s["seats"]:
        following = 0
    if following == s["trigger"]:
        s["phase"] = OVER
        for each in range(integer(s["seats"])):
            s["years"][each] += final_years(s, each)
        return
    s["turn"] = following
    s["turns"] += 1
    s["actions_left"] = 2
    s["phase"] = ACTION


@kernel
def matching_cards(s: Record, seat: int) -> int:
    """How many cards of a hand belong to Animal Tokens that the seat controls (R14)."""
    n = 0
    animals = integer(s["animals"][seat])
    while animals:
        n += popcount(s["hands"][seat] & ANIMAL_CARDS[lowest(animals)])
        animals &= animals - 1
    return n


@kernel
def final_years(s: Record, seat: int) -> int:
    """What final scoring adds for a seat (R14)."""
    years = matching_cards(s, seat)
    for element in range(5):
        years += s["tokens"][seat, element]
    return years


@kernel
def winners(s: Record) -> int:
    """The seats that win on the years they have now, as a bit mask: ties by R15."""
    best = s["years"][0]
    tied = 1
    for seat in range(1, integer(s["seats"])):
        if s["years"][seat] > best:
            best = s["years"][seat]
            tied = 1 << seat
        elif s["years"][seat] == best:
            tied |= 1 << seat
    if tied & (tied - 1):
        for back in range(12):
            animal = (s["year_animal"] + 12 - back) % 12
            for seat in range(integer(s["seats"])):
                if (tied >> seat) & 1 and (integer(s["animals"][seat]) >> animal) & 1:
                    return 1 << seat
    return tied


@kernel
def ascended(s: Record) -> int:
    """The fully ascended animals (R18) as a bit mask."""
    return integer(s["placed"] >> RANK_FIVE)


@kernel
def unseen_cards(s: Record) -> Mask:
    """The cards that an observation does not show: those of the deck and of hidden hands."""
    seen = s["discards"] | s["placed"]
    for seat in range(4):
        seen |= s["hands"][seat]
    for place in range(8):
        if s["stream"][place] >= 0:
            seen |= card_bit(s["stream"][place])
    if s["card"] >= 0:
        seen |= card_bit(s["card"])
    unseen: Mask = ALL_CARDS & ~seen
    return unseen


@kernel
def stream_size(s: Record) -> int:
    n = 0
    for place in range(8):
        if s["stream"][place] >= 0:
            n += 1
    return n


@kernel
def _cooperative_end(s: Record) -> bool:
    """R19: the Stream has run out, or all twelve are fully ascended."""
    return ascended(s) == ALL_SPACES or (s["dealt"] == 60 and stream_size(s) == 0)


@kernel
def score(s: Record) -> int:
    """The co-operative score if the game ended now (R20)."""
    done = ascended(s)
    if s["family"]:
        return popcount(done)
    points = 0
    if done == ALL_SPACES:
        points = 60 - s["dealt"] + stream_size(s)
    while done:
        points += popcount(s["placed"] & ANIMAL_CARDS[lowest(done)])
        done &= done - 1
    return points


@kernel
def play_randomly(s: Record, rng: Words, steps: Steps) -> None:
    """Plays a game to its end by uniformly random legal steps; `steps` is scratch as for `legal_steps`."""
    while s["phase"] != OVER:
        apply_step(s, steps[random_below(rng, legal_steps(s, steps))])
