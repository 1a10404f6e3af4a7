"""Benchmarks: `python -m bench` prints what server, leagues and rules do; nothing is asserted."""
