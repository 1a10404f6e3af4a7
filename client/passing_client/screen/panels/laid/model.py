"""What is shown of a train that is done."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Laid:
    """Hold the train from left to right, each tile as its halves lie, and the boneyard's tiles.

    `yard` is a sentence, empty where nobody may know it.
    """

    title: str
    halves: tuple[tuple[int, int], ...]
    yard: str = ""
