"""The documents say what is true."""

import dataclasses
import re
import subprocess
from pathlib import Path

from worker import Settings

ROOT = Path(__file__).parent.parent


def test_every_setting_is_documented_with_its_default():
    text = (ROOT / "docs" / "configuration.md").read_text()
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \|\s*`?([^`|]*?)`?\s*\|", text, re.MULTILINE))
    home = {"HOME": str(Path.home())}
    defaults = {
        field.name.upper(): str(getattr(Settings.from_env(home), field.name))
        for field in dataclasses.fields(Settings)
    }
    defaults["DATA_DIR"] = defaults["DATA_DIR"].replace(str(Path.home()), "~")
    assert documented == defaults


def test_every_link_between_documents_leads_somewhere():
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} names {target}"


def test_the_readmes_library_example_runs(capsys):
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(example, {})
    assert "winners" in capsys.readouterr().out


def test_the_icons_are_credited():
    readme = (ROOT / "README.md").read_text()
    assert "game-icons.net" in readme
    assert "CC BY 3.0" in readme


def test_the_readmes_commands_play_a_first_action(live_server: str, tmp_path: Path):
    [commands] = re.findall(r"```sh\n(API=.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
    script = strict + commands.replace("http://127.0.0.1:8000", live_server)
    answer = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert '"type":"draw"' in answer.stdout.replace(" ", "")
    assert '"card":"wood-mouse"' in answer.stdout.replace(" ", "")
