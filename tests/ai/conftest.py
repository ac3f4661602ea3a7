"""The tests of training run where the extra `train` is installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["test_training.py"]
