"""What is shown as help."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """Hold what a person presses, `d  F5  +`, and what it does in a sentence."""

    keys: str
    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """Hold a few words on the game, the keys, a heading for the commands, and a line for each.

    The line of a command begins with how it is typed.
    """

    game: str
    keys: tuple[KeyHelp, ...]
    heading: str
    commands: tuple[str, ...]
