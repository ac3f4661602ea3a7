"""docs/operating.md is true: its commands run, its metrics and events are all there are."""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import httpx
import yaml

from engine import Game
from worker import EmbeddedStore, Settings, Store, connect

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "operating.md").read_text()
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def test_every_metric_is_documented_and_every_documented_one_is_there(live_server: str):
    exposed = httpx.get(f"{live_server}/metrics").text
    there = set(re.findall(r"^# TYPE (\w+)", exposed, re.MULTILINE))
    [table] = re.findall(r"\| metric \|.*?\n\n", TEXT, re.DOTALL)
    assert set(re.findall(r"`(stem_branch_\w+)`", table)) == there
    parts = {f"{name}{part}" for name in there for part in ("", "_bucket", "_count", "_sum")}
    assert set(re.findall(r"stem_branch_\w+", TEXT)) <= parts


def test_the_alerts_and_the_scrape_are_what_prometheus_reads():
    scrape, alerts = (yaml.safe_load(block) for block in blocks("yaml"))
    assert scrape["scrape_configs"][0]["job_name"] == "stem-branch"
    rules = alerts["groups"][0]["rules"]
    assert len(rules) > 5
    for rule in rules:
        assert set(rule) <= {"alert", "expr", "for"}
        assert rule["expr"].count("(") == rule["expr"].count(")")
        assert "stem_branch_" in rule["expr"]


def test_every_event_of_the_logs_is_listed():
    found = {"seat_left", "seat_replaced"}  # passed on as an argument
    for folder in ("worker", "api"):
        for file in (ROOT / folder).rglob("*.py"):
            found |= set(
                re.findall(
                    r'\b(?:logger\(\)|log)\.(?:info|warning|error|exception|log)\(\s*(?:level, )?"(\w+)"',
                    file.read_text(),
                )
            )
    [table] = re.findall(r"\| event \|.*?\n\n", TEXT, re.DOTALL)
    listed = re.findall(r"^\|([^|]*)\|", table, re.MULTILINE)
    assert {name for cell in listed for name in re.findall(r"`(\w+)`", cell)} == found


def test_the_questions_to_a_running_server_are_answered(live_settings: Settings):
    for block in blocks("sh"):
        if "curl" in block:
            script = block.replace("http://127.0.0.1:8000", live_settings.url).replace("curl", "curl --fail")
            environment = {**os.environ, "ADMIN_TOKEN": live_settings.admin_token}
            subprocess.run(["bash", "-euc", script], env=environment, check=True, capture_output=True)


def test_the_secrets_are_made_for_their_owner_alone_and_are_accepted(tmp_path: Path):
    command = next(line for block in blocks("sh") for line in block.splitlines() if "openssl" in line)
    subprocess.run(["bash", "-euc", command], cwd=tmp_path, check=True)
    made = tmp_path / ".env"
    assert made.stat().st_mode & 0o777 == 0o600
    secrets = dict(line.split("=") for line in made.read_text().splitlines())
    url = f"redis://:{secrets['STORE_PASSWORD']}@store:6379/0"
    assert Settings.from_env({"ADMIN_TOKEN": secrets["ADMIN_TOKEN"], "REDIS_URL": url})


def test_what_was_backed_up_at_home_is_there_again(tmp_path: Path):
    backup, restore = (block for block in blocks("sh") if block.startswith("tar "))
    settings = Settings(data_dir=tmp_path / ".local" / "share" / "stem-branch")
    id = with_store(settings, lambda store: store.create(Game.new("competitive", 2, seed=1))).id
    for script in (backup, f"rm -r {shlex.quote(str(settings.data_dir))}", restore):
        subprocess.run(
            ["bash", "-euc", script], env={**os.environ, "HOME": str(tmp_path)}, cwd=tmp_path, check=True
        )
    assert with_store(settings, lambda store: store.read(id)).version == 1


def test_the_stores_files_copied_while_it_runs_are_a_backup(tmp_path: Path):
    """What the compose commands do, by the store's own commands and on its own files."""
    settings = Settings(data_dir=tmp_path / "old")
    copied = tmp_path / "new" / "store"
    copied.mkdir(parents=True)
    [block] = [block for block in blocks("sh") if "auto-aof-rewrite" in block]
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    with EmbeddedStore(settings):
        store = Store(connect(settings), settings)
        id = store.create(Game.new("competitive", 2, seed=1)).id
        for command in commands:
            if command[2:5] == ["exec", "store", "valkey-cli"]:
                store.client.execute_command(*command[5:])
            else:
                source = (settings.data_dir / "store" / command[3].rpartition("/")[2]).as_posix()
                subprocess.run(["cp", "-r", source, str(copied / "appendonlydir")], check=True)
        store.create(Game.new("competitive", 2, seed=2))
        store.client.close()
    assert with_store(Settings(data_dir=tmp_path / "new"), lambda store: store.read(id)).version == 1


def with_store(settings: Settings, work: Any) -> Any:
    with EmbeddedStore(settings), connect(settings) as client:
        return work(Store(client, settings))


def test_compose_commands_name_services_and_files_that_are_there():
    text = "\n".join(blocks("sh"))
    for name in re.findall(r"exec (\w+)|--scale (\w+)=|cp (\w+):", text):
        assert set(filter(None, name)) <= set(SERVICES)
    assert SERVICES["store"]["volumes"] == ["games:/data"]
    for variable in ("PUBLIC_URL", "TRUSTED_PROXIES", "API_WORKERS", "METRICS", "HOST", "PORT"):
        assert f"${{{variable}:-" in (ROOT / "compose.yaml").read_text(), variable
