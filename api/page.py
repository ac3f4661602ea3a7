"""The page: built files from `frontend/dist`, and the page itself for every address that is not the API's."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request, send_from_directory
from werkzeug.exceptions import NotFound

from api.errors import refuse_http

BUILT_PAGE = Path(__file__).resolve().parent.parent / "frontend" / "dist"
API_PREFIX = "/api/"
BUILD_HEADER = "Stem-Branch-Page"
SITE_HEADER = "Stem-Branch-Url"
_ENTRY_SCRIPT = re.compile(r'<script type="module"[^>]* src="[^"]*?([\w.-]+)"', re.ASCII)

# Vite names these files by their content, so they never change.
HASHED = "assets"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stem &amp; Branch: the page is not built</title>
<h1>The page is not built yet</h1>
<p>Run <code>make setup</code> in the project's folder, then reload.</p>
<p>The API is there already: <a href="/api/v1/docs">its description</a>.</p>
</html>
"""


def register_page(app: Flask, public_url: str, folder: Path = BUILT_PAGE) -> None:
    """Serve the page: not by a rule that catches every address, which would turn the API's 404 into 405."""
    app.config["PAGE_DIR"] = folder
    app.config["PUBLIC_URL"] = public_url
    app.add_url_rule("/", "page", index, methods=["GET"])
    app.add_url_rule(f"/{HASHED}/<path:name>", "asset", asset, methods=["GET"])
    app.register_error_handler(404, page_or_nothing)
    app.after_request(name_page)


def index() -> Response:
    return serve("index.html")


def asset(name: str) -> Response:
    response = send_from_directory(page_dir() / HASHED, name)
    response.headers["Cache-Control"] = FOR_EVER
    return response


def page_or_nothing(error: NotFound) -> Response:
    """What stands at an address without a rule: a file of the page, the page, or nothing."""
    if request.method in ("GET", "HEAD") and not request.path.startswith(API_PREFIX):
        with suppress(NotFound):
            return serve(request.path.lstrip("/"))
    return refuse_http(error)


def page_dir() -> Path:
    folder: Path = current_app.config["PAGE_DIR"]
    return folder


def serve(path: str) -> Response:
    """A built file, or the page itself for an address that only the page understands. Raises NotFound."""
    folder = page_dir()
    if not (folder / "index.html").is_file():
        return Response(NOT_BUILT, 503, {"Cache-Control": "no-store"}, mimetype="text/html")
    try:
        response = send_from_directory(folder, path)
    except NotFound:
        # A file that is missing is missing; a name without a suffix is an address within the page.
        if "." in path.rpartition("/")[2] or path.startswith(f"{HASHED}/"):
            raise
        response = send_from_directory(folder, "index.html")
    response.headers["Cache-Control"] = ASK_AGAIN
    return response


def name_page(response: Response) -> Response:
    """Put `page_headers` on the API's answers."""
    if request.path.startswith(API_PREFIX):
        response.headers.update(page_headers(current_app))
    return response


def page_headers(app: Flask) -> dict[str, str]:
    """The page's entry script, since a page with another script is of another build; and where people reach
    the page, if that is set: links to share begin with it."""
    headers = {}
    with suppress(OSError):
        file = f"{app.config['PAGE_DIR']}/index.html"
        built = os.stat(file)  # noqa: PTH116 - with each answer: a Path costs several times as much
        name = _entry_script(file, built.st_mtime_ns, built.st_size)
        if name is not None:
            headers[BUILD_HEADER] = name
    if app.config["PUBLIC_URL"]:
        headers[SITE_HEADER] = app.config["PUBLIC_URL"]
    return headers


@lru_cache(maxsize=1)
def _entry_script(index: str, _changed: int, _size: int) -> str | None:
    found = _ENTRY_SCRIPT.search(Path(index).read_text("utf-8"))
    return found and found[1]
