"""The words that a person can type: one table gives the parser and the help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from passing_client.language import _, mark

Actor = TypeVar("Actor")


class Place(StrEnum):
    """Name where a command can be used."""

    LOBBY = "lobby"
    TABLE = "table"
    ANYWHERE = "anywhere"


@dataclass(frozen=True, slots=True)
class Command(Generic[Actor]):
    """Hold one command: how it is typed, where, what it is for, and what it does.

    `argument` names what may follow, in the help; empty where nothing may. It and `help` are
    marked for the catalogues; the words are the same in every language. `do` gets who acts and
    the text of the argument.
    """

    name: str
    aliases: tuple[str, ...]
    argument: str
    place: Place
    help: str
    do: Callable[[Actor, str], object]

    @property
    def words(self) -> tuple[str, ...]:
        """Return every word that calls the command."""
        return (self.name, *self.aliases)

    def fits(self, place: Place) -> bool:
        """Tell whether the command can be used at a place."""
        return self.place in (place, Place.ANYWHERE)


def find(
    commands: Sequence[Command[Actor]], text: str, place: Place
) -> tuple[Command[Actor], str] | None:
    """Return the command that a line begins with and the rest of the line; None for none.

    One that can be used at this place is taken before another with the same word.
    """
    word, _space, rest = text.strip().partition(" ")
    named = [command for command in commands if word.casefold() in command.words]
    for command in sorted(named, key=lambda command: not command.fits(place)):
        return command, rest.strip()
    return None


def wrong_place(word: str, place: Place) -> str:
    """Return that a command is of no use at a place, and where it would be."""
    return _(_WRONG_PLACE[place]).format(word=word)


_WRONG_PLACE: Final = {
    Place.LOBBY: mark("{word} is for a table: sit down or watch one first."),
    Place.TABLE: mark("{word} is for the lobby: leave the table first."),
}


def help_lines(commands: Sequence[Command[Actor]], place: Place) -> list[str]:
    """Return a line of help for every command that can be used at a place."""
    usable = [command for command in commands if command.fits(place)]
    calls = [_call(command) for command in usable]
    width = max(map(len, calls))
    return [
        f"  {call.ljust(width)}  {_(command.help)}"
        for call, command in zip(calls, usable, strict=True)
    ]


def command_help(command: Command[Actor]) -> str:
    """Return the help of one command, with the other words for it."""
    call = f"{command.name} {_(command.argument)}".rstrip()
    what = f"{call}: {_(command.help)}."
    if not command.aliases:
        return what
    also = _("Also: {words}").format(words=" ".join(command.aliases))
    return f"{what} {also}"


def _call(command: Command[Actor]) -> str:
    """Return how a command is typed: its shortest words first, as they are used most."""
    words = " ".join(sorted(command.words, key=len))
    return f"{words} {_(command.argument)}".rstrip()
