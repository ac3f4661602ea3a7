"""Failures inside the tests' own helpers are explained like those in the tests."""

import pytest

pytest.register_assert_rewrite("tests.engine.positions", "tests.engine.table")
