"""Play many matches under a wire tap: `python -m tests.server.secrets --matches 1000`."""

import argparse
import sys
import time

from tests.support.secret_matches import SecretMatch


def main() -> None:
    """Play the matches, say how many frames were checked, and fail at the first leak."""
    parser = argparse.ArgumentParser(prog="python -m tests.server.secrets", description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000, help="how many matches")
    parser.add_argument("--first", type=int, default=0, help="the number of the first match")
    parser.add_argument("--target", type=int, default=61, help="the points that end a match")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    frames = updates = repeated = 0
    for number in range(arguments.first, arguments.first + arguments.matches):
        try:
            played = SecretMatch(number, arguments.target).play()
        except BaseException:
            sys.stderr.write(f"match {number} failed: --first {number} --matches 1\n")
            raise
        frames += played.frames
        updates += played.updates
        repeated += played.repeated
    sys.stdout.write(
        f"{arguments.matches:,} matches, {frames:,} frames, {updates:,} updates checked, "
        f"{repeated:,} sent again, in {time.perf_counter() - begun:.0f} s\n"
    )


if __name__ == "__main__":
    main()
