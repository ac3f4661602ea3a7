"""A game of Stem & Branch: the checked front door of the rules."""

import copy
import hashlib
import random
import secrets
from typing import Any, Self

import numpy as np

from engine import actions as notation
from engine import views
from engine.boards import DEFAULT_BOARD, Board, board_from_json, load_board
from engine.cards import ANIMALS, CARD_NAMES, ELEMENTS, card_year
from engine.errors import BadRecord, BadSetup, GameError, IllegalAction
from engine.kernel import apply_step, begin
from engine.placement import Json
from engine.record import (
    FORMAT,
    check_mode,
    check_options,
    check_record,
    check_seats,
    check_year_animal,
    seen_deck,
)
from engine.state import OVER, STATE, States, new_state
from engine.views import Viewer

Action = Json

_LAYOUT = hashlib.sha256(repr(STATE.descr).encode()).digest()[:8]


class Game:
    """One game, from deal to result. Every method either does all it says or raises and changes nothing.

    Seats are numbers from 0; actions and records are JSON in the game record's notation. The engine knows no
    clock: the year's animal (R15) is an argument.
    """

    def __init__(self, header: Json, board: Board, states: States, actions: list[Action] | None) -> None:
        self._header = header
        self._board = board
        self._states = states
        self._actions = actions

    @classmethod
    def new(
        cls,
        mode: str,
        seats: int | list[Json],
        seed: int | None = None,
        board: str = DEFAULT_BOARD,
        options: Json | None = None,
        year_animal: str = ANIMALS[0],
    ) -> Self:
        """A new game, dealt (R3-R6).

        `seats` is their number or a list of `{"name", "player"}`. The same `seed` gives the same deal;
        without one the deal comes from the system's secure generator. Raises BadSetup.
        """
        named = seats if isinstance(seats, list) else _unnamed_seats(seats)
        named = check_seats(named)
        check_mode(mode, len(named))
        all_options = check_options(mode, {} if options is None else options)
        chosen = load_board(board)
        if seed is not None and (type(seed) is not int or seed < 0):
            raise BadSetup("bad-seed")
        generator = secrets.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
        deck = list(CARD_NAMES)
        generator.shuffle(deck)
        tokens = list(ELEMENTS) * 2
        generator.shuffle(tokens)
        header = {
            "format": FORMAT,
            "mode": mode,
            "options": all_options,
            "board": chosen.as_json(),
            "year_animal": check_year_animal(year_animal),
            "seats": named,
            "setup": {
                "first_seat": generator.randrange(len(named)),
                "deck": deck,
                "tokens": tokens if all_options.get("element_tokens", True) else [],
            },
        }
        return cls(header, chosen, _dealt(header, chosen), [])

    @classmethod
    def from_record(cls, record: object) -> Self:
        """The game of a whole record, every action checked by replaying it.

        Raises BadRecord: malformed, of an unknown format, withheld in part, or not replaying (its `params`
        then hold the action's `index` and why it was refused).
        """
        checked, board = check_record(record)
        played, header = checked["actions"], checked["header"]
        ended = header.pop("ended", None)
        game = cls(header, board, _dealt(header, board), [])
        for index, action in enumerate(played):
            try:
                game.apply(action)
            except GameError as problem:
                raise BadRecord(
                    "does-not-replay", index=index, problem=problem.code, details=problem.params
                ) from problem
        if ended is not None:
            if game.over:
                raise BadRecord("malformed-record", part="ended")
            header["ended"] = ended
        if checked["result"] != game.result:
            raise BadRecord("result-differs", expected=game.result)
        return game

    @classmethod
    def restore(cls, header: Json, actions: list[Action] | None, state_bytes: bytes) -> Self:
        """A game from its trusted parts, without replaying.

        `actions` may be None for a reader that needs no log. State bytes of another layout are replaced by a
        replay; BadRecord `other-layout` if there are no actions to replay.
        """
        board = board_from_json(header["board"])
        if state_bytes[:8] == _LAYOUT and len(state_bytes) == 8 + STATE.itemsize:
            states = np.frombuffer(state_bytes[8:], STATE).copy()
            return cls(copy.deepcopy(header), board, states, None if actions is None else list(actions))
        if actions is None:
            raise BadRecord("other-layout")
        game = cls(copy.deepcopy(header), board, _dealt(header, board), [])
        for action in actions:
            game.apply(action)
        return game

    @property
    def mode(self) -> str:
        """`competitive` or `cooperative`."""
        return str(self._header["mode"])

    @property
    def options(self) -> Json:
        """Every option with its value; empty in a competitive game (R6)."""
        return dict(self._header["options"])

    @property
    def board(self) -> Board:
        """The board played on; without coordinates when it came from a record."""
        return self._board

    @property
    def year_animal(self) -> str:
        """The animal that breaks ties first (R15)."""
        return str(self._header["year_animal"])

    @property
    def seats(self) -> list[Json]:
        """Name and player of each seat."""
        return [dict(seat) for seat in self._header["seats"]]

    @property
    def actions(self) -> list[Action]:
        """The actions played, in order. BadRecord `no-log` for a game restored without them."""
        if self._actions is None:
            raise BadRecord("no-log")
        return copy.deepcopy(self._actions)

    @property
    def actions_played(self) -> int:
        """How many actions were played."""
        return int(self._states[0]["played"])

    @property
    def abandoned(self) -> bool:
        """Whether the game was given up before its end."""
        return "ended" in self._header

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.abandoned or bool(self._states[0]["phase"] == OVER)

    @property
    def seat_to_act(self) -> int | None:
        """The seat that acts next; None when the game is over."""
        return None if self.over else int(self._states[0]["turn"])

    @property
    def result(self) -> Json | None:
        """The result in the record's form; None while the game runs, and for one given up."""
        return views.result(self._states[0])

    @property
    def open_hands(self) -> bool:
        """Whether every viewer sees every hand (R6)."""
        return bool(self._states[0]["open_hands"])

    def set_seat(self, seat: int, name: str, player: str) -> None:
        """Gives a seat another holder. Raises BadSetup."""
        if type(seat) is not int or not 0 <= seat < len(self._header["seats"]):
            raise BadSetup("no-such-seat", seat=seat)
        self._header["seats"][seat] = check_seats([{"name": name, "player": player}])[0]

    def abandon(self) -> None:
        """Gives a running game up: it ends without a result."""
        if self.over:
            raise IllegalAction("game-over", "R13")
        self._header["ended"] = "abandoned"

    def legal_actions(self) -> list[Action]:
        """Every complete legal action of the seat to act; empty when the game is over."""
        return [] if self.over else notation.legal_actions(self._states)

    def choices(self) -> Json | None:
        """The legal actions in compact form: per card its spaces, cost with its breakdown, usable cards and
        tokens, gain choices. None when the game is over."""
        return None if self.over else notation.choices(self._states)

    def apply(self, action: object) -> Json:
        """Plays an action and returns its outcome: what was drawn, paid, gained and scored.

        Raises MalformedAction (form) or IllegalAction (rules); the game is then as it was.
        """
        checked = notation.canonical(notation.check_form(action))
        if self.abandoned:
            raise IllegalAction("game-over", "R13")
        steps = notation.steps_of(self._states, checked)
        before = self._states.copy()
        for step in steps:
            apply_step(self._states[0], step)
        if self._actions is not None:
            self._actions.append(copy.deepcopy(checked))
        return views.outcome(before[0], self._states[0], checked)

    def undo(self) -> Action:
        """Takes the last action back and returns it: the earlier ones tell the game anew.

        Whether that is fair, `may_be_undone` says. Raises GameError `nothing-to-undo`.
        """
        actions = self.actions
        if not actions or self.abandoned:
            raise GameError("nothing-to-undo")
        last = actions.pop()
        before = Game(self._header, self._board, _dealt(self._header, self._board), [])
        for action in actions:
            before.apply(action)
        self._states, self._actions = before._states, before._actions
        return last

    @property
    def settings(self) -> Json:
        """What the game is, which no action changes, as JSON for people."""
        return {
            "mode": self.mode,
            "options": self.options,
            "board": self.board.name,
            "year_animal": self.year_animal,
            "seats": [{"seat": index, **seat} for index, seat in enumerate(self.seats)],
        }

    def view(self, viewer: Viewer) -> Json:
        """The table as a seat or a "spectator" may see it (R22), as JSON for people."""
        self._check_viewer(viewer)
        seen = views.view(self._states, viewer)
        if self.abandoned:
            seen.update(seat_to_act=None, over=True, phase="over", actions_left=0, discards_due=0)
        return seen

    def observe(self, seat: int) -> States:
        """The state as a seat knows it, shape (1,): every card that it cannot see is zeroed and its count
        kept. All that a player gets."""
        self._check_viewer(seat)
        return views.observe(self._states, seat)

    def states(self) -> States:
        """A copy of the state, shape (1,), hidden cards included: to learn from, never for a player."""
        return self._states.copy()

    def record(self, viewer: Viewer | None = None) -> Json:
        """The game record: the whole truth, or with `viewer` what a seat or a "spectator" may see of it.

        After the end everybody may see the whole.
        """
        actions = self.actions
        whole = {**self.header(), "actions": actions, "result": self.result}
        if viewer is None or self.over:
            return whole
        self._check_viewer(viewer)
        setup = whole["setup"]
        setup["deck"] = seen_deck(setup["deck"], len(self._header["seats"]), actions, viewer, self.open_hands)
        return {**whole, "viewer": viewer}

    def header(self) -> Json:
        """The record without its actions and result: what the deal fixed, and who holds the seats."""
        return copy.deepcopy(self._header)

    def state_bytes(self) -> bytes:
        """The packed state for `restore`: equal bytes are equal positions."""
        return _LAYOUT + self._states.tobytes()

    def _check_viewer(self, viewer: Viewer) -> None:
        if viewer != "spectator" and not (type(viewer) is int and 0 <= viewer < len(self._header["seats"])):
            raise BadSetup("no-such-viewer", viewer=str(viewer))


def _unnamed_seats(count: Any) -> list[Json]:
    if type(count) is not int or not 0 <= count <= 4:
        raise BadSetup("bad-seat-count", seats=str(count))
    return [{"name": f"Seat {seat}", "player": "human"} for seat in range(count)]


def _dealt(header: Json, board: Board) -> States:
    states = new_state()
    s = states[0]
    options = header["options"]
    s["seats"] = len(header["seats"])
    s["vines"] = board.neighbour_masks()
    s["deck"] = [card_year(name) for name in header["setup"]["deck"]]
    s["cooperative"] = header["mode"] == "cooperative"
    s["family"] = options.get("scoring") == "family"
    s["open_hands"] = options.get("hands") == "open"
    s["any_move"] = options.get("move") == "any"
    s["year_animal"] = ANIMALS.index(header["year_animal"])
    tokens = np.array([ELEMENTS.index(name) for name in header["setup"]["tokens"]], np.int8)
    begin(s, header["setup"]["first_seat"], np.array(board.token_spaces, np.int8), tokens)
    return states
