"""A second engine for the tests: the rules read aloud in sets and lists, for clarity and not for speed.

It shares no code with `engine/` and knows nothing but the record it is given (GAME_RECORD.md): even the
board is the record's own. Legality has one definition, `legal_actions()`; `apply()` plays what is in that
list and refuses the rest. The rule numbers are those of the rules document.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations
from typing import Any

Json = dict[str, Any]

ANIMALS = "mouse buffalo tiger cat dragon snake horse goat monkey rooster dog pig".split()
ELEMENTS = "wood fire earth metal water".split()
CARDS = [f"{ELEMENTS[year % 10 // 2]}-{ANIMALS[year % 12]}" for year in range(60)]  # R1
RANK = {card: year // 12 + 1 for year, card in enumerate(CARDS)}  # R1
SPACES = range(12)  # R2
HAND_LIMIT = 7  # R9
GOAL_YEARS = 60  # R13
RANK_NAMES = {  # R21: the least score of each name
    55: "master",
    46: "expert",
    38: "strong",
    29: "good",
    21: "average",
    12: "apprentice",
    1: "beginner",
}


def element(card: str) -> str:
    return card.split("-")[0]


def animal(card: str) -> str:
    return card.split("-")[1]


class Refused(Exception):
    """The action is not among the legal ones; nothing has changed."""


class Reference:
    """One game, whole and open: every attribute is the table as the players would find it.

    hands        per seat, the set of cards held; `known` the part of it that came from the Stream (R22)
    deck         list, the top first; `stream` eight places, None where empty; `discards` a set
    stacks       per space, the cards from bottom to top; `space_tokens` per space an element or None
    supply       list of elements beside the board; `seat_tokens` per seat a list of elements
    owner        per animal the seat that holds its token, or None (competitive, R12)
    years        per seat; after the end with the final scoring in them, whose rows are `scoring` (R14)
    last_round   None or {"seat", "reason"} once R13 has come about
    """

    def __init__(self, record: Json) -> None:
        setup = record["setup"]
        seats = len(record["seats"])
        self.competitive: bool = record["mode"] == "competitive"
        self.options: Json = record["options"]
        self.year_animal: str = record["year_animal"]
        self.neighbours: list[set[int]] = [set() for _ in SPACES]  # R2
        for one, other in record["board"]["vines"]:
            self.neighbours[one].add(other)
            self.neighbours[other].add(one)

        cards: list[str] = list(setup["deck"])  # R5: four to each seat, then the Stream
        self.hands: list[set[str]] = [{cards.pop(0) for _ in range(4)} for _ in range(seats)]
        self.stream: list[str | None] = [cards.pop(0) for _ in range(8)]
        self.deck: list[str] = cards
        self.discards: set[str] = set()
        self.known: list[set[str]] = [set() for _ in range(seats)]
        self.stacks: list[list[str]] = [[] for _ in SPACES]
        self.space_tokens: list[str | None] = [None for _ in SPACES]  # R3
        if setup["tokens"]:
            for space, token in zip(record["board"]["token_spaces"], setup["tokens"], strict=True):
                self.space_tokens[space] = token
        self.supply: list[str] = []
        self.seat_tokens: list[list[str]] = [[] for _ in range(seats)]
        self.owner: dict[str, int | None] = dict.fromkeys(ANIMALS)
        self.years: list[int] = [0] * seats

        self.seat: int = setup["first_seat"]
        self.actions_left = 2  # R7
        self.discarding = False
        self.turn = 1
        self.actions_played = 0
        self.last_round: Json | None = None
        self.over = False
        self.scoring: list[Json] | None = None
        self._legal: list[Json] | None = None

    # --- reading the table ---

    @property
    def seat_to_act(self) -> int | None:
        return None if self.over else self.seat

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        return "discard" if self.discarding else "action"

    @property
    def ascended(self) -> list[str]:
        """R18: the animals whose rank 5 lies on the board, in co-operation alone."""
        if self.competitive:
            return []
        return [name for name in ANIMALS if (top := self.top_of(name)) is not None and RANK[top] == 5]

    def top_of(self, name: str) -> str | None:
        """The visible card of this animal, if it is on the board."""
        space = self.space_of(name)
        return None if space is None else self.stacks[space][-1]

    def space_of(self, name: str) -> int | None:
        for space in SPACES:
            if self.stacks[space] and animal(self.stacks[space][-1]) == name:
                return space
        return None

    def sharing(self, card: str, space: int) -> list[int]:
        """R10b: the spaces joined to this one that show the card's element."""
        return [
            near
            for near in sorted(self.neighbours[space])
            if self.stacks[near] and element(self.stacks[near][-1]) == element(card)
        ]

    def cost(self, card: str, space: int) -> int:
        """R10b."""
        under = self.stacks[space][-1] if self.stacks[space] else None
        discount = (RANK[under] if under else 0) + len(self.sharing(card, space))
        return max(0, RANK[card] - discount)

    # --- what may be done ---

    def legal_actions(self) -> list[Json]:
        """Every complete action of the seat to act, in the record's form, `cards` sorted by name."""
        if self._legal is None:
            self._legal = list(self._list_actions())
        return self._legal

    def _list_actions(self) -> Iterator[Json]:
        if self.over:
            return
        if self.discarding:  # R9
            too_many = len(self.hands[self.seat]) - HAND_LIMIT
            for cards in combinations(sorted(self.hands[self.seat]), too_many):
                yield {"seat": self.seat, "type": "discard", "cards": list(cards)}
            return
        possible = [*self._draws(), *self._summons()]
        yield from possible or [{"seat": self.seat, "type": "pass"}]  # R7

    def _draws(self) -> Iterator[Json]:
        """R8."""
        if self.deck:
            yield {"seat": self.seat, "type": "draw", "source": "deck"}
        for place, card in enumerate(self.stream):
            if card is not None:
                yield {"seat": self.seat, "type": "draw", "source": place}

    def _summons(self) -> Iterator[Json]:
        """R10-R11 and R17: first the move, if any, then everything else on the table it leaves behind."""
        for move in self._moves():
            table = self if move is None else self._after(move)
            for card in sorted(self.hands[self.seat]):
                for space in table._spaces_for(card):
                    if move is not None and not self._move_fits(move, card, space):
                        continue
                    for payment in table._payments(card, table.cost(card, space)):
                        for gain in table._gains(space):
                            yield {
                                "seat": self.seat,
                                "type": "summon",
                                "card": card,
                                "space": space,
                                "move": move,
                                "pay": payment,
                                "gain": gain,
                            }

    def _moves(self) -> Iterator[Json | None]:
        """R17: no move, or one stack along a vine to an empty space; R18: not one that is fully ascended."""
        yield None
        if self.competitive:
            return
        for start in SPACES:
            if self.stacks[start] and RANK[self.stacks[start][-1]] < 5:
                for end in sorted(self.neighbours[start]):
                    if not self.stacks[end]:
                        yield {"from": start, "to": end}

    def _move_fits(self, move: Json, card: str, space: int) -> bool:
        """R17, option `move`: "vacated" asks for a first of its animal on the space just left."""
        if self.options["move"] == "any":
            return True
        return self.space_of(animal(card)) is None and space == move["from"]

    def _after(self, move: Json) -> Reference:
        table = self.copy()
        table._move(move)
        return table

    def _spaces_for(self, card: str) -> list[int]:
        """R10a."""
        space = self.space_of(animal(card))
        if space is None:
            return [empty for empty in SPACES if not self.stacks[empty]]
        return [space] if RANK[card] > RANK[self.stacks[space][-1]] else []

    def _payments(self, card: str, cost: int) -> Iterator[Json]:
        """R10c: exactly the cost, in matching cards other than itself and in own tokens of its element."""
        matching = [
            other
            for other in sorted(self.hands[self.seat])
            if other != card and (element(other) == element(card) or animal(other) == animal(card))
        ]
        own_tokens = self.seat_tokens[self.seat].count(element(card))
        for tokens in range(min(own_tokens, cost) + 1):
            for cards in combinations(matching, cost - tokens):
                yield {"cards": list(cards), "tokens": tokens}

    def _gains(self, space: int) -> list[Json | None]:
        """R11: whence the covered card's token may come; `[None]` where there is none to gain.

        Paying cannot change this: an animal has each element once, so what was paid is another element.
        """
        if not self.stacks[space]:
            return [None]
        wanted = element(self.stacks[space][-1])
        if self.seat_tokens[self.seat].count(wanted) == 2:
            return [None]
        sources: list[Json | None] = []
        if wanted in self.supply:
            sources.append({"from": "supply"})
        sources += [{"from": "space", "space": at} for at in SPACES if self.space_tokens[at] == wanted]
        if not sources:
            others = [seat for seat in range(len(self.hands)) if seat != self.seat]
            sources += [{"from": "seat", "seat": seat} for seat in others if wanted in self.seat_tokens[seat]]
        return sources or [None]

    # --- doing it ---

    def apply(self, action: Json) -> Json:
        """Play the action and return what came of it; `Refused` unless it is legal."""
        if _sorted(action) not in self.legal_actions():
            raise Refused(action)
        self._legal = None
        self.actions_played += 1
        outcome: Json = {
            "drawn": None,
            "hidden": False,
            "refill": None,
            "cost": None,
            "covered": None,
            "gained": [],
            "animal_token": None,
            "ascended": None,
            "years": 0,
            "turn_over": False,
            "last_round": None,
            "over": False,
        }
        if action["type"] == "discard":  # R9; not one of the two actions
            for card in action["cards"]:
                self._discard(card)
            self._end_turn(outcome)
            return outcome
        if action["type"] == "draw":
            self._draw(action["source"], outcome)
        elif action["type"] == "summon":
            self._summon(action, outcome)
        self.actions_left -= 1
        self._after_action(outcome)
        return outcome

    def _draw(self, source: str | int, outcome: Json) -> None:
        """R8."""
        if isinstance(source, str):
            card = self.deck.pop(0)
            outcome["hidden"] = True
        else:
            taken = self.stream[source]
            assert taken is not None
            card = taken
            self.known[self.seat].add(card)
            self.stream[source] = self.deck.pop(0) if self.deck else None
            outcome["refill"] = self.stream[source]
        self.hands[self.seat].add(card)
        outcome["drawn"] = card

    def _summon(self, action: Json, outcome: Json) -> None:
        """R10d: move, pay, place, the space's token, the ascension token, the Animal Token and years."""
        card, space, gained = action["card"], action["space"], outcome["gained"]
        if action["move"] is not None:
            gained += self._move(action["move"])
        outcome["cost"] = self.cost(card, space)

        for paid in action["pay"]["cards"]:
            self._discard(paid)
        for _ in range(action["pay"]["tokens"]):
            self.seat_tokens[self.seat].remove(element(card))
            self.supply.append(element(card))

        covered = self.stacks[space][-1] if self.stacks[space] else None
        outcome["covered"] = covered
        self._leave_hand(card)
        self.stacks[space].append(card)
        gained += self._take_space_token(space, "space")

        if action["gain"] is not None:
            assert covered is not None
            self._take_gain(element(covered), action["gain"])
            gained.append({"element": element(covered), "by": "ascension", "from": action["gain"]})

        if self.competitive:
            self._count_years(animal(card), outcome)
        elif RANK[card] == 5:
            outcome["ascended"] = animal(card)  # R18

    def _move(self, move: Json) -> list[Json]:
        """R17; the token covered at the new place is gained at once."""
        self.stacks[move["to"]] = self.stacks[move["from"]]
        self.stacks[move["from"]] = []
        return self._take_space_token(move["to"], "move")

    def _take_space_token(self, space: int, by: str) -> list[Json]:
        token = self.space_tokens[space]
        if token is None:
            return []
        self.space_tokens[space] = None
        self.seat_tokens[self.seat].append(token)
        return [{"element": token, "by": by, "from": {"from": "space", "space": space}}]

    def _take_gain(self, token: str, gain: Json) -> None:
        """R11."""
        if gain["from"] == "supply":
            self.supply.remove(token)
        elif gain["from"] == "space":
            self.space_tokens[gain["space"]] = None
        else:
            self.seat_tokens[gain["seat"]].remove(token)
        self.seat_tokens[self.seat].append(token)

    def _count_years(self, name: str, outcome: Json) -> None:
        """R12."""
        if self.owner[name] == self.seat:
            years = len(self.seat_tokens[self.seat])
        else:
            outcome["animal_token"] = {"animal": name, "from": self.owner[name]}
            self.owner[name] = self.seat
            years = list(self.owner.values()).count(self.seat)
        self.years[self.seat] += years
        outcome["years"] = years

    def _leave_hand(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.known[self.seat].discard(card)

    def _discard(self, card: str) -> None:
        self._leave_hand(card)
        self.discards.add(card)

    def _after_action(self, outcome: Json) -> None:
        if self.competitive:
            if self.last_round is None:  # R13: the first trigger counts
                reason = None
                if max(self.years) >= GOAL_YEARS:
                    reason = "years"
                elif not self.deck:
                    reason = "deck"
                if reason is not None:
                    self.last_round = {"seat": self.seat, "reason": reason}
                    outcome["last_round"] = reason
        elif len(self.ascended) == 12 or not any(self.stream):  # R19: at once
            self._end_game(outcome)
            return
        if self.actions_left == 0:
            if len(self.hands[self.seat]) > HAND_LIMIT:  # R9
                self.discarding = True
            else:
                self._end_turn(outcome)

    def _end_turn(self, outcome: Json) -> None:
        outcome["turn_over"] = True
        self.discarding = False
        following = (self.seat + 1) % len(self.hands)  # R4: clockwise
        if self.last_round is not None and following == self.last_round["seat"]:  # R13
            self._end_game(outcome)
            return
        self.seat = following
        self.actions_left = 2
        self.turn += 1

    def _end_game(self, outcome: Json) -> None:
        self.over = True
        self.actions_left = 0
        if self.competitive:
            self.scoring = self._final_scoring()
            self.years = [row["total"] for row in self.scoring]
        outcome["turn_over"] = True
        outcome["over"] = True

    # --- the end ---

    def _final_scoring(self) -> list[Json]:
        """R14, per seat."""
        rows: list[Json] = []
        for seat, hand in enumerate(self.hands):
            tokens = len(self.seat_tokens[seat])
            cards = sum(self.owner[animal(card)] == seat for card in hand)
            rows.append(
                {
                    "seat": seat,
                    "years": self.years[seat],
                    "element_tokens": tokens,
                    "matching_cards": cards,
                    "total": self.years[seat] + tokens + cards,
                }
            )
        return rows

    def winners(self) -> list[int]:
        """R15: ties go to the holder of the year's animal, else the year before's, and so on round."""
        tied = [seat for seat, years in enumerate(self.years) if years == max(self.years)]
        if len(tied) == 1:
            return tied
        year = ANIMALS.index(self.year_animal)
        for back in range(12):
            holder = self.owner[ANIMALS[year - back]]
            if holder in tied:
                return [holder]
        return tied

    def score(self) -> int:
        """R20, if the game ended now."""
        full = self.ascended
        if self.options["scoring"] == "family":
            return len(full)
        points = sum(len(stack) for stack in self.stacks if stack and animal(stack[-1]) in full)
        if len(full) == 12:
            points += len(self.deck) + sum(card is not None for card in self.stream)
        return points

    @property
    def result(self) -> Json | None:
        if not self.over:
            return None
        if self.competitive:
            return {"years": list(self.years), "winners": self.winners()}
        rank = None
        if self.options["scoring"] == "cards":  # R20: family scoring has no name
            rank = next((name for least, name in RANK_NAMES.items() if self.score() >= least), None)
        return {"score": self.score(), "rank": rank, "won": len(self.ascended) == 12}

    # --- what the tests compare ---

    def sees_hand(self, viewer: int | str, seat: int) -> bool:
        """R22, R6: own cards always, everybody's in an open game and after the end."""
        return self.over or viewer == seat or self.options.get("hands") == "open"

    def view(self, viewer: int | str) -> Json:
        """The table as JSON for this viewer; lists without an order of their own are sorted by year."""
        discards_due = len(self.hands[self.seat]) - HAND_LIMIT if self.phase == "discard" else 0
        return {
            "seat_to_act": self.seat_to_act,
            "phase": self.phase,
            "actions_left": self.actions_left,
            "discards_due": discards_due,
            "over": self.over,
            "result": self.result,
            "turn": self.turn,
            "actions_played": self.actions_played,
            "last_round": self.last_round,
            "table": {
                "spaces": [
                    {
                        "space": space,
                        "cards": list(self.stacks[space]),
                        "token": self.space_tokens[space],
                        "ascended": bool(self.stacks[space])
                        and animal(self.stacks[space][-1]) in self.ascended,
                    }
                    for space in SPACES
                ],
                "stream": list(self.stream),
                "deck": len(self.deck),
                "discards": by_year(self.discards),
                "supply": {name: self.supply.count(name) for name in ELEMENTS},
                "animal_tokens": dict(self.owner),
                "ascended": self.ascended,
                "score": None if self.competitive else self.score(),
            },
            "players": [
                {
                    "seat": seat,
                    "years": self.years[seat],
                    "cards": len(hand),
                    "known": by_year(self.known[seat]),
                    "hand": by_year(hand) if self.sees_hand(viewer, seat) else None,
                    "tokens": {name: self.seat_tokens[seat].count(name) for name in ELEMENTS},
                    "animals": [name for name in ANIMALS if self.owner[name] == seat],
                }
                for seat, hand in enumerate(self.hands)
            ],
            "scoring": self.scoring,
        }

    def card_places(self) -> dict[str, list[str]]:
        """Where each of the sixty cards lies; in a sound game every list has one entry."""
        places: dict[str, list[str]] = {card: [] for card in CARDS}
        for seat, hand in enumerate(self.hands):
            for card in hand:
                places[card].append(f"hand {seat}")
        for depth, card in enumerate(self.deck):
            places[card].append(f"deck {depth}")
        for place, shown in enumerate(self.stream):
            if shown is not None:
                places[shown].append(f"stream {place}")
        for card in self.discards:
            places[card].append("discards")
        for space, stack in enumerate(self.stacks):
            for height, card in enumerate(stack):
                places[card].append(f"space {space} height {height}")
        return places

    def token_places(self) -> dict[str, list[str]]:
        """Where the two tokens of each element lie."""
        places: dict[str, list[str]] = {name: [] for name in ELEMENTS}
        for space, token in enumerate(self.space_tokens):
            if token is not None:
                places[token].append(f"space {space}")
        for token in self.supply:
            places[token].append("supply")
        for seat, tokens in enumerate(self.seat_tokens):
            for token in tokens:
                places[token].append(f"seat {seat}")
        return places

    # --- counting ---

    def copy(self) -> Reference:
        other = copy.copy(self)
        other.hands = [set(hand) for hand in self.hands]
        other.known = [set(cards) for cards in self.known]
        other.deck = list(self.deck)
        other.stream = list(self.stream)
        other.discards = set(self.discards)
        other.stacks = [list(stack) for stack in self.stacks]
        other.space_tokens = list(self.space_tokens)
        other.supply = list(self.supply)
        other.seat_tokens = [list(tokens) for tokens in self.seat_tokens]
        other.owner = dict(self.owner)
        other.years = list(self.years)
        other._legal = None
        return other

    def perft(self, depth: int) -> int:
        """How many sequences of exactly `depth` legal actions there are from here."""
        if depth <= 1:
            return len(self.legal_actions()) if depth else 1
        total = 0
        for action in self.legal_actions():
            following = self.copy()
            following._legal = [action]
            following.apply(action)
            total += following.perft(depth - 1)
        return total


def by_year(cards: set[str]) -> list[str]:
    return [card for card in CARDS if card in cards]


def _sorted(action: Json) -> Json:
    """The action with its `cards` in order: the form in which two actions are the same (GAME_RECORD)."""
    if action.get("type") == "discard":
        return {**action, "cards": sorted(action["cards"])}
    if action.get("type") == "summon":
        return {**action, "pay": {**action["pay"], "cards": sorted(action["pay"]["cards"])}}
    return action
