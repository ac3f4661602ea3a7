"""Set-up and the command: what a newcomer meets first."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_command_lists_its_sub_commands():
    answer = subprocess.run(
        [Path(sys.executable).with_name("stem-branch"), "--help"], capture_output=True, text=True, check=True
    )
    assert "play" in answer.stdout
