"""Run the real server with one way to cheat in it, or none.

`python -m tests.support.unfair_server --cheat KIND --state DIR`; all but `--cheat` goes to
`passing serve`.
"""

import argparse
import sys
from collections.abc import Sequence

from passing_client.command import main as passing
from tests.support.cheats import CHEATS, planted


def main(words: Sequence[str]) -> int:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="unfair_server", description=__doc__)
    parser.add_argument("--cheat", metavar="KIND", choices=CHEATS)
    arguments, rest = parser.parse_known_args(words)
    with planted(CHEATS.get(arguments.cheat, ())):
        return passing(["serve", *rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
