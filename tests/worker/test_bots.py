"""Bots in processes of their own: they may crash, hang and lie, and nothing else suffers."""

import time
from pathlib import Path

import pytest
import structlog

from ai.ladder import BadLadder, Forfeit, Ladder, read_entrants
from engine import Game
from worker import check_bots
from worker.bots import LONGEST_SAID, BotProcess

HEAD = "import os, time\nfrom ai.bot import Bot\n\nclass Mine(Bot):\n"
FIRST = "    def choose(self, view, actions):\n        "


@pytest.fixture
def bot(tmp_path: Path):
    """Makes a bot's file; `body` is what its `choose` does."""

    def made(body: str, head: str = HEAD + FIRST) -> str:
        file = tmp_path / "bot.py"
        file.write_text(head + body + "\n")
        return f"{file}:Mine"

    return made


def asked(process: BotProcess):
    game = Game.new("competitive", 2, seed=3)
    seat = game.seat_to_act
    assert seat is not None
    return process.choose(game, seat, 1), game


def test_a_bot_sees_its_seats_view_and_chooses_among_the_legal_actions(bot) -> None:
    spec = bot(
        "assert view['players'][view['seat_to_act']]['hand'] and len(actions) > 5\n"
        "        assert view['players'][1 - view['seat_to_act']]['hand'] is None\n"
        "        print('thinking aloud')\n"
        "        return actions[2]"
    )
    with BotProcess(spec) as process:
        for _ in range(3):
            action, game = asked(process)
            assert action == game.legal_actions()[2]


def test_a_bot_knows_its_seat_and_what_game_it_plays_as_over_http(bot) -> None:
    told = "viewer", "mode", "options", "board", "year_animal", "seats", "seat_to_act", "table", "players"
    body = f"assert set({told}) <= set(view), set({told}) - set(view)\n"
    body += "        assert view['viewer'] == view['seat_to_act']\n"
    body += "        assert (view['mode'], len(view['seats'])) == ('competitive', 2)\n"
    with BotProcess(bot(body + "        return actions[0]")) as process:
        assert asked(process)[0]["type"]


def test_what_a_bot_prints_and_how_it_crashed_is_in_the_log(bot) -> None:
    with structlog.testing.capture_logs() as log:
        reason = fault(bot("print('thinking aloud')\n        return 1 / 0"))[1]
    said = [entry["line"] for entry in log if entry["event"] == "bot_said"]
    assert "thinking aloud" in said
    assert any(line.startswith("Traceback") for line in said)
    assert said[-1] == reason == "ZeroDivisionError: division by zero"


def test_a_bot_that_prints_without_end_is_cut_and_costs_no_memory(bot) -> None:
    spec = bot("print('x' * 5_000_000)\n        return actions[0]")
    with structlog.testing.capture_logs() as log, BotProcess(spec) as process:
        asked(process)
    assert max(len(entry["line"]) for entry in log) == LONGEST_SAID


@pytest.mark.parametrize(("seconds", "told"), [(None, 5.0), (0.75, 0.75)])
def test_a_bot_is_told_how_long_it_may_take(bot, seconds, told) -> None:
    with BotProcess(bot(f"return actions[self.time_left == {told}]"), seconds) as process:
        action, game = asked(process)
        assert action == game.legal_actions()[1]


def fault(spec: str, seconds: float | None = None) -> tuple[str, str]:
    with BotProcess(spec, seconds) as process:
        with pytest.raises(Forfeit) as forfeit:
            asked(process)
        return forfeit.value.fault, forfeit.value.reason


def test_a_bot_that_raises_or_dies_has_crashed_and_its_last_words_are_told(bot) -> None:
    assert fault(bot("return 1 / 0")) == ("crashed", "ZeroDivisionError: division by zero")
    assert fault(bot("os._exit(3)")) == ("crashed", "it ended")


def test_a_bot_that_does_not_answer_in_time_is_silent_and_ended(bot) -> None:
    started = time.monotonic()
    assert fault(bot("time.sleep(60)"), seconds=0.1)[0] == "silent"
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("answer", ["'draw'", "None", "[1, 2]"])
def test_an_answer_that_is_no_action_is_illegal(bot, answer: str) -> None:
    assert fault(bot(f"return {answer}"))[0] == "illegal"


def test_after_a_fault_the_bot_is_started_anew(bot, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    spec = bot(
        f"if not os.path.exists({str(mark)!r}):\n"
        f"            open({str(mark)!r}, 'w').close()\n"
        "            os._exit(1)\n"
        "        return actions[0]"
    )
    with BotProcess(spec) as process:
        with pytest.raises(Forfeit):
            asked(process)
        action, game = asked(process)
        assert action == game.legal_actions()[0]


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        (None, "there is no file"),
        ("class Mine:\n    pass\n", "has no Bot of the name Mine"),
        ("class Other:\n    pass\n", "has no Bot of the name Mine"),
        ("from ai.bot import Bot\nclass Mine(Bot):\n    pass\n", "does not say what to choose"),
        ("import nowhere_to_be_found\n", "ModuleNotFoundError"),
        ("def (\n", "SyntaxError"),
    ],
)
def test_a_bot_that_is_missing_or_does_not_start_is_named(bot, tmp_path: Path, head, problem) -> None:
    spec = f"{tmp_path / 'bot.py'}:Mine" if head is None else bot("", head)
    with pytest.raises(BadLadder, match=problem):
        check_bots(Ladder(read_entrants(f"good,{spec}")))
