"""Set-up: what a newcomer meets first."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "setup.py"


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The set-up script as a module, with a memory and an environment of its own."""
    spec = importlib.util.spec_from_file_location("setup_script", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("MEMORY", "VENV", "FRONTEND"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        monkeypatch.setattr(module, name, folder)
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    return module


@pytest.mark.serial
def test_a_second_set_up_does_nothing():
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--dev", "--browser"], capture_output=True, text=True, check=True
    )
    assert answer.stdout == ""


def test_an_old_python_is_told_so():
    pretend = "import sys, runpy; sys.version_info = (3, 9, 1); sys.argv = ['setup'];"
    pretend += f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    answer = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True)
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("target", ["play", "setup", "test", "check"])
def test_a_machine_without_python_is_told_so(target: str):
    answer = subprocess.run(["make", "-s", target, "PYTHON="], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode != 0
    assert "Stem & Branch needs Python 3.11 or newer" in answer.stdout


@pytest.mark.parametrize(
    ("version", "new_enough"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("", False),
    ],
)
def test_only_a_node_that_the_build_accepts_is_used(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str, new_enough: bool
):
    monkeypatch.setattr(setup, "node_version", lambda _: version)
    assert setup.node_is_new_enough("node") is new_enough


def test_without_node_and_its_package_a_sentence_says_what_to_do(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(
        setup.SetupError, match=r"Building the page needs Node\.js .* Install Node\.js from your system"
    ):
        setup.node()


def test_a_step_is_done_again_when_what_it_came_from_has_changed(setup: ModuleType, tmp_path: Path):
    source = tmp_path / "source"
    source.write_text("one")
    setup.remember("step", [setup.digest_of([source])])
    assert setup.digest_of([source]) in setup.recall("step")
    source.write_text("two")
    assert setup.digest_of([source]) not in setup.recall("step")
    setup.forget("step")
    assert setup.recall("step") == []


def test_a_step_that_fails_shows_its_last_words(setup: ModuleType, capsys: pytest.CaptureFixture[str]):
    script = "print('first'); print('disk full'); raise SystemExit(3)"
    with pytest.raises(setup.SetupError, match="disk full"):
        setup.run("The page", [sys.executable, "-c", script])
    assert "The page: failed" in capsys.readouterr().out
    assert "disk full" in (setup.MEMORY / "log.txt").read_text()


def test_a_program_that_is_missing_is_no_traceback(setup: ModuleType):
    with pytest.raises(setup.SetupError, match="No such file"):
        setup.run("The page", ["no-such-program"])


def test_help_names_every_target():
    answer = subprocess.run(
        ["make"], cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ}
    )
    for target in ("play", "setup", "test", "check", "bench", "lock"):
        assert f"make {target}" in answer.stdout


def test_the_locks_name_hashes_and_no_host():
    for lock in ROOT.glob("requirements*.txt"):
        text = lock.read_text()
        assert "--hash=sha256:" in text
        assert "://" not in text
    assert '"resolved"' not in (ROOT / "frontend" / "package-lock.json").read_text()
