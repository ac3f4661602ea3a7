"""The API's description, and a page to read and try it, from files that come with the package: no network."""

from __future__ import annotations

from importlib.resources import files

from flask import Blueprint, Response, current_app, send_from_directory
from werkzeug.exceptions import NotFound

from api.page import ASK_AGAIN
from api.spec import known_to_client, not_modified

docs = Blueprint("docs", __name__, url_prefix="/api/v1")

SWAGGER_UI = str(files("flask_swagger_ui") / "dist")
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stem &amp; Branch API</title>
<link rel="stylesheet" href="/api/v1/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/api/v1/docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="/api/v1/docs/swagger-ui-bundle.js"></script>
<script src="/api/v1/docs/start.js"></script>
</body>
</html>
"""
# validatorUrl: by default Swagger UI sends the description to a server of its makers.
START = """window.ui = SwaggerUIBundle({
  url: "/api/v1/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null, docExpansion: "list"
});
"""


@docs.get("/openapi.json")
def openapi_json() -> Response:
    tag: str = current_app.config["OPENAPI_TAG"]
    headers = {"Cache-Control": ASK_AGAIN}
    if known_to_client(tag):
        return not_modified(tag, headers)
    response = Response(current_app.config["OPENAPI_TEXT"], headers=headers, mimetype="application/json")
    response.set_etag(tag)
    return response


@docs.get("/docs")
def docs_page() -> Response:
    return Response(PAGE, headers={"Cache-Control": ASK_AGAIN}, mimetype="text/html")


@docs.get("/docs/start.js")
def docs_start() -> Response:
    return Response(START, headers={"Cache-Control": ASK_AGAIN}, mimetype="text/javascript")


@docs.get("/docs/<name>")
def docs_file(name: str) -> Response:
    if name not in SWAGGER_FILES:
        raise NotFound
    response = send_from_directory(SWAGGER_UI, name)
    response.headers["Cache-Control"] = ASK_AGAIN
    return response
