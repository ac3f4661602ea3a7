"""Ladders on real workers: every match once, whatever happens to whoever plays it."""

import json
import os
import signal
from pathlib import Path

import pytest

from ai.ladder import Ladder, read_entrants, schedule
from tests.worker.conftest import Crew, game_where, under_way, until
from worker import LadderBoard, LadderStuck, Store, bot_digests, ladder_from_json, ladder_json
from worker.ladders import play_ladder_match
from worker.moves import use
from worker.queues import LADDERS, queue

QUICK = Ladder(read_entrants("random,greedy"), games=8)


def played(board: LadderBoard, also=None, seconds: float = 90) -> dict:
    """Everything that comes in until every match is played."""
    results: dict = {}

    def look() -> bool:
        results.update(board.results(set(results)))
        board.give_out(set(results))
        return len(results) == len(board.matches)

    until(look, seconds, also)
    return results


def test_a_ladders_settings_go_through_json_unchanged() -> None:
    ladder = Ladder(
        read_entrants("a=good@0.5s,b=strong@20"), mode="cooperative", options={"hands": "closed"}, seats=3
    )
    assert ladder_from_json(json.loads(json.dumps(ladder_json(ladder)))) == ladder


def test_a_match_is_given_out_once_and_only_a_few_ahead(store: Store) -> None:
    board = LadderBoard(store.client, "few", QUICK)
    assert board.give_out(set()) == 2
    assert board.give_out(set()) == 2
    assert len(queue(store.client, LADDERS).job_ids) == 2
    assert board.give_out({0, 1, 2}) == 1
    board.take_back()
    assert not queue(store.client, LADDERS).job_ids
    assert board.under_way() == 0


def test_the_first_result_of_a_match_counts_and_a_second_job_does_nothing(store: Store) -> None:
    use(store.settings)
    board = LadderBoard(store.client, "once", QUICK)
    play_ladder_match("once", 1)
    [games] = board.results(set()).values()
    assert [game["seats"] for game in games] == [[0, 1], [1, 0]]
    before = store.client.hgetall("sb:ladder:once:results")
    store.client.hset("sb:ladder:once:records", "1/0", "0")
    play_ladder_match("once", 1)
    assert board.results(set())[1][0]["record"] == 0
    assert store.client.hgetall("sb:ladder:once:results") == before
    assert board.results({1}) == {}
    board.forget()
    assert not store.client.keys("sb:ladder:once*")
    play_ladder_match("once", 2)
    assert not store.client.keys("sb:ladder:once*")


def test_a_match_that_ends_after_the_caller_looked_is_not_given_out_again(store: Store) -> None:
    use(store.settings)
    board = LadderBoard(store.client, "late", QUICK)
    board.give_out(set())
    looked = board.done()
    play_ladder_match("late", 0)
    board.give_out(looked)
    assert store.client.hget("sb:ladder:late:tries", "0") in ("1", b"1")


def test_a_match_that_a_worker_begins_meanwhile_is_not_taken_back(store: Store, monkeypatch) -> None:
    board = LadderBoard(store.client, "begun", QUICK)
    board.give_out(set())
    waiting = queue(store.client, LADDERS)
    looked = waiting.job_ids
    waiting.remove(looked[0])
    monkeypatch.setattr(type(waiting), "job_ids", looked)
    board.take_back()
    assert board.under_way() == 1


def test_a_match_that_is_always_lost_is_told(store: Store) -> None:
    board = LadderBoard(store.client, "stuck", Ladder(read_entrants("random,greedy"), games=2))
    for _ in range(LadderBoard.TRIES):
        board.give_out(set())
        queue(store.client, LADDERS).empty()
        store.client.zadd("sb:ladder:stuck:out", {"0": 1})
    with pytest.raises(LadderStuck, match="Match 0"):
        board.give_out(set())
    board.try_again()
    assert board.give_out(set()) == 1


@pytest.mark.serial
def test_workers_play_every_match_once_as_one_process_would(store: Store, crew: Crew) -> None:
    for number in range(2):
        crew.hire("ladders", f"ladders {number}")
    ladder = Ladder(read_entrants("random,beginner,average"), games=18)
    results = played(LadderBoard(store.client, "crew", ladder))
    assert sorted(results) == [match.index for match in schedule(ladder)]
    use(store.settings)
    LadderBoard(store.client, "alone", ladder)
    for index in results:
        play_ladder_match("alone", index)
    alone = LadderBoard(store.client, "alone", ladder).results(set())
    records = lambda found: {index: [game["record"] for game in games] for index, games in found.items()}  # noqa: E731
    assert records(alone) == records(results)


@pytest.mark.serial
def test_a_killed_worker_costs_the_match_it_held_which_is_played_again(store: Store, crew: Crew) -> None:
    worker = crew.hire("ladders")
    until(lambda: store.workers_alive(LADDERS) == 1, 60)
    ladder = Ladder(read_entrants("a=strong,b=strong@1000"), games=6)
    board = LadderBoard(store.client, "killed", ladder)
    board.give_out(set())
    until(lambda: under_way(store, LADDERS), 30)
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    results = played(board, also=crew.supervisor.tend)
    assert sorted(results) == [0, 1, 2]
    tries = store.client.hgetall("sb:ladder:killed:tries")
    assert max(int(count) for count in tries.values()) <= 2


@pytest.mark.serial
def test_live_games_never_wait_for_a_ladder(store: Store, crew: Crew) -> None:
    crew.hire("moves")
    crew.hire("ladders")
    until(lambda: store.workers_alive() == store.workers_alive(LADDERS) == 1, 60)
    board = LadderBoard(store.client, "busy", Ladder(read_entrants("a=master,b=master@4000"), games=8))
    board.give_out(set())
    until(lambda: len(queue(store.client, LADDERS).job_ids) < board.under_way(), 30)
    for _ in range(5):
        created = store.create(game_where(0, "greedy", "human"))
        waited = until(lambda created=created: store.version(created.id) > created.version, 10)
        assert waited < 3
    assert not board.results(set())


@pytest.mark.serial
def test_faulty_bots_lose_and_the_ladder_goes_on(store: Store, crew: Crew, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    bad = "from ai.bot import Bot\nclass Bad(Bot):\n    def choose(self, view, actions):\n        1 / 0\n"
    file.write_text(bad)
    crew.hire("ladders")
    ladder = Ladder(read_entrants(f"random,{file}:Bad,greedy"), games=6)
    games = [game for match in played(LadderBoard(store.client, "bad", ladder)).values() for game in match]
    assert len(games) == 6
    faulty = [game for game in games if game["fault"]]
    assert len(faulty) == 4
    assert {game["fault"] for game in faulty} == {"crashed"}
    assert all(game["shares"][game["faulty_seat"]] == 0 for game in faulty)
    assert {game["reason"] for game in faulty} == {"ZeroDivisionError: division by zero"}


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (None, "cannot be read"),
        ("import no_such_package\n", "does not start: ModuleNotFoundError"),
        ("# newer\n", "is another file than where the ladder began"),
    ],
)
def test_a_worker_without_the_ladders_bot_stops_the_ladder_and_says_so_and_nobody_loses(
    store: Store, tmp_path: Path, there: str | None, told: str
) -> None:
    file = tmp_path / "mine.py"
    whole = "from ai.bot import Bot\nclass Mine(Bot):\n    def choose(self, view, actions):\n"
    whole += "        return actions[0]\n"
    file.write_text(whole)
    ladder = Ladder(read_entrants(f"random,{file}:Mine"), games=2)
    use(store.settings)
    board = LadderBoard(store.client, f"elsewhere-{len(told)}", ladder, bots=bot_digests(ladder))
    if there is None:
        file.unlink()
    else:
        file.write_text(there + whole)
        if "package" in there:
            board = LadderBoard(store.client, board.id, ladder, bots=bot_digests(ladder))
    for _ in range(LadderBoard.TRIES):
        board.give_out(set())
        queue(store.client, LADDERS).empty()
        play_ladder_match(board.id, 0)
    with pytest.raises(LadderStuck, match=told):
        board.give_out(set())
    assert board.results(set()) == {}
    file.write_text(whole)
    board = LadderBoard(store.client, board.id, ladder, bots=bot_digests(ladder))
    board.try_again()
    board.give_out(set())
    play_ladder_match(board.id, 0)
    assert len(board.results(set())) == 1
