"""Many ladder workers in one process: `python -m gevent.monkey --module bench.crowd WORKERS SECONDS`.

They are RQ's own worker with the real job, but instead of playing a match each waits about so long and
hands in one that was played before.
"""

import random
import sys
import threading
import time
from collections.abc import Sequence

from rq.timeouts import BaseDeathPenalty

import worker.ladders
from ai.ladder import Chooser, Ladder, Match, Played, built_in, play_match, read_entrants, schedule
from worker import LADDERS, Settings, connect, set_up_logs
from worker.moves import use
from worker.processes import JobWorker, job_worker


class Unlimited(BaseDeathPenalty):
    """RQ's limit of a job's time needs signals or threads, of which there are none here."""

    def setup_death_penalty(self) -> None: ...
    def cancel_death_penalty(self) -> None: ...


class CrowdWorker(JobWorker):
    """Does in a greenlet what a worker does in a process."""

    death_penalty_class = Unlimited

    def _install_signal_handlers(self) -> None: ...


def gather(workers: int, seconds: float) -> None:
    settings = Settings.from_env()
    set_up_logs("error")
    use(settings)
    ladder = Ladder(read_entrants("random,greedy"))
    played = play_match(ladder, schedule(ladder)[0], [built_in(each) for each in ladder.entrants])

    def pretend(_ladder: Ladder, _match: Match, _choosers: Sequence[Chooser]) -> list[Played]:
        time.sleep(seconds * random.uniform(0.5, 1.5))
        return played

    vars(worker.ladders)["play_match"] = pretend

    def work() -> None:
        job_worker(CrowdWorker, connect(settings), settings, LADDERS).work(logging_level="ERROR")

    for _ in range(workers):
        threading.Thread(target=work, daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    gather(int(sys.argv[1]), float(sys.argv[2]))
