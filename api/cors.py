"""Pages of other origins: none may use the API but those that the settings list."""

from __future__ import annotations

from flask import Flask, Response, request

from api.page import API_PREFIX, BUILD_HEADER, SITE_HEADER

HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Request-Id")
ALLOWED = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": ", ".join(HEADERS),
    "Access-Control-Max-Age": "600",
}
EXPOSED = ", ".join(
    ("Allow", "ETag", "Idempotent-Replayed", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id",
     BUILD_HEADER, SITE_HEADER)
)  # fmt: skip


def allow_origins(app: Flask, origins: frozenset[str]) -> None:
    """Let pages of these origins use the API. Never with cookies: there are none, tokens are sent by hand."""
    if not origins:
        return

    @app.after_request
    def name_origin(response: Response) -> Response:
        if not request.path.startswith(API_PREFIX):
            return response
        response.vary.add("Origin")
        origin = request.headers.get("Origin", "")
        if origin in origins:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Expose-Headers"] = EXPOSED
            if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
                response.headers.update(ALLOWED)
        return response
