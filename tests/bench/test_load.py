"""What `make load` concludes from what it has measured."""

import json
import select
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bench.load import memory, pollers, report

PROMISED = {
    "games": 1000, "actions": 20, "sizes_of_each": 3, "seconds": 120.0, "processors": 2,
    "processors_used": 1.5, "processors_used_by_others": 0.0,
    "polls_per_s": 2000.0, "poll_p50_ms": 3.0, "poll_p99_ms": 20.0, "poll_304_share": 0.96, "poll_errors": 0,
    "actions_per_s": 20.0, "action_p50_ms": 9.0, "action_p99_ms": 40.0, "action_errors": 0,
    "ai_actions": 2400, "ai_action_p50_ms": 40.0, "ai_action_p99_ms": 90.0, "log_warnings": {},
    "poll_per_s": 5000.0, "empty_view_per_s": 7000.0, "poll_to_empty_view": 0.7,
    "poll_after_5_actions_to_new": 1.0, "poll_at_the_end_to_new": 1.0, "poll_of_each_to_poll_of_one": 0.98,
    "finished_game_bytes": {"competitive, 2": 12000}, "finished_game_bytes_most": 12000,
    "memory": [{"role": "API", "mib": 190.0, "low": -1.0, "mib_per_hour": 0.5, "high": 2.0}],
}  # fmt: skip


def test_growth_is_found_among_outliers_and_noise_is_none():
    seconds = list(range(100))
    growing = [100 + 0.5 * second + (500 if second % 20 == 7 else 0) for second in seconds]
    steep = memory.slope(seconds, growing)
    assert 0.4 < steep.low <= steep.middle <= steep.high < 0.6
    noise = memory.slope(seconds, [100 + second * 37 % 11 for second in seconds])
    assert noise.low < 0 < noise.high


def test_each_broken_promise_fails_the_run(capsys):
    assert report.tell(PROMISED)
    grown = [{**PROMISED["memory"][0], "mib_per_hour": 31.0}]
    for worse in (
        {"polls_per_s": 1990.0},
        {"poll_p99_ms": 50.1},
        {"action_p99_ms": 100.1},
        {"poll_errors": 1},
        {"action_errors": 1},
        {"log_warnings": {"turn_queued_again": 1}},
        {"poll_to_empty_view": 0.49},
        {"poll_of_each_to_poll_of_one": 0.8},
        {"finished_game_bytes_most": 16385},
        {"memory": grown},
    ):
        assert not report.tell(PROMISED | worse), worse
        assert "MISSED" in capsys.readouterr().out


def test_the_figures_replace_those_in_the_document_and_nothing_else(tmp_path: Path):
    document, out = tmp_path / "document.md", tmp_path / "load.json"
    document.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter {report.END}\n")
    report.write(PROMISED, out, document)
    text = document.read_text()
    assert text.startswith(f"before\n{report.BEGIN}\n1,000 open games")
    assert text.endswith(f"{report.END}\nafter {report.END}\n")
    assert "old" not in text
    assert json.loads(out.read_text()) == PROMISED


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="the load's clients are for Linux")
def test_a_poll_that_had_to_wait_for_a_slow_answer_counts_from_its_own_moment():
    """The server's first answer takes so long that two more polls are due meanwhile."""
    asked = threading.Semaphore(0)

    class Slow(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            first = asked.acquire(blocking=False)
            if first:
                time.sleep(2.5)
            self.send_response(304)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    asked.release()
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever).start()
        start = time.monotonic() + 1
        told = pollers.poll(f"http://127.0.0.1:{server.server_port}", [("id", "")], start, start, start + 2.9)
        server.shutdown()
    assert told.statuses == {304: 3}
    first, second, third = told.latencies
    assert first > 2.4
    assert second > 1.4
    assert third > 0.4
