"""Benchmarks: every module here with a `measure() -> dict[str, float]` of named figures takes part."""
