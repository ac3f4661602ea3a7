"""`make soak`: games go on while everything they rest on fails, and nothing may be lost; then many games are
walked through by every viewer, and nothing hidden may be told.

DURATION is how many seconds the faults last (300), GAMES how many games run at a time (50), HIDDEN how many
are walked through afterwards (two thirds of DURATION), SEED decides the faults and the deals. The last line
printed is the verdict; the exit status is 0 only when nothing was lost and nothing told.
"""

from __future__ import annotations

import os
import secrets
import sys

from bench.soak.report import RESULTS, write_report
from bench.soak.run import Soak
from bench.soak.walk import walk
from worker import set_up_logs


def main() -> int:
    set_up_logs("error")
    seconds = float(os.environ.get("DURATION") or 300)
    seed = int(os.environ.get("SEED") or secrets.randbelow(1_000_000))
    soak = Soak(seconds, games=int(os.environ.get("GAMES") or 50), seed=seed)
    figures = soak.run()
    print(soak.verdict(), flush=True)
    hidden = int(os.environ.get("HIDDEN") or max(1, round(seconds * 2 / 3)))
    compared, leaks = walk(hidden, seed)
    write_report({**figures, "hidden_games": hidden, "hidden_compared": compared, "told": len(leaks)})
    print(f"Written to {RESULTS} and docs/reliability.md")
    for fault in (soak.faults + leaks)[:20]:
        print(f"  {fault}")
    told = f"{len(leaks)} LEAKS" if leaks else "nothing hidden told"
    print(f"{soak.verdict()}; {told} in {compared} answers of {hidden} games")
    return int(bool(soak.faults or leaks))


if __name__ == "__main__":
    sys.exit(main())
