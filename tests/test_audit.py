"""`make audit` tells a clean bill from a bad one, and both from none."""

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
CLEAN = {"dependencies": [{"name": "flask", "version": "3.1.3", "vulns": []}]}
FAULT = {"id": "PYSEC-2030-1", "fix_versions": ["3.1.4"]}
FAULTY = {"dependencies": [{"name": "flask", "version": "3.1.3", "vulns": [FAULT]}]}
NO_PAGE_FAULT = {"vulnerabilities": {}}
PAGE_FAULT = {"vulnerabilities": {"vite": {"severity": "high"}}}


@pytest.fixture
def audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with a folder for its tools and for an npm of the test's own."""
    spec = importlib.util.spec_from_file_location("audit", ROOT / "scripts" / "audit.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "bin").mkdir()
    (tmp_path / "lock").write_text(module.LOCK.read_text())
    monkeypatch.setattr(module, "TOOLS", tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return module


def says(audit: ModuleType, tool: str, answer: object, complaint: str = "", status: int = 0) -> None:
    """Let a tool print an answer and a complaint."""
    program = audit.TOOLS / "bin" / tool
    printed = "" if answer is None else json.dumps(answer)
    program.write_text(f"#!/bin/sh\necho '{printed}'\necho '{complaint}' >&2\nexit {status}\n")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("python", "page", "status", "sentence"),
    [
        (CLEAN, NO_PAGE_FAULT, 0, "Python: no known vulnerability"),
        (FAULTY, NO_PAGE_FAULT, 1, "flask 3.1.3: PYSEC-2030-1, mended in 3.1.4"),
        (CLEAN, PAGE_FAULT, 1, "vite: high"),
        (None, NO_PAGE_FAULT, 2, "Python: could not be audited: ConnectionError: pypi.org"),
        (CLEAN, {"message": "ENOTFOUND"}, 2, "the page's build: could not be audited: ENOTFOUND"),
        (None, PAGE_FAULT, 1, "Python: could not be audited"),
    ],
)
def test_the_verdict(audit: ModuleType, capsys, python, page, status: int, sentence: str):
    says(audit, "pip-audit", python, "ConnectionError: pypi.org", 1)
    says(audit, "npm", page)
    assert audit.main() == status
    assert sentence in capsys.readouterr().out
