"""A browser page at the real server, watched for errors; pictures are kept as artefacts."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.person import Person

# A table looks again after five seconds where it is one's own turn, which is as long as Playwright waits.
expect.set_options(timeout=15_000)

ARTEFACTS = Path(__file__).resolve().parents[2] / "artefacts"
# Without these Chromium looks for updates and the like at every start.
QUIET_BROWSER = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
]

Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "args": [*browser_type_launch_args.get("args", []), *QUIET_BROWSER]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Still pictures unless a test asks for motion: it makes games through the page quick."""
    return {
        **browser_context_args,
        "viewport": {"width": 1280, "height": 720},
        "locale": "en-GB",
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def base_url() -> None:
    """None; the plugin's own fixture of this name is written in a way that pytest warns about."""


class Complaints(list[str]):
    """What the page printed as an error, save what a test foresees."""

    foreseen: str | None = None

    def hear(self, text: str) -> None:
        if self.foreseen is None or self.foreseen not in text:
            self.append(text)


@pytest.fixture
def complaints(page: Page) -> Iterator[Complaints]:
    heard = Complaints()
    page.on("console", lambda message: heard.hear(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.hear(str(error)))
    yield heard
    assert heard == []


@pytest.fixture
def ask(live_server: str) -> Ask:
    """A request to the API: method, path below /api/v1, body and token; answers with the JSON."""

    def request(method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{live_server}/api/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return json.load(answer)

    return request


@pytest.fixture
def person(page: Page, live_server: str, complaints: Complaints) -> Person:
    return Person(page, live_server)


@pytest.fixture
def picture(page: Page) -> Callable[[str], None]:
    """Saves what the browser shows at both sizes that the table is made for."""

    def take(name: str) -> None:
        ARTEFACTS.mkdir(exist_ok=True)
        before = page.viewport_size
        for width, height in ((1280, 720), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            page.screenshot(path=ARTEFACTS / f"{name}-{width}x{height}.png")
        if before:
            page.set_viewport_size(before)

    return take
