"""`python -m bench`: print what the server, the client and the rules achieve on this machine."""

import argparse
import sys

from bench import client, leagues, load, rules_rounds
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
    parser.add_argument("--seconds", type=int, default=4, help="how long each measure takes")
    parser.add_argument("--rounds", type=int, default=20_000, help="rounds for each line of rules")
    parser.add_argument("--blocks", type=int, default=500, help="blocks of each league")
    arguments = parser.parse_args()
    _wire(arguments.seconds)
    _sdk(arguments.seconds)
    _say("")
    client.show()
    _say("")
    leagues.show(arguments.blocks)
    _say("\nRandom rounds of the rules alone, next to the naive oracle of the tests:")
    rules_rounds.show(arguments.rounds)


def _wire(seconds: int) -> None:
    _say("The server between two processes of bare engines, each with a seat at every table, and")
    _say("a bare ROUTER-DEALER echo of the bytes of a decision, as many at a time. CPU is the")
    _say(f"server process's with all its threads, for one decision or echo. Best of {seconds} s.")
    _say(HEAD)
    for tables in TABLES:
        played = load.measure_tables(tables, seconds)
        _say(_row(tables, played, load.measure_echo(played, tables, seconds)))


def _sdk(seconds: int) -> None:
    played = load.measure_sdk(SDK_TABLES, seconds, SDK_ENGINE)
    _say(f"\nThe same with `passing bot run {SDK_ENGINE}`, {SDK_TABLES} tables:")
    _say(f"{played.per_s:,.0f} decisions/s, {played.cpu_us:.1f} us of the server's CPU for each")


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
