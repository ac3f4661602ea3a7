"""The tests of the OpenSpiel adapter run where the extra `bench` is installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("pyspiel") else ["test_openspiel.py"]
