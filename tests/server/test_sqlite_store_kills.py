"""A process may be killed at any instant: what it had acknowledged is there."""

from pathlib import Path
from random import Random

from tests.support.store_kills import Killed


def test_what_was_acknowledged_outlives_the_process(tmp_path: Path) -> None:
    killed = Killed(tmp_path, seed=1)
    chance = Random(1)
    acknowledged = [killed.kill_after(chance.random() * 0.1) for _ in range(10)]
    assert sum(acknowledged) > 10
