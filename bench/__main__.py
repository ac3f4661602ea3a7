"""Run the benchmarks: `python -m bench` all of them, `python -m bench engine` only those of bench/engine.py.

Prints a table and writes bench/results.json, one flat object of named figures. Those of benchmarks that were
not run this time are kept in it.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

import bench

RESULTS = Path(bench.__file__).with_name("results.json")


def main(wanted: list[str]) -> None:
    names = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name != "__main__"]
    unknown = set(wanted) - set(names)
    if unknown:
        raise SystemExit(f"No such benchmark: {', '.join(sorted(unknown))}. There are: {', '.join(names)}")
    figures: dict[str, float] = json.loads(RESULTS.read_text()) if wanted and RESULTS.exists() else {}
    for name in wanted or names:
        module = importlib.import_module(f"bench.{name}")
        if not hasattr(module, "measure"):
            continue
        print(f"{name}:", flush=True)
        measured: dict[str, float] = module.measure()
        for figure, value in measured.items():
            print(f"  {figure:<48} {shown(value):>14}", flush=True)
        figures |= measured
        RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    print(f"Written to {RESULTS}")


def shown(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


if __name__ == "__main__":
    main(sys.argv[1:])
