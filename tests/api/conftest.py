"""The application over the real store, in this process."""

from __future__ import annotations

import pytest
from flask import Flask

from api import create_app
from tests.api.tables import Client, Table
from worker import Settings


@pytest.fixture(scope="session")
def app(store_url: str) -> Flask:
    application = create_app(Settings(redis_url=store_url))
    application.testing = True
    return application


@pytest.fixture
def client(app: Flask) -> Client:
    return Client(app.test_client())


@pytest.fixture
def table(client: Client) -> Table:
    """A competitive game of two people."""
    return client.table()
