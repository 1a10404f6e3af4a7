"""What keys and clicks do on a turn; one that comes too early for it does nothing."""

from passing_client.language import _
from passing_client.screen import filters
from passing_client.screen.choice import Choice
from passing_client.screen.doing import Doing
from passing_client.screen.scene import Scene
from passing_client.screen.timing import heeds_asked, heeds_turn
from passing_rules import End, Play, Tile


class Turns:
    """Play, draw and pass in a scene."""

    def __init__(self, scene: Scene, choice: Choice, doing: Doing) -> None:
        """Keep which tile is chosen, and what obeys."""
        self._scene = scene
        self._choice = choice
        self._doing = doing

    def play(self, end: End | None = None) -> None:
        """Play the chosen tile at this end, without one at the chosen end."""
        if self._scene.chosen is not None:
            self._obey(str(Play(self._scene.chosen, end or self._scene.end)))

    def click(self, tile: Tile) -> None:
        """Choose a tile of the hand that was clicked on; a second click plays it."""
        table = filters.playing(self._scene)
        if table is None or tile not in table.hand:
            return
        if self._scene.chosen == tile:
            self.play()
        else:
            self._choice.choose(tile)

    def draw(self) -> None:
        """Draw a tile."""
        self._obey("draw")

    def pass_turn(self) -> None:
        """Pass; while a tile fits a second press has to say so again, once that was asked."""
        desk = self._scene.desk
        if desk.shown_turn is not None and not heeds_turn(self._scene):
            self._scene.flash = _("That was too early: your turn has only just come.")
            self._scene.fleeting = self._scene.flash
        elif desk.pass_asked in (None, desk.acted) or heeds_asked(self._scene):
            self._obey("pass")

    def _obey(self, line: str) -> None:
        """Do what a key means on a turn, if it counts for it."""
        heeds_turn(self._scene)
        self._doing.obey(line)
        self._scene.fleeting = self._scene.flash
