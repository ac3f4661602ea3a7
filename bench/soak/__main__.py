"""`make soak`: games go on while everything they rest on fails, and nothing may be lost.

DURATION is how many seconds it takes (300), GAMES how many games run at a time (50), SEED decides the faults.
The last line printed is the verdict; the exit status is 0 only when nothing was lost.
"""

from __future__ import annotations

import os
import secrets
import sys

from bench.soak.report import RESULTS, write_report
from bench.soak.run import Soak
from worker import set_up_logs

if __name__ == "__main__":
    set_up_logs("error")
    soak = Soak(
        seconds=float(os.environ.get("DURATION") or 300),
        games=int(os.environ.get("GAMES") or 50),
        seed=int(os.environ.get("SEED") or secrets.randbelow(1_000_000)),
    )
    figures = soak.run()
    write_report(figures)
    print(f"Written to {RESULTS} and docs/reliability.md")
    for fault in soak.faults[:20]:
        print(f"  {fault}")
    print(soak.verdict())
    sys.exit(bool(soak.faults))
