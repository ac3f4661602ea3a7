"""What several packages' tests share."""

from collections.abc import Iterator

import pytest

from worker import EmbeddedStore, Settings


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An embedded store of this test run's own: its address, without a database number (0 to 15)."""
    with EmbeddedStore(Settings(data_dir=tmp_path_factory.mktemp("store"))) as store:
        yield store.url
