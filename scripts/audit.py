"""Known vulnerabilities in what is installed: of requirements.txt by pip-audit, of the page's build by npm.

Both ask services on the internet. Exit status: 0 nothing is known; 1 something is; 2 a service could not be
asked, so nothing is known either way.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Apart from .venv: the tools of the audit are no part of what is audited.
TOOLS = ROOT / ".setup" / "audit"
LOCK = ROOT / "requirements-audit.txt"
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2


def main() -> int:
    found = [
        judged("Python", pip_audit(), python_faults),
        judged("the page's build", npm_audit(), npm_faults),
    ]
    return VULNERABLE if VULNERABLE in found else max(found)


def judged(what: str, answer: Any, faults: Any) -> int:
    """Print what the answer says; a text is the reason for which there is none."""
    if isinstance(answer, str):
        print(f"{what}: could not be audited: {answer}")
        return UNKNOWN
    lines = faults(answer)
    print(f"{what}: {len(lines)} known vulnerabilities" if lines else f"{what}: no known vulnerability")
    for line in lines:
        print(f"  {line}")
    return VULNERABLE if lines else CLEAN


def pip_audit() -> Any:
    if not (TOOLS / "bin" / "pip-audit").exists() or (TOOLS / "lock").read_text() != LOCK.read_text():
        shutil.rmtree(TOOLS, ignore_errors=True)
        for command in (
            [sys.executable, "-m", "venv", str(TOOLS)],
            [str(TOOLS / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check",
             "--require-hashes", "--no-deps", "-r", str(LOCK)],
        ):  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"pip-audit cannot be installed: {last_line(done.stderr)}"
        (TOOLS / "lock").write_text(LOCK.read_text())
    # The lock names every package and its hashes, so nothing needs to be resolved or downloaded.
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    command = [str(TOOLS / "bin" / "pip-audit"), *options, "--timeout", "15"]
    return answer_of([*command, "-r", "requirements.txt"], ROOT, "dependencies")


def python_faults(answer: Any) -> list[str]:
    return [
        f"{package['name']} {package['version']}: {fault['id']}"
        + (f", mended in {', '.join(fault['fix_versions'])}" if fault.get("fix_versions") else "")
        for package in answer["dependencies"]
        for fault in package.get("vulns", [])
    ]


def npm_audit() -> Any:
    # .npmrc switches npm's own audits off, which is for installations.
    command = ["npm", "audit", "--audit=true", "--package-lock-only", "--json", "--fetch-retries=0"]
    return answer_of(command, ROOT / "frontend", "vulnerabilities")


def npm_faults(answer: Any) -> list[str]:
    return [f"{name}: {fault['severity']}" for name, fault in answer["vulnerabilities"].items()]


def answer_of(command: Sequence[str], folder: Path, key: str) -> Any:
    """The JSON that a tool prints, or in a text why it prints none."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"{command[0]}: {problem}"
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return last_line(done.stderr)
    if not isinstance(answer, dict) or key not in answer:
        told = answer.get("message") if isinstance(answer, dict) else None
        return str(told or last_line(done.stderr))
    return answer


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it gave no reason"])[-1]


if __name__ == "__main__":
    raise SystemExit(main())
