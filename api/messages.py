"""An English sentence for every code that the API can answer with."""

from typing import Any

MESSAGES = {
    # The request itself
    "bad-json": "The body cannot be read as JSON: {reason}.",
    "bad-fields": "Some fields of the {location} are missing, unknown or wrong; `fields` says which and why.",
    "bad-key": "An Idempotency-Key is 1 to 64 printable ASCII characters.",
    "bad-cursor": "This cursor was not given out by the list; start without one.",
    "bad-request": "The request cannot be understood.",
    "not-json": "The body must be sent as application/json, not compressed.",
    "body-too-large": "The body is larger than this address accepts.",
    "no-token": "This needs a seat's token in the Authorization header: Bearer and the token.",
    "wrong-token": "The token is not valid for this game; its seat may have changed hands.",
    "not-your-seat": "The token belongs to another seat.",
    "not-found": "There is nothing at this address.",
    "no-such-game": "There is no game with this id, or it has expired.",
    "no-such-seat": "The game has no seat of this number.",
    "no-such-position": "The game has not got that far: it has {actions} actions.",
    "method-not-allowed": "This address does not take that method; the Allow header names those it takes.",
    "stale-version": "The game has changed: it is now at version {current_version}. Read it again.",
    "seat-taken": "Somebody already holds this seat.",
    "seat-not-held": "No person holds this seat, so it can be neither left nor replaced.",
    "own-seat": "A seat does not replace itself; it can be left.",
    "not-absent": "This seat's player does not count as absent, or not yet; `absent_at` says from when on.",
    "read-only": "This game was loaded for looking at; nobody may change it.",
    "nothing-to-undo": "There is no action of this turn to take back, or it has shown a hidden card.",
    "action-undone": "The action sent with this Idempotency-Key was played, and then taken back.",
    "hints-off": "This game was made without hints.",
    "no-hint": "Nobody has asked for a hint at this point of the game; post to ask.",
    "no-analysis": "Nobody has asked for the analysis of this game; post to ask.",
    "still-running": "A game is analysed once it is over.",
    "not-admin": "This needs the administrator's token.",
    "no-such-ladder": "There is no ladder with this id, or it has expired.",
    "no-such-match": "The ladder has no such match, or it has not been played yet.",
    "bad-ladder": "There can be no such ladder: {problem}.",
    "ladder-ended": "The ladder has ended; it does not go on.",
    "key-reused": "This Idempotency-Key was already used with another body.",
    "too-many-requests": "That was too often; wait as long as Retry-After says.",
    "too-many-games": "As many games are kept here as there is room for; try again later.",
    "store-unavailable": "The games cannot be reached just now; try again in a moment.",
    "no-workers": "No worker is running, so computer players would not move.",
    "internal-error": "Something went wrong here; what was asked may not have been done.",
    "date-out-of-range": "The almanac knows the days from {first} to {last}.",
    "record-finished": "This game is over; load it as a replay.",
    # Setting a game up, or bringing a record in
    "unknown-mode": "A game is competitive or cooperative.",
    "bad-seat-count": "Two to four players compete; one to four co-operate.",
    "bad-seats": "A seat has a name and a player, both text of at most 64 characters.",
    "no-such-viewer": "The game has no seat of this number.",
    "bad-options": "Options are an object of names and values.",
    "options-not-competitive": "A competitive game has no options.",
    "unknown-option": "There is no option of this name.",
    "bad-option": "The option {option} cannot have this value.",
    "bad-seed": "A seed is a whole number from 0.",
    "bad-board": "The board is malformed: {part}.",
    "unknown-board": "There is no board of this name.",
    "unknown-animal": "The year's animal is none of the twelve.",
    "unknown-player": "There is no computer player named {player}.",
    "malformed-record": "The record is malformed: {part}.",
    "unknown-format": "The record's format is not known here.",
    "withheld-record": "This record was made for one viewer and lacks the hidden cards: it cannot replay.",
    "does-not-replay": "The record does not replay: its action {index} is refused ({problem}).",
    "result-differs": "The record's result is not what its actions lead to.",
    "other-layout": "The game was stored by another version and cannot be read without its actions.",
    "no-log": "The game was read without its actions.",
    # Whose turn it is
    "malformed-action": "The action is malformed at {where}: {problem}.",
    "game-over": "The game is over.",
    "not-your-turn": "It is another seat's turn.",
    "must-discard": "First discard down to seven cards.",
    "discard-not-due": "Discarding comes only after a turn's second action, with more than seven cards.",
    "discard-count": "Exactly as many cards are discarded as the hand holds over seven.",
    "pass-not-allowed": "Passing is allowed only where neither drawing nor summoning is possible.",
    # Drawing and summoning
    "card-not-in-hand": "That card is not in this seat's hand.",
    "stream-place-empty": "That place of the Stream is empty.",
    "deck-empty": "The deck is empty.",
    "rank-not-higher": "This animal already lies on the board with an equal or higher rank.",
    "space-occupied": "Another animal lies on that space.",
    "wrong-space": "This animal already lies on the board: it can only be summoned on top of its lower rank.",
    "payment-amount": "The payment must be exactly the cost.",
    "payment-mismatch": "A card pays only if it has the summoned card's element or animal.",
    "payment-self": "The summoned card cannot pay for itself.",
    "payment-not-in-hand": "A card given as payment is not in this seat's hand.",
    "payment-tokens": "This seat has not so many tokens of that element.",
    # Gaining and moving
    "gain-required": "Covering this card gives an Element Token: say where it comes from.",
    "gain-not-due": "This summon gives no Element Token to choose.",
    "gain-unavailable": "The Element Token is not to be had from there.",
    "gain-not-from-seat": "A token is taken from a player only when none is left on or beside the board.",
    "move-not-allowed": "This game or this summon allows no such move.",
    "move-not-adjacent": "Cards move only along a vine.",
    "move-target-occupied": "Cards move only to an empty space.",
    "move-nothing-there": "There are no cards to move on that space.",
    "move-ascended": "A fully ascended animal does not move.",
    "move-not-vacated": "The cards that move must be those on the space where the new animal is placed.",
}


class _Facts(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "unknown"


def sentence(code: str, params: dict[str, Any]) -> str:
    """The sentence for a code, with its facts filled in."""
    return MESSAGES[code].format_map(_Facts(params))
