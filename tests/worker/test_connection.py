"""A connection is looked at before it is used again, with gevent's patches as in the API and without."""

import os
import subprocess
import sys

import pytest

from worker import Settings

PROGRAM = """
from worker import Settings, connect
client = connect(Settings.from_env())
used = client.connection_pool.get_connection()
used.send_command("ECHO", "another's")
while not used.can_read():
    pass
client.connection_pool.release(used)
assert client.echo("mine") == b"mine"
"""


@pytest.mark.parametrize("patched", ["", "from gevent import monkey; monkey.patch_all()"])
def test_an_answer_that_nobody_read_is_not_taken_for_the_next_ones(settings: Settings, patched: str) -> None:
    program = [sys.executable, "-P", "-c", patched + PROGRAM]
    subprocess.run(program, env={**os.environ, **settings.to_env()}, check=True, timeout=30)
