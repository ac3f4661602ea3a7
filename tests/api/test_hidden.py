"""What a viewer cannot see changes no byte of what the API answers (R22).

Pairs of games that differ only in what is hidden from one viewer are given the same id, times and version,
and every answer of every address is compared.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from engine import CARD_NAMES, Game, Viewer, may_be_undone
from tests.api.tables import GAMES, HUMANS, Client
from worker import Applied, LogEntry, NothingToUndo, StaleVersion, Stored, Undone, UndoneEntry

Json = dict[str, Any]
ID = "thesamegame"
TakenBack = list[tuple[int, Json]]
AT = datetime(2026, 2, 17, 9, 26, tzinfo=UTC)
THREE = [*HUMANS, {"name": "Hoa", "player": "human"}]


class OneGame:
    """Stands in for the store with one game whose id, times and tokens never differ."""

    def __init__(self, game: Game, outcomes: list[Json], undone: TakenBack) -> None:
        self.game, self.outcomes, self.undone = game, outcomes, undone

    def version(self, id: str) -> int:
        return 1 + len(self.outcomes) + 2 * len(self.undone)

    def seat_of(self, id: str, token: str) -> int:
        return int(token)

    def read(self, id: str) -> Stored:
        undoable = int(bool(self.outcomes) and may_be_undone(self.outcomes[-1]))
        return Stored(ID, self.version(id), self.game, undoable, True, "secret", False, True, 9, AT, AT)

    load = read

    def history(self, id: str, after: int, limit: int) -> tuple[list[LogEntry], list[UndoneEntry]]:
        actions = self.game.actions
        entries = [
            LogEntry(index, index + 2, AT, actions[index]["seat"], actions[index], self.outcomes[index])
            for index in range(len(actions))
        ]
        undone = [UndoneEntry(index, 1, 2, AT, action["seat"], action) for index, action in self.undone]
        return entries[after + 1 : after + 1 + limit], undone

    def act(self, id: str, seat: int, action: Json, expected_version: int, **_: Any) -> Applied:
        if expected_version != self.version(id):
            raise StaleVersion(self.version(id))
        self.game.apply(action)
        raise AssertionError("only what is refused is tried here")

    def undo(self, id: str, seat: int, expected_version: int, **_: Any) -> Undone:
        if not self.read(id).undoable:
            raise NothingToUndo
        self.undone.append((self.game.actions_played - 1, self.game.undo()))
        self.outcomes.pop()
        return Undone(self.version(id), self.game.actions_played, repeated=False)


def played(record: Json, actions: list[Json], undone: TakenBack) -> OneGame:
    game = Game.from_record({**record, "actions": [], "result": None})
    return OneGame(game, [game.apply(action) for action in actions], list(undone))


def permuted(
    record: Json, actions: list[Json], undone: TakenBack, viewer: Viewer, rng: random.Random
) -> OneGame:
    """The same game with the cards shuffled among the places that the viewer has not seen."""
    withheld = Game.from_record({**record, "actions": actions, "result": None}).record(viewer=viewer)
    places = [place for place, card in enumerate(withheld["setup"]["deck"]) if card is None]
    # A card that was seen since, when played or discarded, stays where it came from: else the hand lacks it.
    shown = {card for action in [*actions, *(action for _, action in undone)] for card in shown_by(action)}
    places = [place for place in places if record["setup"]["deck"][place] not in shown]
    cards = [record["setup"]["deck"][place] for place in places]
    rng.shuffle(cards)
    deck = list(record["setup"]["deck"])
    for place, card in zip(places, cards, strict=True):
        deck[place] = card
    assert deck != record["setup"]["deck"]
    return played({**record, "setup": {**record["setup"], "deck": deck}}, actions, undone)


def shown_by(action: Json) -> list[str]:
    if action["type"] == "discard":
        return list(action["cards"])
    return [action["card"], *action["pay"]["cards"]] if action["type"] == "summon" else []


def answers(client: Client, viewer: Viewer, plies: int) -> list[tuple[str, int, str, str]]:
    """Every GET of the game, refused posts, and an undo, with status, headers and body."""
    token = None if viewer == "spectator" else str(viewer)
    url = f"{GAMES}/{ID}"
    gets = ["", "/actions", "/actions?after=1&limit=2", "/record", "/legal-actions", "/choices"]
    gets += [f"/positions/{index}" for index in {0, plies // 2, plies, plies + 1}]
    gets += [f"/positions/{plies}?seat={eyes}" for eyes in (0, 1, 2, "spectator", "all")]
    found = [client.get(url + path, token=token) for path in gets]
    found.append(client.get(url, token=token, headers={"If-None-Match": found[0].headers["ETag"]}))
    seat = 3 if viewer == "spectator" else viewer
    # No card may pay for itself, so this is always refused; why must not tell where the card lies.
    tries = [
        {
            "seat": seat, "type": "summon", "card": card, "space": 0,
            "move": None, "pay": {"cards": [card], "tokens": 0}, "gain": None,
        }
        for card in CARD_NAMES[:: 1 + plies]
    ]  # fmt: skip
    bodies = [{"expected_version": plies + 1, "action": action} for action in tries]
    bodies.append({"expected_version": 0, "action": tries[0]})
    found += [client.post(f"{url}/actions", body, token=token) for body in bodies]
    found.append(client.post(f"{url}/undo", {"expected_version": plies + 1}, token=token))
    found += [client.get(url + path, token=token) for path in gets]
    return [(a.request.path, a.status_code, str(a.headers), a.get_data(as_text=True)) for a in found]


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("competitive", {}),
        ("cooperative", {"hands": "closed"}),
        ("cooperative", {"hands": "closed", "move": "any"}),
    ],
)
def test_permuting_hidden_cards_changes_no_byte_of_any_answer(
    app, client: Client, monkeypatch, mode, options
):
    rng = random.Random(mode)
    compared, undone = 0, list[tuple[int, Json]]()
    game = Game.new(mode, THREE, seed=1, options=options)
    record = {**game.record(), "actions": [], "result": None}
    while not game.over and game.actions_played < 36:
        if game.actions_played % 6 == 0:
            for viewer in (0, 1, 2, "spectator"):
                pair = (
                    played(record, game.actions, undone),
                    permuted(record, game.actions, undone, viewer, rng),
                )
                seen = []
                for stored in pair:
                    monkeypatch.setitem(app.extensions, "store", stored)
                    seen.append(answers(client, viewer, game.actions_played))
                assert seen[0] == seen[1]
                compared += 1
        legal = game.legal_actions()
        summons = [action for action in legal if action["type"] == "summon"]
        outcome = game.apply(rng.choice(summons if summons and rng.random() < 0.6 else legal))
        if may_be_undone(outcome) and rng.random() < 0.5:
            undone.append((game.actions_played - 1, game.undo()))
    assert compared >= 24
    assert undone


def test_the_comparison_would_notice_a_leak(app, client: Client, monkeypatch):
    game = Game.new("competitive", THREE, seed=1)
    record = {**game.record(), "actions": [], "result": None}
    other = permuted(record, [], [], "spectator", random.Random(1))
    seen = []
    for stored in (played(record, [], []), other):
        monkeypatch.setitem(app.extensions, "store", stored)
        seen.append(answers(client, 0, 0))
    assert seen[0] != seen[1]


def test_nothing_of_another_hand_is_told_before_it_is_shown(client: Client):
    """The names of hidden cards occur in no answer at all."""
    game = Game.new("competitive", list(HUMANS), seed=9)
    table = client.table(seed=9)
    hands = [set(game.view(seat)["players"][seat]["hand"]) for seat in (0, 1)]
    deck = set(game.record()["setup"]["deck"][16:])
    for viewer in (0, 1, None):
        hidden = deck.union(*(hand for seat, hand in enumerate(hands) if seat != viewer))
        for path in ("", "/actions", "/record", "/positions/0"):
            text = table.get(path, seat=viewer).get_data(as_text=True)
            assert not [card for card in hidden if f'"{card}"' in text], (viewer, path)
