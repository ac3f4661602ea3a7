"""Stem & Branch as a game of OpenSpiel: import this module, then `pyspiel.load_game("python_stem_branch")`.

`python_stem_branch` is the competitive game (players 2-4). Every seat stakes 1 and the winners share the
stakes: with two players a win returns 1, a tie 0, a loss -1. `python_stem_branch_coop` is the co-operative
one (players 1-4), where every seat's return is the score. Parameters are the arguments of `engine.Game.new`.

Actions are the engine's steps (`engine.state`). Chance acts only before the first of them: it names the first
seat, the elements of the Element Tokens on the board, then the sixty cards of the deck in order.
"""

import random
from typing import Any, cast

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ai.determinization import deal_unseen, list_unseen
from engine import (
    CARD_NAMES,
    DEFAULT_BOARD,
    DEFAULT_OPTIONS,
    ELEMENTS,
    OPTION_CHOICES,
    SEAT_COUNTS,
    Game,
    observe,
)
from engine.kernel import apply_step, begin, legal_steps, random_below, score, winners
from engine.state import (
    CARD,
    DRAW_DECK,
    DRAW_STREAM,
    GAIN_SEAT,
    GAIN_SPACE,
    GAIN_SUPPLY,
    MAX_LEGAL,
    MOVE,
    OVER,
    PASS,
    PAY_TOKENS,
    SPACE,
    STEPS,
    Record,
    States,
)

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)
CARDS = len(CARD_NAMES)
LONGEST = 512  # steps: no game has more
# A state's log has four bytes a step: who played which, the card drawn from the deck, and the card that
# refilled the Stream.
SEAT, STEP, DRAWN, REFILL = range(4)
NONE = 255
_steps = np.zeros(MAX_LEGAL, np.int16)


def game_type(mode: str) -> pyspiel.GameType:
    """What OpenSpiel is told about a mode."""
    competitive = mode == "competitive"
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="python_stem_branch" if competitive else "python_stem_branch_coop",
        long_name="Stem & Branch" if competitive else "Stem & Branch, co-operative",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if competitive else utility.IDENTICAL,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(SEAT_COUNTS[mode]),
        min_num_players=min(SEAT_COUNTS[mode]),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": 2,
            "board": DEFAULT_BOARD,
            **({"year_animal": "mouse"} if competitive else DEFAULT_OPTIONS),
        },
    )


class CompetitiveGame(pyspiel.Game):  # type: ignore[misc]
    """One set-up of the game. Raises BadSetup for parameters that the rules do not know."""

    mode = "competitive"

    def __init__(self, params: dict[str, Any]) -> None:
        competitive = self.mode == "competitive"
        seats = params["players"]
        dealt = Game.new(
            self.mode,
            seats,
            seed=0,
            board=params["board"],
            options=None if competitive else {name: params[name] for name in OPTION_CHOICES},
            **({"year_animal": params["year_animal"]} if competitive else {}),
        )
        self.blank = dealt.observe(0)  # vines, seats and options; `begin` sets all else
        self.tokens = len(dealt.header()["setup"]["tokens"])
        self.token_spaces = np.array(dealt.board.token_spaces, np.int8)
        info = pyspiel.GameInfo(
            num_distinct_actions=STEPS,
            max_chance_outcomes=CARDS,
            num_players=seats,
            min_utility=-1.0 if competitive else 0.0,
            max_utility=seats - 1.0 if competitive else float(CARDS),
            **({"utility_sum": 0.0} if competitive else {}),
            max_game_length=LONGEST,
        )
        super().__init__(TYPES[self.mode], info, params)

    def new_initial_state(self) -> "StemBranchState":
        """A game before its deal."""
        return StemBranchState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The first seat, the tokens and the cards."""
        return 1 + self.tokens + CARDS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What a seat sees, as a tensor and a string."""
        if params:
            raise ValueError(f"an observer takes no parameters: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(kind, self.num_players())


class CooperativeGame(CompetitiveGame):
    """One set-up of the co-operative game."""

    mode = "cooperative"


class StemBranchState(pyspiel.State):  # type: ignore[misc]
    """A state. Its attributes are few and flat, since OpenSpiel clones by deep copies."""

    def __init__(self, game: CompetitiveGame) -> None:
        super().__init__(game)
        self.states: States = game.blank.copy()
        self.deal = b""  # what chance has said so far
        self.log = b""
        self.player = CHANCE

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or for the end."""
        return self.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """First seats, elements or cards that may come next, with their probabilities."""
        game = cast(CompetitiveGame, self.get_game())
        told = len(self.deal)
        if told == 0:
            seats = game.num_players()
            return [(seat, 1 / seats) for seat in range(seats)]
        if told <= game.tokens:
            left = [2 - self.deal.count(element, 1) for element in range(len(ELEMENTS))]
            return [(element, count / sum(left)) for element, count in enumerate(left) if count]
        cards = sorted(set(range(CARDS)) - set(self.deal[1 + game.tokens :]))
        return [(card, 1 / len(cards)) for card in cards]

    def _legal_actions(self, _player: int) -> list[int]:
        steps: list[int] = _steps[: legal_steps(self.states[0], _steps)].tolist()
        return steps

    def _apply_action(self, action: int) -> None:
        if self.player == CHANCE:
            self.deal += bytes((action,))
            game = cast(CompetitiveGame, self.get_game())
            if len(self.deal) == 1 + game.tokens + CARDS:
                self._begin(game)
            return
        s = self.states[0]
        drawn = refill = NONE
        if action <= DRAW_DECK and s["dealt"] < CARDS:
            # What a draw takes from the deck goes to the hand, or to the place in the Stream that it empties.
            card = int(s["deck"][s["dealt"]])
            drawn, refill = (card, NONE) if action == DRAW_DECK else (NONE, card)
        self.log += bytes((self.player, action, drawn, refill))
        apply_step(s, action)
        self.player = TERMINAL if s["phase"] == OVER else int(s["turn"])

    def _begin(self, game: CompetitiveGame) -> None:
        told = np.frombuffer(self.deal, np.int8)
        s = self.states[0]
        s["deck"] = told[1 + game.tokens :]
        begin(s, int(told[0]), game.token_spaces, told[1 : 1 + game.tokens].copy())
        self.player = int(s["turn"])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            told = len(self.deal)
            if told == 0:
                return f"first seat {action}"
            game = cast(CompetitiveGame, self.get_game())
            return f"token {ELEMENTS[action]}" if told <= game.tokens else f"deal {CARD_NAMES[action]}"
        return step_name(action)

    def returns(self) -> list[float]:
        """Every seat's share in the win, or the score; zeros before the end."""
        if self.player != TERMINAL:
            return [0.0] * self.num_players()
        return returns_of(self.states[0])

    def __str__(self) -> str:
        pairs = zip(self.log[::4], self.log[1::4], strict=True)
        steps = ", ".join(f"{seat}: {step_name(step)}" for seat, step in pairs)
        return f"deal {self.deal.hex()}; {steps}"


def step_name(step: int) -> str:
    """A step in words."""
    if step < DRAW_DECK:
        return f"draw from place {step - DRAW_STREAM}"
    named = {
        DRAW_DECK: "draw from the deck",
        PASS: "pass",
        PAY_TOKENS: "tokens",
        GAIN_SUPPLY: "gain from supply",
    }
    if step in named:
        return named[step]
    if step < SPACE:
        return CARD_NAMES[step - CARD]
    if step < PAY_TOKENS:
        return f"on space {step - SPACE}"
    if step < GAIN_SPACE:
        return f"gain from seat {step - GAIN_SEAT}"
    if step < GAIN_SUPPLY:
        return f"gain from space {step - GAIN_SPACE}"
    return "move from space {} to {}".format(*divmod(step - MOVE, 12))


def returns_of(s: Record) -> list[float]:
    """The returns of a finished game."""
    seats = int(s["seats"])
    if s["cooperative"]:
        return [float(score(s))] * seats
    won = int(winners(s))
    return [(won >> seat & 1) * seats / won.bit_count() - 1.0 for seat in range(seats)]


def seen_log(state: StemBranchState, player: int) -> NDArray[np.uint8]:
    """The log, shape (steps, 4), with NONE for each card that others drew unseen."""
    log = np.frombuffer(state.log, np.uint8).reshape(-1, 4).copy()
    if not state.states[0]["open_hands"]:
        log[log[:, SEAT] != player, DRAWN] = NONE
    return log


def seen_deal(state: StemBranchState, player: int) -> bytes:
    """Of the deal, what a seat saw: the first seat, the tokens, its four cards (all where hands are open),
    the Stream."""
    start = len(state.deal) - CARDS
    if start < 1:
        return b""
    cards = state.deal[start:]
    seats = int(state.states[0]["seats"])
    hand = cards[: 4 * seats] if state.states[0]["open_hands"] else cards[4 * player : 4 * player + 4]
    return state.deal[:start] + hand + cards[4 * seats : 4 * seats + 8]


class Observer:
    """OpenSpiel's observer: `tensor` is flat, `dict` holds its named parts as views.

    With perfect recall they tell all that the seat has seen since the deal, without it what lies on the table
    and in its hand now. Numbers are counts, or 0 and 1.
    """

    def __init__(self, kind: Any, players: int) -> None:
        self.perfect_recall = kind.perfect_recall
        self.public = kind.public_info
        self.private = kind.private_info
        shapes: dict[str, tuple[int, ...]] = {"player": (players,)}
        if self.private != pyspiel.PrivateInfoType.NONE:
            shapes["hands"] = (players, CARDS)
        if self.public:
            shapes |= {
                "turn": (players,),
                "phase": (OVER + 1,),
                "numbers": (6,),  # deck, actions left, due, next card + 1, moved, seat of the trigger + 1
                "card": (CARDS,),
                "space": (12,),
                "covered": (5,),
                "known": (players, CARDS),
                "hand_size": (players,),
                "years": (players,),
                "animals": (players, 12),
                "tokens": (players, 5),
                "supply": (5,),
                "tokens_on": (5, 12),
                "stream": (8, CARDS),
                "top": (12, CARDS),
                "placed": (CARDS,),
                "discards": (CARDS,),
            }
        if self.perfect_recall:
            # What `seen_deal` and `seen_log` give, plus one, 0 standing for nothing.
            shapes |= {"deal": (1 + 10 + 4 * players + 8,), "log": (LONGEST, 4)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        ends = np.cumsum(sizes)
        self.dict = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), np.split(self.tensor, ends[:-1]), strict=True)
        }

    def set_from(self, state: StemBranchState, player: int) -> None:
        """Fills the tensor with what `player` sees of `state`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state.player == CHANCE:
            return
        s = state.states[0]
        parts = self.dict
        players = len(parts["player"])
        if "hands" in parts:
            everything = self.private == pyspiel.PrivateInfoType.ALL_PLAYERS
            seen = s if everything else observe(state.states, player)[0]
            parts["hands"][:] = [_bits(seen["hands"][seat], CARDS) for seat in range(players)]
        if self.public:
            self._set_public(s, players)
        if self.perfect_recall:
            deal, log = seen_deal(state, player), seen_log(state, player)
            parts["deal"][: len(deal)] = np.frombuffer(deal, np.uint8) + 1
            parts["log"][: len(log)] = log + np.uint8(1)

    def _set_public(self, s: Record, players: int) -> None:
        parts = self.dict
        parts["turn"][s["turn"]] = 1
        parts["phase"][s["phase"]] = 1
        parts["numbers"][:] = (
            CARDS - s["dealt"],
            s["actions_left"],
            s["due"],
            s["next_card"] + 1,
            s["moved"],
            s["trigger"] + 1,
        )
        for name in ("card", "space", "covered"):
            if s[name] >= 0:
                parts[name][s[name]] = 1
        for name in ("hand_size", "years", "tokens"):
            parts[name][:] = s[name][:players]
        parts["supply"][:] = s["supply"]
        parts["known"][:] = [_bits(s["known"][seat], CARDS) for seat in range(players)]
        parts["animals"][:] = [_bits(s["animals"][seat], 12) for seat in range(players)]
        parts["tokens_on"][:] = [_bits(s["tokens_on"][element], 12) for element in range(5)]
        for name in ("stream", "top"):
            for place, card in enumerate(s[name].tolist()):
                if card >= 0:
                    parts[name][place, card] = 1
        for name in ("placed", "discards"):
            parts[name][:] = _bits(s[name], CARDS)

    def string_from(self, state: StemBranchState, player: int) -> str:
        """Equal strings mean that `player` sees the same."""
        if self.perfect_recall and self.public and self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return f"{player} {seen_deal(state, player).hex()} {seen_log(state, player).tobytes().hex()}"
        self.set_from(state, player)
        filled = np.flatnonzero(self.tensor)
        return " ".join(f"{place}:{self.tensor[place]:g}" for place in filled)


def _bits(mask: Any, length: int) -> NDArray[np.uint8]:
    return np.unpackbits(np.array([mask], "<u8").view(np.uint8), count=length, bitorder="little")


class Resampler:
    """Deals afresh what a seat cannot see: what `ISMCTSBot.set_resampler` takes.

    The seat cannot tell a resampled state from the true one, nor does it depend on anything hidden from the
    seat. Its history in OpenSpiel's sense is empty.
    """

    def __init__(self, seed: int) -> None:
        self.rng = np.array([random.Random(seed).getrandbits(63) | 1], np.uint64)
        random_below(self.rng, 2)
        self.pool = np.zeros(CARDS, np.int8)
        self.planned: tuple[object, ...] = ()

    def __call__(self, state: StemBranchState, player: int) -> StemBranchState:
        """A state of the same information set."""
        planned = (state.deal, state.log, player)
        if self.planned != planned:
            self._plan(state, player)
            self.planned = planned
        sampled = cast(CompetitiveGame, state.get_game()).new_initial_state()
        sampled.states[0] = self.observed[0]
        deal_unseen(sampled.states[0], self.pool, self.unseen, self.rng)
        deck, log = self.deck, self.log
        # `deal_unseen` leaves the cards in the order in which it dealt them: hands by seat, then the deck.
        deck[self.places] = self.pool[: self.unseen]
        log[self.draws, DRAWN] = deck[self.draw_places]
        sampled.states[0]["deck"] = deck
        sampled.deal = self.told + deck.tobytes()
        sampled.log = log.tobytes()
        sampled.player = state.player
        return sampled

    def _plan(self, state: StemBranchState, player: int) -> None:
        """Finds the places in the deck whose cards are free, from what the seat has seen alone.

        Which of its unseen cards another seat had before it showed one is not known: it counts as the oldest.
        """
        self.observed = observe(state.states, player)
        self.unseen = int(list_unseen(self.observed[0], self.pool))
        self.told = state.deal[:-CARDS]
        self.deck = np.frombuffer(state.deal[-CARDS:], np.int8).copy()
        self.log = seen_log(state, player)
        s = self.observed[0]
        seats = int(s["seats"])
        hidden = [list(range(4 * seat, 4 * seat + 4)) for seat in range(seats)]
        shown: list[set[int]] = [set() for _ in range(seats)]
        stream = self.deck[4 * seats : 4 * seats + 8].tolist()
        dealt = 4 * seats + 8
        draws: list[tuple[int, int]] = []
        for row, (seat, step, _, refill) in enumerate(self.log.tolist()):
            if step < DRAW_DECK:
                shown[seat].add(stream[step])
                stream[step] = refill
                dealt += refill != NONE
            elif step == DRAW_DECK:
                hidden[seat].append(dealt)
                draws.append((row, dealt))
                dealt += 1
            elif CARD <= step < SPACE:
                card = step - CARD
                if card in shown[seat]:
                    shown[seat].remove(card)
                elif seat != player and not s["open_hands"]:
                    self.deck[hidden[seat].pop(0)] = card
        others = [] if s["open_hands"] else [seat for seat in range(seats) if seat != player]
        free = [place for seat in others for place in hidden[seat]]
        self.places = np.array([*free, *range(dealt, CARDS)], np.int64)
        self.draws = np.array([row for row, _ in draws], np.int64)
        self.draw_places = np.array([place for _, place in draws], np.int64)


TYPES = {mode: game_type(mode) for mode in SEAT_COUNTS}
for _game in (CompetitiveGame, CooperativeGame):
    pyspiel.register_game(TYPES[_game.mode], _game)
