"""Which tile of the hand is chosen, and for which end: typed, moved to, and kept while held."""

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.moves import (
    Misfit,
    MisfitReason,
    TypedPlay,
    choose,
    fitting_ends,
    read_play,
)
from passing_client.screen.filters import is_writing
from passing_client.screen.scene import Focus, Scene
from passing_client.words.refusals import misfit_sentence
from passing_rules import End, Tile


class Choice:
    """Choose a tile of the hand in the scene; nothing is ever played from here."""

    def __init__(self, scene: Scene) -> None:
        """Keep the scene whose choice this is."""
        self._scene = scene

    @property
    def _table(self) -> TableModel | None:
        return self._scene.desk.table

    def move(self, step: int) -> None:
        """Choose the tile before or after the chosen one, round and round."""
        hand, chosen = self._table.hand if self._table is not None else (), self._scene.chosen
        if hand:
            at = hand.index(chosen) if chosen in hand else (-1 if step > 0 else 0)
            self.choose(hand[(at + step) % len(hand)])

    def digit(self, digit: str) -> None:
        """Take one of the two numbers of a tile."""
        self._scene.focus = Focus.HAND
        typed = read_play(self._scene.typed + digit)
        if digit > "6":
            self._scene.flash = _("A tile is two numbers from 0 to 6.")
        elif typed is None:
            self.forget()
            self._scene.typed = digit
        else:
            self.typed(typed)

    def choose_end(self, end: End) -> None:
        """Choose the end for the chosen tile; says so where it does not fit."""
        if self._scene.chosen is not None:
            self.typed(TypedPlay(self._scene.chosen, end))

    def typed(self, typed: TypedPlay) -> None:
        """Choose a tile that was typed if it is held, and say what stands against playing it."""
        table = self._table
        if table is None:
            return
        found = choose(typed, table.hand, table.legal)
        held = not isinstance(found, Misfit) or found.reason is not MisfitReason.NOT_HELD
        if isinstance(found, Misfit) and (table.ask is not None or not held):
            self._scene.flash = self._scene.fleeting = misfit_sentence(found, table.view.ends)
        if held:
            self.choose(typed.tile)
            self._scene.end = typed.end if typed.end in self._ends() else self._scene.end
        else:
            self.forget()

    def choose(self, tile: Tile) -> None:
        """Choose a tile, and its end where it fits only one."""
        self._scene.typed = ""
        self._scene.chosen, self._scene.end = tile, None
        self.keep()

    def forget(self) -> None:
        """Choose nothing; what is being written is no choice."""
        if not is_writing(self._scene):
            self._scene.typed = ""
        self._scene.chosen = self._scene.end = None

    def keep(self) -> None:
        """Keep the chosen tile while it is held, and its end while it fits there."""
        hand = self._table.hand if self._table is not None else ()
        if self._scene.chosen not in hand:
            self._scene.chosen = None
        ends = self._ends()
        if self._scene.end not in ends:
            self._scene.end = ends[0] if len(ends) == 1 else None

    def _ends(self) -> tuple[End, ...]:
        """Return the ends at which the chosen tile fits."""
        table, chosen = self._table, self._scene.chosen
        return fitting_ends(chosen, table.view.ends) if table and chosen else ()
