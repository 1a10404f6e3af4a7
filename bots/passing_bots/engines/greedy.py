"""The engine that gets rid of its heaviest tile, as a beginner would."""

from passing_bots.engine import Engine
from passing_bots.view import TurnView
from passing_rules import Action, Draw, Pass


class GreedyEngine(Engine):
    """Play the heaviest tile that fits; else draw while one can; else pass."""

    def choose(self, view: TurnView) -> Action:
        """Return the heaviest play, a draw or a pass."""
        if view.plays:
            return max(view.plays, key=lambda play: play.tile.pips)
        return Draw() if view.can_draw else Pass()
