"""Live through many tables that are restored at every moment: python -m tests.table.many_lives."""

import argparse
import random
import sys
import time
from collections import Counter

from tests.support.kept_lives import Life, Store, as_bytes
from tests.support.kept_plans import any_plan, any_steps


def live(seed: int, steps: int, store: Store = as_bytes) -> Life:
    chance = random.Random(seed)
    life = Life(any_plan(chance), store)
    life.live(any_steps(chance, steps))
    return life


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.table.many_lives", description=__doc__)
    parser.add_argument("--lives", type=int, default=10_000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=120, help="the most steps of a life")
    arguments = parser.parse_args()
    start = time.monotonic()
    seen = Counter[str]()
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.lives):
        try:
            seen += live(seed, arguments.steps).seen
        except Exception:
            sys.stderr.write(f"--first-seed {seed} --lives 1 --steps {arguments.steps}\n")
            raise
    seconds = time.monotonic() - start
    for name, count in sorted(seen.items()):
        sys.stdout.write(f"{count:>9,} {name}\n")
    sys.stdout.write(f"{arguments.lives:,} lives in {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
