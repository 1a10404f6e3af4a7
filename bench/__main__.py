"""`python -m bench`: print what the server and the rules achieve on this machine."""

import argparse
import sys

from bench import load
from bench.meters import Measured

TABLES = (1, 16, 64, 256)
SDK_TABLES = 64
SDK_ENGINE = "random"

HEAD = (
    "tables  decisions/s  wall us  CPU us  bytes in/out  | echo: per s  wall us  CPU us"
    "  | ratio: wall  CPU"
)


def main() -> None:
    """Measure everything in one run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each measure takes")
    seconds = parser.parse_args().seconds
    _say("The server between two engine processes, and a bare ROUTER-DEALER echo of as many")
    _say("bytes; CPU is the server process's, all threads, per decision or echo.")
    _say(HEAD)
    for tables in TABLES:
        played = load.measure_tables(tables, seconds)
        _say(_row(tables, played, load.measure_echo(played, tables, seconds)))


def _row(tables: int, played: Measured, echoed: Measured) -> str:
    sizes = f"{played.bytes_out / played.decisions:.0f}/{played.bytes_in / played.decisions:.0f}"
    return (
        f"{tables:6}  {played.per_s:11,.0f}  {played.wall_us:7.1f}  {played.cpu_us:6.1f}"
        f"  {sizes:>12}  | {echoed.per_s:11,.0f}  {echoed.wall_us:7.1f}  {echoed.cpu_us:6.1f}"
        f"  | {played.wall_us / echoed.wall_us:11.1f}  {played.cpu_us / echoed.cpu_us:3.1f}"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
