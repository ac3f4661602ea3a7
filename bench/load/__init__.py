"""The whole game under load: see bench.load.__main__."""
