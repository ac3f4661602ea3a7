"""Measure the page in a real browser whose processor is slowed down four times: `python -m bench.page`.

Prints a table and writes bench/page.json, one flat object of named figures. It needs the built page and a
browser and so is no part of `python -m bench`.
"""

import gzip
import json
import os
import shutil
import socket
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import bench
from bench.__main__ import shown
from worker import EmbeddedStore, Process, Settings

RESULTS = Path(bench.__file__).with_name("page.json")
DIST = RESULTS.parent.parent / "frontend" / "dist"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

SLOWDOWN = 4
LOADS = 7
CLICKS = 40
VISIBLE_SECONDS, HIDDEN_SECONDS = 20, 40
BUDGETS = {
    "javascript_gzipped_kb": 90.0,
    "first_table_ms": 1000.0,
    "click_to_paint_ms_worst": 100.0,
    "polls_per_second_visible": 1.0,
}

# Milliseconds from the navigation's start until a frame with the table has been painted.
WATCH_FOR_TABLE = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.table')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.tableSeen = performance.now())));
  }).observe(document, { childList: true, subtree: true });
"""
# Milliseconds from a click to the end of the frame that answers it.
WATCH_CLICKS = """
  window.clicks = [];
  addEventListener('click', (event) => {
    const begun = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => window.clicks.push(performance.now() - begun)));
  }, true);
"""
HIDE = """
  for (const [name, value] of [['visibilityState', 'hidden'], ['hidden', true]])
    Object.defineProperty(document, name, { value, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
"""


def measure_page() -> dict[str, float]:
    scripts = list(DIST.rglob("*.js"))
    if not scripts:
        raise SystemExit("The page is not built: npm --prefix frontend run build")
    size = sum(len(gzip.compress(script.read_bytes())) for script in scripts)
    figures = {"javascript_gzipped_kb": size / 1000}
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    flags = ["--disable-gpu"] if os.geteuid() else ["--disable-gpu", "--no-sandbox"]
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        game = new_game(server)
        token = game["tokens"][str(game["here"])]
        address = f"{server}/#/game/{game['id']}?seat={game['here']}&token={token}"
        times = [first_table(browser, address) for _ in range(LOADS)]
        figures["first_table_ms"] = statistics.median(times)
        figures["first_table_ms_worst"] = max(times)
        page = slow_page(browser)
        page.goto(address)
        clicks = click_about(page)
        figures["click_to_paint_ms"] = statistics.median(clicks)
        figures["click_to_paint_ms_worst"] = max(clicks)
        figures["polls_per_second_visible"] = polls(page, VISIBLE_SECONDS)
        page.evaluate(HIDE)
        figures["polls_per_second_hidden"] = polls(page, HIDDEN_SECONDS)
        browser.close()
    return figures


@contextmanager
def running_server() -> Iterator[str]:
    """Store, API and one worker on a free port; gives the address."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(data_dir=folder, api_workers=1)
        store = stack.enter_context(EmbeddedStore(settings))
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = listener.getsockname()[1]
        settings = replace(settings, redis_url=store.url, port=port)
        for name, more in {"api": ["--fd", str(listener.fileno())], "worker": [], "sweeper": []}.items():
            process = Process(
                name,
                [sys.executable, "-P", "-m", "api.cli", name, *more],
                {**os.environ, **settings.to_env()},
                folder / f"{name}.log",
                handles=[listener.fileno()] if more else [],
            )
            process.start()
            stack.callback(process.stop, 5)
        url = f"http://127.0.0.1:{port}"
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/readyz", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield url


def new_game(server: str) -> dict[str, Any]:
    """A game of two people; `here` is the seat to act."""
    seats = [{"name": "An", "player": "human"}, {"name": "Lan", "player": "human"}]
    body = json.dumps({"mode": "competitive", "seats": seats, "seed": 21}).encode()
    asked = urllib.request.Request(f"{server}/api/v1/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        game: dict[str, Any] = json.load(answer)
    with urllib.request.urlopen(f"{server}/api/v1/games/{game['id']}") as answer:
        return {**game, "here": json.load(answer)["seat_to_act"]}


def slow_page(browser: Browser) -> Page:
    """A page of a browser that has never been here, slowed down."""
    # Waiting for a condition needs eval, which the page's own policy forbids.
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB", bypass_csp=True)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    return page


def first_table(browser: Browser, address: str) -> float:
    page = slow_page(browser)
    page.add_init_script(WATCH_FOR_TABLE)
    page.goto(address)
    page.wait_for_function("window.tableSeen")
    seen: float = page.evaluate("window.tableSeen")
    page.context.close()
    return seen


def click_about(page: Page) -> list[float]:
    """Chooses cards of the hand and of the Stream in turn: each click lights something up."""
    page.wait_for_selector(".table[data-turn=mine]")
    page.evaluate(WATCH_CLICKS)
    for click in range(CLICKS):
        cards = page.locator(".card-button.offered" if click % 3 == 2 else ".in-hand button")
        box = cards.nth(click % cards.count()).bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function("count => window.clicks.length > count", arg=click)
    page.keyboard.press("Escape")
    clicks: list[float] = page.evaluate("window.clicks")
    return clicks


def polls(page: Page, seconds: int) -> float:
    """Requests a second of a page that is left alone."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1000 * seconds)
    return len(asked) / seconds


def main() -> None:
    figures = measure_page()
    for figure, value in figures.items():
        budget = BUDGETS.get(figure)
        said = "" if budget is None else f"of {shown(budget)}{'' if value <= budget else ', too much'}"
        print(f"  {figure:<32} {shown(value):>10}  {said}", flush=True)
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    print(f"Written to {RESULTS}")


if __name__ == "__main__":
    main()
