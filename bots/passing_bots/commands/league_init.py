"""`passing league init`: an example of a league's settings, to begin with."""

from argparse import ArgumentParser, Namespace
from typing import Final

from passing_link.exits import CommandFailed, ExitCode

HELP = "write an example of a league's settings"
EXAMPLES = """\
  passing league init               print it
  passing league init league.toml
"""

_EXAMPLE: Final = """\
# A league of The Passing Game. Play it: passing league run FILE
# What is commented out shows what else there is, mostly with its default.

name = "first"

# All deals follow from it: the same seed gives the same league again. Drawn anew when absent.
seed = "{seed}"

# A block is one deal in all seat rotations, so that luck cancels. Each pairing plays so many.
blocks = 50

# What a game is: "round", or "match" to the target.
game = "round"

# Games played at once.
tables = 32

[rules]
seats = 2                # 2, 3 or 4: so many engines play a game
# partners = true        # at 4 seats: two engines, each at two seats
# preset = "celko"
# target = 101           # a match is played to it
# lead = "rotate"        # or "winner" or "random"
# pass_circles = 1       # or 2
# out_wins_ties = false
# partner_scoring = "as_written"    # or "opponents"
# max_rounds = 20        # of a match

[clock]
turn_ms = 2000           # for each turn
bank_ms = 10000          # more for the whole game, used when a turn takes longer

[faults]
# margin = 40            # a forfeited game is lost by so many points; a match by its target
in_a_row = 5             # after so many forfeits in a row an engine is out,
percent = 10             # or when it has forfeited this share of at least 20 games
connect_s = 10           # an engine has so many seconds to come to the lobby

# `run` is what `passing bot run` takes: a name from `passing bot list`, or module:Class.
[[engine]]
name = "random"
run = "random"

[[engine]]
name = "greedy"
run = "greedy"

[[engine]]
name = "careful"
run = "careful"

# Any program can play: it finds the server in the environment, in PASSING_ADDRESS (HOST:PORT) and
# PASSING_TOKEN, its name in PASSING_NAME and how many games at once in PASSING_TABLES.
# [[engine]]
# name = "mine"
# command = ["./mine"]
# tables = 8             # games that each of its processes plays at once
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="a new file (standard output)")


def run(arguments: Namespace) -> int:
    """Write the example with a fresh seed; refuses to write over a file."""
    import secrets
    from pathlib import Path

    from passing_bots.league.settings import SEED_BYTES

    text = _EXAMPLE.format(seed=secrets.token_hex(SEED_BYTES))
    if arguments.file is None:
        print(text, end="")
        return ExitCode.DONE
    try:
        with Path(arguments.file).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        sentence = f"{arguments.file}: is there already, and is not written over."
        raise CommandFailed(ExitCode.USAGE, sentence) from None
    except OSError as error:
        sentence = f"{arguments.file}: cannot be written ({error.strerror})."
        raise CommandFailed(ExitCode.USAGE, sentence) from None
    return ExitCode.DONE
