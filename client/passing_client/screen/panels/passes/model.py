"""What is shown of the passes and draws of a round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idle:
    """Hold a seat and what it did instead of playing, the oldest first: `passed at 5/3`."""

    name: str
    deeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passes:
    """Hold a title and the seats in their order."""

    title: str
    seats: tuple[Idle, ...]
