"""Schedules and matches of ladders, without a server."""

import json
from collections import Counter
from dataclasses import asdict, replace

import pytest

from ai.ladder import (
    BadLadder,
    Entrant,
    Forfeit,
    Ladder,
    built_in,
    check_ladder,
    play_match,
    read_entrants,
    schedule,
)
from engine import Action, Game

FIVE = read_entrants("random,greedy,beginner,apprentice,average")


def choosers(ladder: Ladder):
    return [built_in(entrant) for entrant in ladder.entrants]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_round_robin_every_lineup_plays_every_deal_in_every_rotation(seats: int) -> None:
    ladder = Ladder(FIVE, seats=seats, games=100)
    matches = schedule(ladder)
    assert [match.index for match in matches] == list(range(len(matches)))
    games = len(matches) * ladder.rotations
    assert 100 <= games < 100 + len(ladder.lineups) * ladder.rotations
    played = Counter((match.deal, match.lineup) for match in matches)
    assert set(played.values()) == {1}
    assert len(played) == len(ladder.lineups) * (matches[-1].deal + 1)


def test_in_a_gauntlet_the_first_player_is_in_every_match() -> None:
    ladder = Ladder(FIVE, seats=3, gauntlet=True)
    assert {match.lineup[0] for match in schedule(ladder)} == {0}
    assert len(ladder.lineups) == 6


def test_the_games_of_a_match_share_the_deal_and_rotate_the_seats() -> None:
    ladder = Ladder(read_entrants("random,greedy,beginner"), seats=3, games=3)
    games = play_match(ladder, schedule(ladder)[0], choosers(ladder))
    assert [game.seats for game in games] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    assert len({json.dumps(game.record["setup"]) for game in games}) == 1
    for game in games:
        assert sum(game.shares) == pytest.approx(1)
        assert Game.from_record(game.record).result == game.record["result"]
        assert sorted(game.places)[0] == 0
        assert [name["name"] for name in game.record["seats"]] == [
            ladder.entrants[n].name for n in game.seats
        ]


def test_where_iterations_end_the_thinking_a_match_is_the_same_to_the_last_card() -> None:
    ladder = Ladder(read_entrants("a=master@60,b=beginner"), games=2, seed=9)
    match = schedule(ladder)[0]
    one, two = (play_match(ladder, match, choosers(ladder)) for _ in range(2))
    assert [game.record for game in one] == [game.record for game in two]
    other = play_match(replace(ladder, seed=10), match, choosers(ladder))
    assert other[0].record["setup"] != one[0].record["setup"]


def test_in_co_op_a_player_has_every_seat_and_gets_the_score() -> None:
    ladder = Ladder(read_entrants("random,greedy"), seats=2, games=4, mode="cooperative")
    matches = schedule(ladder)
    assert [match.lineup for match in matches] == [(0, 0), (1, 1)] * 2
    [game] = play_match(ladder, matches[1], choosers(ladder))
    assert game.shares == (game.record["result"]["score"],) * 2


@pytest.mark.parametrize("fault", ["crashed", "illegal", "silent"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_faulty_bot_loses_by_forfeit_and_the_others_share_the_win(fault, seats: int) -> None:
    ladder = Ladder(read_entrants("random,greedy,beginner")[:seats], seats=seats, games=1)

    def faulty(game: Game, seat: int, seed: int) -> Action:
        if game.actions_played < 8:
            return game.legal_actions()[0]
        if fault == "illegal":
            return {"seat": seat, "type": "draw", "source": "nowhere"}
        raise Forfeit(fault, "for a test")

    players = [*choosers(ladder)[:-1], faulty]
    for game in play_match(ladder, schedule(ladder)[0], players):
        seat = game.seats.index(seats - 1)
        assert (game.fault, game.faulty_seat) == (fault, seat)
        assert game.shares[seat] == 0
        assert game.places[seat] == max(game.places) == 1
        assert sum(game.shares) == pytest.approx(1)
        assert game.record["ended"] == "abandoned"
        assert Game.from_record(game.record).actions_played >= 8


def test_entrants_have_names_players_and_budgets() -> None:
    assert read_entrants("good, fast=master@0.1s,strong@800,mine=bots/a.py:Bot@2s") == (
        Entrant("good", "good"),
        Entrant("fast", "master", seconds=0.1),
        Entrant("strong@800", "strong", iterations=800),
        Entrant("mine", "bots/a.py:Bot", seconds=2.0),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("grandmaster", "no player 'grandmaster'"),
        ("good,good", "takes part twice"),
        ("good@fast", "a budget is seconds"),
        ("good@0s", "more than nothing"),
        ("good@-3", "more than nothing"),
        ("greedy@100", "takes no budget"),
        ("", "is no player"),
        ("a=b=good", "is no player"),
        ("good@", "is no player"),
        ("my_bot.py:MyBot@500", "its budget is in seconds"),
    ],
)
def test_entrants_that_make_no_sense_are_refused(text: str, problem: str) -> None:
    with pytest.raises(BadLadder, match=problem):
        check_ladder(Ladder(read_entrants(text), seats=1, mode="cooperative"))


@pytest.mark.parametrize(
    "ladder",
    [
        Ladder(FIVE, games=0),
        Ladder(FIVE, games=1_000_001),
        Ladder(FIVE, seed=-1),
        Ladder(FIVE, mode="cooperative", gauntlet=True),
        Ladder(FIVE[:1]),
        Ladder(FIVE[:3], seats=4),
        Ladder(FIVE, seats=5),
        Ladder(FIVE, seats=1),
        Ladder(FIVE, options={"hands": "open"}),
        Ladder(FIVE, mode="cooperative", options={"hands": "shut"}),
    ],
)
def test_ladders_that_cannot_be_played_are_refused(ladder: Ladder) -> None:
    with pytest.raises(BadLadder):
        check_ladder(ladder)
    assert asdict(ladder)


@pytest.mark.parametrize("seats", [1, 5])
def test_a_refused_number_of_seats_says_which_there_may_be(seats: int) -> None:
    with pytest.raises(BadLadder, match="Two to four players compete; one to four co-operate"):
        check_ladder(Ladder(FIVE, seats=seats))
