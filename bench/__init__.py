"""Benchmarks: `python -m bench` prints what server and rules achieve here; nothing is asserted."""
