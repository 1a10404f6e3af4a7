"""What is shown of the scores."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """Hold one side: who it is, and how many points it has."""

    name: str
    score: int
    won: bool = False
    you: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """Hold what is played to, in words and as a number, and the sides, the highest first."""

    title: str
    target: int
    bars: tuple[Bar, ...]
