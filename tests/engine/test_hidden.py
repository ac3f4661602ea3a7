"""R22: what a seat or a spectator may know, tested by changing what they may not."""

import random
from typing import Any

import pytest

from engine import BadRecord, Game, IllegalAction, Viewer, hide_outcome
from tests.engine.deals import COOPERATIVE_OPTIONS, SCROLL, choose, deal
from tests.engine.reference import CARDS, Reference
from tests.engine.table import Table

Json = dict[str, Any]

SPECTATOR: Viewer = "spectator"
SETTINGS: list[tuple[str, int, Json | None]] = [
    ("competitive", 2, None),
    ("competitive", 3, None),
    ("competitive", 4, None),
    *(
        ("cooperative", seats, options)
        for seats, options in zip((2, 3, 4, 1) * 4, COOPERATIVE_OPTIONS, strict=True)
    ),
]


def every_viewer(seats: int) -> list[Viewer]:
    return [*range(seats), SPECTATOR]


def played(seed: int, setting: tuple[str, int, Json | None], taste: str = "even") -> Json:
    """The record of a random game, cut short before its end."""
    record = deal(seed, setting[0], setting[1], SCROLL, setting[2])
    chance = random.Random(seed)
    table = Reference(record)
    length = chance.randrange(60)
    while not table.over and len(record["actions"]) < length:
        action = choose(table.legal_actions(), chance, taste)
        before = table.copy()
        table.apply(action)
        if table.over:
            table = before
            break
        record["actions"].append(action)
    return record


def unseen_places(record: Json, viewer: Viewer) -> list[list[int]]:
    """The places of the deal that the viewer has not seen (R22), in groups whose cards may change places.

    The first holds those whose card is still unseen; the others, one for each other seat, those whose card
    came to that seat unseen and has left its hand since.
    """
    seats, deck = len(record["seats"]), record["setup"]["deck"]
    drawn_by = {place: place // 4 for place in range(4 * seats)}
    top = 4 * seats + 8
    for action in record["actions"]:
        if action["type"] == "draw" and top < 60:
            if action["source"] == "deck":
                drawn_by[top] = action["seat"]
            top += 1
    table = Reference(record)
    for action in record["actions"]:
        table.apply(action)
    still = list(range(top, 60))
    gone: list[list[int]] = [[] for _ in range(seats)]
    for place, seat in drawn_by.items():
        if not table.sees_hand(viewer, seat):
            group = still if deck[place] in table.hands[seat] else gone[seat]
            group.append(place)
    return [still, *gone]


def permuted(record: Json, viewer: Viewer, chance: random.Random) -> Game:
    """The same game with the cards that the viewer cannot place dealt to other places."""
    still, *gone = unseen_places(record, viewer)
    # What has left a hand may now come later than it was used; then only the unseen cards change places.
    for groups in ([still, *gone], [still]):
        deck = list(record["setup"]["deck"])
        for places in groups:
            cards = [deck[place] for place in places]
            chance.shuffle(cards)
            for place, card in zip(places, cards, strict=True):
                deck[place] = card
        try:
            return Game.from_record({**record, "setup": {**record["setup"], "deck": deck}})
        except BadRecord:
            continue
    raise AssertionError("what nobody used may be anything")


Twins = list[tuple[Game, Game, Viewer]]


@pytest.fixture(scope="module")
def twins() -> Twins:
    """Pairs of games that differ only in what the viewer cannot see."""
    made: Twins = []
    for number, setting in enumerate([*SETTINGS, *SETTINGS[:3]]):
        record = played(number, setting, ("even", "digger")[number % 2])
        game = Game.from_record(record)
        for viewer in every_viewer(setting[1]):
            made.append((game, permuted(record, viewer, random.Random(number)), viewer))
    return made


def test_the_twins_really_differ(twins: Twins) -> None:
    assert sum(one.state_bytes() != other.state_bytes() for one, other, _ in twins) > 0.9 * len(twins)


def test_observations_are_the_same_bytes(twins: Twins) -> None:
    for one, other, viewer in twins:
        if isinstance(viewer, int):
            assert one.observe(viewer).tobytes() == other.observe(viewer).tobytes()


def test_views_are_the_same(twins: Twins) -> None:
    for one, other, viewer in twins:
        assert one.view(viewer) == other.view(viewer)


def test_records_are_the_same(twins: Twins) -> None:
    for one, other, viewer in twins:
        assert one.record(viewer) == other.record(viewer)


def test_own_legal_actions_are_the_same(twins: Twins) -> None:
    for one, other, viewer in twins:
        if one.seat_to_act == viewer:
            assert one.legal_actions() == other.legal_actions()
            assert one.choices() == other.choices()


def outcomes_seen(game: Game, viewer: Viewer) -> list[Json]:
    again = Game.from_record({**game.header(), "actions": [], "result": None})
    return [
        hide_outcome(again.apply(action), action["seat"], viewer, game.open_hands) for action in game.actions
    ]


def test_outcomes_are_the_same(twins: Twins) -> None:
    for one, other, viewer in twins[::2]:
        assert outcomes_seen(one, viewer) == outcomes_seen(other, viewer)


def test_an_observation_keeps_every_count(twins: Twins) -> None:
    for game, _, viewer in twins:
        if isinstance(viewer, int):
            observed = game.observe(viewer)
            assert observed.shape == (1,)
            view = game.view(viewer)
            counts = [player["cards"] for player in view["players"]]
            assert observed[0]["hand_size"][: len(counts)].tolist() == counts
            assert 60 - observed[0]["dealt"] == view["table"]["deck"]


def expected_deck(record: Json, viewer: Viewer) -> list[str | None]:
    """The deal as the viewer has seen it, place by place."""
    seats, deck = len(record["seats"]), record["setup"]["deck"]
    open_hands = record["options"].get("hands") == "open"
    seen: list[str | None] = [
        card if open_hands or viewer == place // 4 or place >= 4 * seats else None
        for place, card in enumerate(deck[: 4 * seats + 8])
    ]
    for action in record["actions"]:
        if action["type"] == "draw" and len(seen) < 60:
            hidden = action["source"] == "deck" and viewer != action["seat"] and not open_hands
            seen.append(None if hidden else deck[len(seen)])
    return seen + [None] * (60 - len(seen))


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_viewers_record_holds_just_the_places_it_has_seen(number: int) -> None:
    record = played(number, SETTINGS[number])
    game = Game.from_record(record)
    for viewer in every_viewer(len(record["seats"])):
        masked = game.record(viewer)
        deck = expected_deck(record, viewer)
        assert masked == {**record, "viewer": viewer, "setup": {**record["setup"], "deck": deck}}


def test_cards_from_the_stream_are_known_until_they_leave_the_hand() -> None:
    table = Table.of_record(deal(11))
    seat = table.game.seat_to_act
    assert seat is not None
    card = table.draw(2)["drawn"]
    hidden = table.draw("deck")["drawn"]
    rival = table.game.view(1 - seat)["players"][seat]
    assert rival["known"] == [card]
    assert rival["hand"] is None
    assert rival["cards"] == 6
    assert hidden not in str(rival)
    table.draw()
    table.draw()
    while table.reference.seat == seat:
        hand = sorted(table.reference.hands[seat])
        if table.reference.discarding:
            table.discard(" ".join([card, *(other for other in hand if other != card)][: len(hand) - 7]))
            break
        table.draw()
    view = table.game.view(1 - seat)
    assert card not in view["players"][seat]["known"]
    assert card in view["table"]["discards"]


@pytest.mark.parametrize(("hands", "seen"), [("open", True), ("closed", False)])
def test_open_hands_are_seen_by_every_seat_and_spectator(hands: str, seen: bool) -> None:
    game = Game.from_record(deal(12, "cooperative", 2, options={"hands": hands}))
    for viewer in every_viewer(2):
        for player in game.view(viewer)["players"]:
            assert (player["hand"] is not None) == (seen or player["seat"] == viewer)


def test_a_rivals_draw_from_the_deck_is_hidden_and_the_drawers_own_is_not() -> None:
    game = Game.from_record(deal(13))
    seat = game.seat_to_act
    assert seat is not None
    outcome = game.apply({"seat": seat, "type": "draw", "source": "deck"})
    assert outcome["drawn"] in CARDS
    assert outcome["hidden"]
    assert hide_outcome(outcome, seat, seat, False) == outcome
    assert hide_outcome(outcome, seat, 1 - seat, True) == outcome
    others: tuple[Viewer, ...] = (1 - seat, SPECTATOR)
    for viewer in others:
        assert hide_outcome(outcome, seat, viewer, False) == {**outcome, "drawn": None}
    assert outcome["drawn"] in CARDS


def test_after_the_end_everybody_sees_everything() -> None:
    table = Table.of_record(deal(14))
    table.play_out(random.Random(14), "digger")
    whole = table.game.record()
    for viewer in every_viewer(2):
        assert table.game.record(viewer) == whole
        assert all(player["hand"] is not None for player in table.game.view(viewer)["players"])


def test_a_refusal_tells_nothing_of_hidden_cards() -> None:
    """The same refusal whether the card lies in the deck, in a rival's hand or among the discards."""
    refusals = set()
    game = Game.from_record(deal(15))
    seat = game.seat_to_act
    own = game.view(seat or 0)["players"][seat or 0]["hand"]
    stream = game.view(SPECTATOR)["table"]["stream"]
    for card in CARDS:
        if card not in own and card not in stream:
            action = Table.of_record(deal(15)).summoning(card, 0, seat=seat)
            with pytest.raises(IllegalAction) as caught:
                game.apply(action)
            refusals.add((caught.value.code, caught.value.rule, str(caught.value.params).replace(card, "")))
    assert len(refusals) == 1
