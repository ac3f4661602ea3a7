"""What a poll is compared with: a Flask application whose only view does nothing."""

from flask import Flask


def create_app() -> Flask:
    app = Flask("empty", static_folder=None)

    @app.get("/empty")
    def empty() -> str:
        return ""

    return app
