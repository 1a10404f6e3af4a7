"""Compare the rules with the naive oracle: `python -m tests.rules.agree --rounds 100000`."""

import argparse
import sys

from tests.support.agreement import play_matches


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.rules.agree", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000, help="at least so many rounds")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other rounds")
    arguments = parser.parse_args()
    met = play_matches(arguments.seed, arguments.rounds)
    for name, count in sorted(met.items()):
        sys.stdout.write(f"{count:>8} {name}\n")


if __name__ == "__main__":
    main()
