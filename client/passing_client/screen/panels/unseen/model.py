"""What is shown of the tiles that are not on the table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unseen:
    """Hold a title, what the boneyard hides, the tiles, and how many of them have each number."""

    title: str
    hidden: str
    tiles: tuple[str, ...]
    label: str
    left: tuple[int, ...]
