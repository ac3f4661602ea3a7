"""The application factory."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Flask, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from api import page
from api.cors import allow_origins
from api.errors import register_error_handlers
from api.polls import Polls
from api.resources.advice import advice
from api.resources.almanac import almanac
from api.resources.daily import daily
from api.resources.docs import docs
from api.resources.games import games
from api.resources.health import health
from api.resources.imports import RECORD_LIMIT, imports
from api.resources.ladders import ladders
from api.resources.rules import rules
from api.spec import describe
from api.viewers import use_store
from api.watch import watch
from engine import Game
from worker import Settings

API_VERSION = "1.0"

# No inline scripts or styles, nothing from elsewhere, nowhere to be framed.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

ABOUT = """Play Stem & Branch by program.

Create a game, keep the tokens of its human seats, read the game with `If-None-Match` until `seat_to_act` is
yours, ask for `choices` or `legal-actions`, and post an action with the `version` you saw. A refusal says why
and changes nothing. Games, actions and records share one notation. A whole number is written without a
fraction: `1`, not `1.0`.

Where the page is built, every answer names its entry script in the header `Stem-Branch-Page`: a page that
runs another script is of an older build and should be loaded again.
"""


def create_app(settings: Settings | None = None) -> Flask:
    """See `api.create_app`."""
    app = Flask("api", static_folder=None)
    app.config.update(
        API_TITLE="Stem & Branch",
        API_VERSION=API_VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={"info": {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}},
        MAX_CONTENT_LENGTH=RECORD_LIMIT,
    )
    app.url_map.merge_slashes = False
    settings = settings or Settings.from_env()
    use_store(app, settings)
    register_error_handlers(app)
    page.register_page(app, settings.public_url)
    _describe_resources(app)
    allow_origins(app, settings.allowed_origins)
    app.after_request(add_security_headers)
    if settings.trusted_proxies:
        # Only the address: of what else a proxy may say, nothing is used.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0, x_host=0
        )
    vary = {"Vary": "Authorization, Origin"} if settings.allowed_origins else {}
    app.wsgi_app = Polls(app, SECURITY_HEADERS | vary)  # type: ignore[method-assign]
    watch(app)
    return app


def _describe_resources(app: Flask) -> None:
    description = describe(app)
    for routes in (games, advice, imports, ladders, rules, daily, almanac, health):
        description.register_blueprint(routes)
    app.register_blueprint(docs)
    text = json.dumps(description.spec.to_dict(), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    app.config["OPENAPI_TEXT"] = text
    app.config["OPENAPI_TAG"] = hashlib.sha256(text.encode()).hexdigest()[:16]


def openapi_document() -> dict[str, Any]:
    """See `api.openapi_document`; its keys are sorted, so that it can be compared as text."""
    document: dict[str, Any] = json.loads(create_app(Settings()).config["OPENAPI_TEXT"])
    return document


def warm_up() -> None:
    """See `api.warm_up`: plays a few actions with every kernel that a request may call."""
    for mode in ("competitive", "cooperative"):
        game = Game.new(mode, seats=2, seed=1)
        for _ in range(8):
            game.choices()
            game.view("spectator")
            game.apply(game.legal_actions()[-1])


def add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response
