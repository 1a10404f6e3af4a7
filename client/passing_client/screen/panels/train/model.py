"""What is shown of the train."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Laid:
    """Hold a tile as it lies: its left and its right half; `new` marks the one played last."""

    left: int
    right: int
    new: bool = False

    @property
    def is_double(self) -> bool:
        """Tell whether it lies crosswise (R2.5)."""
        return self.left == self.right


@dataclass(frozen=True, slots=True)
class TrainModel:
    """Hold the tiles, the parts of the title, and the open ends in words; `empty` is for none.

    `short_title` and `short_right` are for a small screen.
    """

    tiles: tuple[Laid, ...]
    title: tuple[str, ...]
    right: str
    short_title: tuple[str, ...]
    short_right: str
    empty: str
