"""How long to wait before something is tried again."""

import random


def jittered(pause_s: float) -> float:
    """Return a pause of seconds made shorter by chance, by up to a half.

    Those who were sent away together do not come back together.
    """
    return pause_s * random.uniform(0.5, 1.0)  # noqa: S311  it guards nothing
