"""What the bar of keys shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hint:
    """Hold a key as a person reads it and what it does, in a word or two."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class HintsModel:
    """Hold the hints in order, and the place of the one that Enter does, None for none."""

    hints: tuple[Hint, ...]
    selected: int | None = None
