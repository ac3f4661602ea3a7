"""What the store refuses. Refusals by the rules are `engine`'s errors and pass through unchanged."""

from __future__ import annotations

from datetime import datetime


class StoreUnreachable(ConnectionError):
    """There is no usable store now; the message is a sentence for the person who runs the program."""


class StoreError(Exception):
    """A request that the store refuses; nothing was changed."""


class NoSuchGame(StoreError):
    """No game has this id, or it has expired."""


class NewerFormat(StoreError):
    """The game was stored by a newer version of this program, which may keep what this one does not know."""


class BadToken(StoreError):
    """The token belongs to no seat of this game (any more)."""


class StaleVersion(StoreError):
    """The game has changed since `expected_version`; `current` is its version now."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the game is at version {current}")
        self.current = current


class KeyReused(StoreError):
    """The idempotency key was used by this seat for another request."""


class ActionUndone(StoreError):
    """The action sent with this idempotency key was applied, and has been taken back since."""


class NothingToUndo(StoreError):
    """The last action ended its turn or showed a hidden card, or there is none."""


class AnothersAction(StoreError):
    """Only the seat that played the last action may take it back."""


class ReadOnly(StoreError):
    """The game was imported for replay: nobody plays it."""


class SeatTaken(StoreError):
    """The seat is not open, so nobody can join it."""


class NoSuchSeat(StoreError):
    """The game has no seat of this number."""


class SeatNotHeld(StoreError):
    """The seat is not a person's, so nobody can leave it."""


class NotAbsent(StoreError):
    """The seat's player does not count as absent before `absent_at` (None: not while nothing changes)."""

    def __init__(self, absent_at: datetime | None) -> None:
        super().__init__(f"absent at {absent_at}")
        self.absent_at = absent_at


class GameOver(StoreError):
    """The game has ended: its seats change hands no more."""


class NotOver(StoreError):
    """The game is still being played: its rematch comes after its end."""


class RematchMade(StoreError):
    """The game has a rematch already: the game `next_game`."""

    def __init__(self, next_game: str) -> None:
        super().__init__(f"the rematch is {next_game}")
        self.next_game = next_game


class HintsOff(StoreError):
    """The game was made without hints."""


class NotToMove(StoreError):
    """Another seat is to move; `seat_to_act` says which."""

    def __init__(self, seat_to_act: int) -> None:
        super().__init__(f"seat {seat_to_act} is to move")
        self.seat_to_act = seat_to_act


class StillRunning(StoreError):
    """The game is not over, so it is not analysed."""


class TooManyGames(StoreError):
    """As many games are kept as there may be; some have to expire first."""


class NoSuchLadder(StoreError):
    """No ladder has this id, or it has expired."""


class LadderEnded(StoreError):
    """The ladder is done or was stopped: it does not go on."""


class UnknownPlayer(StoreError):
    """There is no AI player of this name."""
