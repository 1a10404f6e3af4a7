"""The engine that plays anything: for first steps, and to see what luck alone is worth."""

from hashlib import blake2b
from typing import Final

from passing_bots.engine import Engine
from passing_bots.view import TurnView
from passing_rules import Action, Pass

PASS_WEIGHT: Final = 0.1
"""Chance weight of a pass against 1 of any other action, or most rounds would be passed out."""

_CHANCE_BYTES: Final = 6
"""As many as a float holds exactly."""


class RandomEngine(Engine):
    """Choose any legal action; passes rarely where there is anything else to do."""

    def choose(self, view: TurnView) -> Action:
        """Return a legal action by chance."""
        others = [action for action in view.legal if not isinstance(action, Pass)]
        drawn = _chance(view) * (len(others) + PASS_WEIGHT)
        return others[int(drawn)] if drawn < len(others) else Pass()


def _chance(view: TurnView) -> float:
    """Return a number from 0 to below 1, the same for the same seed and turn.

    For a single number a hash does; to seed `view.random` takes nine times as long.
    """
    key = f"{view.seed}:{view.turn}".encode()
    digest = blake2b(key, digest_size=_CHANCE_BYTES).digest()
    return int.from_bytes(digest, "big") / 256**_CHANCE_BYTES
