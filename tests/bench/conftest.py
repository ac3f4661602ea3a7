"""Tests that need the extras `bench` or `train` run where these are installed."""

import importlib.util

NEEDS = {"test_openspiel.py": "pyspiel", "test_imitate.py": "torch"}
collect_ignore = [file for file, module in NEEDS.items() if not importlib.util.find_spec(module)]
