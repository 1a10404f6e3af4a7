"""The engine that plays anything: for first steps, and to see what luck alone is worth."""

from typing import Final

from passing_bots.engine import Engine
from passing_bots.view import TurnView
from passing_rules import Action, Pass

PASS_WEIGHT: Final = 0.1
"""Chance weight of a pass against 1 of any other action, or most rounds would be passed out."""


class RandomEngine(Engine):
    """Choose any legal action; passes rarely where there is anything else to do."""

    def choose(self, view: TurnView) -> Action:
        """Return a legal action by chance."""
        weights = [PASS_WEIGHT if isinstance(action, Pass) else 1.0 for action in view.legal]
        return view.random.choices(view.legal, weights)[0]
