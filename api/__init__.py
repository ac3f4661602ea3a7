"""The HTTP API, the page it serves and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from worker import Settings

__all__ = ["create_app", "hand_over_regularly", "openapi_document", "warm_up"]

# The command line lives in this package too and must start at once, so the rest is imported when asked for.


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI application; gunicorn's target is `api:create_app()`.

    Without settings they come from the environment (raises SettingsError). The store is spoken to at the
    first request that needs it, so the application may be made before a process forks.
    """
    from api import application

    return application.create_app(settings)


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of the API, the same at every call."""
    from api import application

    return application.openapi_document()


def warm_up() -> None:
    """Compile or load what the first request would otherwise wait for."""
    from api import application

    application.warm_up()


def hand_over_regularly(app: Flask) -> None:
    """Have what this process counts for /metrics handed over to the store, for as long as it lives."""
    from api import watch

    watch.hand_over_regularly(app)
