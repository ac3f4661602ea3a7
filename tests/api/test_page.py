"""The page's files, the security headers, and the API's own page."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser

from api import create_app
from api.page import BUILT_PAGE
from tests.api.tables import Client
from worker import Settings

SCRIPT = '<script type="module" crossorigin src="/assets/main-4fd2.js"></script>'
PAGE = f"<!doctype html><title>Stem &amp; Branch</title>{SCRIPT}"


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Flask:
    """The application with a small built page."""
    app = create_app(Settings(redis_url=store_url))
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "seal.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "assets" / "main-4fd2.js").write_text("export {}")
    (tmp_path.parent / "secret.txt").write_text("secret")
    app.config["PAGE_DIR"] = tmp_path
    return app


@pytest.mark.parametrize("path", ["/", "/games/abc", "/almanac", "/replay/abc/7", "/index.html"])
def test_every_address_without_a_file_is_the_page_and_is_asked_for_again(site: Flask, path):
    with site.test_client().get(path) as answer:
        assert (answer.status_code, answer.mimetype, answer.get_data(as_text=True)) == (
            200,
            "text/html",
            PAGE,
        )
        assert answer.headers["Cache-Control"] == "no-cache"
        tag = answer.headers["ETag"]
    with site.test_client().get(path, headers={"If-None-Match": tag}) as again:
        assert (again.status_code, again.headers["ETag"]) == (304, tag)


def test_hashed_files_are_kept_for_ever_and_others_are_not(site: Flask):
    with site.test_client().get("/assets/main-4fd2.js") as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.mimetype == "text/javascript"
    with site.test_client().get("/seal.svg") as answer:
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.mimetype == "image/svg+xml"


@pytest.mark.parametrize(
    "path",
    ["/assets/other.js", "/assets/", "/robots.txt", "/../secret.txt", "/%2e%2e/secret.txt",
     "/assets/../../secret.txt", "/..%2fsecret.txt", "/a%00.js"],
)  # fmt: skip
def test_a_missing_file_is_404_and_nothing_outside_is_served(site: Flask, path):
    with site.test_client().get(path) as answer:
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not-found")
        assert "immutable" not in answer.headers.get("Cache-Control", "")


def test_posting_to_the_page_is_refused(site: Flask):
    assert site.test_client().post("/").status_code == 405
    assert site.test_client().post("/games/abc").status_code == 404


def test_without_a_built_page_it_says_what_to_do(site: Flask, tmp_path: Path):
    site.config["PAGE_DIR"] = tmp_path / "nowhere"
    for path in ("/", "/games/abc"):
        answer = site.test_client().get(path)
        assert (answer.status_code, answer.mimetype) == (503, "text/html")
        assert "make setup" in answer.get_data(as_text=True)
    assert site.test_client().get("/api/v1/rules/players").status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/assets/main-4fd2.js", "/api/v1/rules/cards", "/api/v1/nothing", "/healthz"]
)
def test_security_headers_are_on_every_answer(site: Flask, path):
    with site.test_client().get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "path", ["/api/v1/rules/cards", "/api/v1/openapi.json", "/api/v1/games/abc", "/api/v1/nothing"]
)
def test_every_answer_of_the_api_names_the_script_of_the_built_page(site: Flask, path):
    assert site.test_client().get(path).headers["Stem-Branch-Page"] == "main-4fd2.js"
    assert site.test_client().post(path, json={}).headers["Stem-Branch-Page"] == "main-4fd2.js"


def test_an_unchanged_game_names_the_script_too(site: Flask):
    table = Client(site.test_client()).table()
    again = table.get(headers={"If-None-Match": table.get().headers["ETag"]})
    assert (again.status_code, again.headers["Stem-Branch-Page"]) == (304, "main-4fd2.js")


def test_a_page_built_anew_is_named_at_once(site: Flask, tmp_path: Path):
    http = site.test_client()
    assert http.get("/api/v1/rules/cards").headers["Stem-Branch-Page"] == "main-4fd2.js"
    (tmp_path / "index.html").write_text(PAGE.replace("main-4fd2", "main-c0ffee"))
    assert http.get("/api/v1/rules/cards").headers["Stem-Branch-Page"] == "main-c0ffee.js"
    for text in ("", SCRIPT.replace("main-4fd2.js", "")):
        (tmp_path / "index.html").write_text(text)
        assert "Stem-Branch-Page" not in http.get("/api/v1/rules/cards").headers
    (tmp_path / "index.html").unlink()
    assert "Stem-Branch-Page" not in http.get("/api/v1/rules/cards").headers


def test_the_script_of_the_page_as_it_is_built_is_found(client: Client):
    name = client.get("/api/v1/rules/cards").headers["Stem-Branch-Page"]
    assert (BUILT_PAGE / "assets" / name).is_file()


def test_the_files_of_the_api_page_are_served_and_no_others(client: Client):
    for name in ("", "/swagger-ui-bundle.js", "/swagger-ui.css", "/start.js", "/favicon-32x32.png"):
        with client.flask_client.get(f"/api/v1/docs{name}") as answer:
            assert answer.status_code == 200
    for name in ("/index.html", "/swagger-ui.js", "/..%2f__init__.py", "/oauth2-redirect.html"):
        assert client.get(f"/api/v1/docs{name}").status_code == 404


def test_the_api_page_works_offline_under_the_policy(live_server: str, browser: Browser):
    page = browser.new_page()
    troubles, requested = [], []
    page.on("console", lambda message: message.type in ("error", "warning") and troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{live_server}/api/v1/docs")
    page.get_by_text("Create a game", exact=False).first.wait_for()
    page.locator("#operations-games-createGame .opblock-summary").click()
    page.locator("#operations-games-createGame").get_by_role("button", name="Try it out").click()
    page.locator("#operations-games-createGame").get_by_role("button", name="Execute").click()
    page.locator("#operations-games-createGame .live-responses-table").get_by_text("201").first.wait_for()
    page.close()
    assert all(url.startswith((live_server, "data:", "blob:")) for url in requested)
    assert troubles == []


def test_the_api_says_where_people_reach_the_page_only_where_that_is_set(store_url: str):
    settings = Settings(redis_url=store_url)
    path = "/api/v1/rules/options"
    assert "Stem-Branch-Url" not in create_app(settings).test_client().get(path).headers
    hosted = create_app(replace(settings, public_url="https://games.example.org")).test_client()
    assert hosted.get(path).headers["Stem-Branch-Url"] == "https://games.example.org"
    with hosted.get("/") as answer:
        assert "Stem-Branch-Url" not in answer.headers


def test_the_page_can_be_installed_and_keeps_no_stale_copy_of_itself(client: Client):
    with client.get("/manifest.webmanifest") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
        assert answer.headers["Cache-Control"] == "no-cache"
        manifest = json.loads(answer.get_data(as_text=True))
    for icon in manifest["icons"]:
        with client.get(icon["src"]) as picture:
            assert (picture.status_code, picture.mimetype) == (200, icon["type"])
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", picture.get_data()[16:24])
                assert f"{width}x{height}" == icon["sizes"]
    assert not list(BUILT_PAGE.rglob("*worker*.js"))
