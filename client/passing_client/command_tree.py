"""The tree of sub-commands and the parser made from it; only what is called gets imported."""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Final, Protocol, Self, runtime_checkable

from passing_client.language import _, mark
from passing_link.exits import CommandFailed, ExitCode

DISTRIBUTION: Final = "passing-game"
COMMAND_GROUP: Final = "passing_game.commands"
DESCRIPTION: Final = mark("The Passing Game: dominoes for people and engines at one table.")
EXAMPLES: Final = mark(
    """\
  passing rules                     read the rules
  passing play --bots 3             sit down with three engines, here and now
  passing play localhost            sit down at the server of this machine
"""
)

Runner = Callable[[Namespace], int]
Path = tuple[str, ...]
"""The words that lead to a command."""


@runtime_checkable
class CommandModule(Protocol):
    """Describe what the module behind an entry point has; `EXAMPLES` may be there too."""

    HELP: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's arguments to its parser."""
        ...

    def run(self, arguments: Namespace) -> int:
        """Do the command and return its exit code; raise CommandFailed where it cannot."""
        ...


class ExamplesFirst(ArgumentParser):
    """Print help that begins with examples."""

    examples: str = ""

    def format_help(self) -> str:
        """Return the examples, and after them argparse's own help."""
        if not self.examples.strip():
            return super().format_help()
        from passing_client.hanging import hung

        examples = (hung(row, sys.stdout) for row in self.examples.rstrip().splitlines())
        return "\n".join((_("Examples:"), *examples, "", super().format_help()))


@dataclass(frozen=True, slots=True)
class Call:
    """Hold where the words lead: () is the command itself, None everywhere at once."""

    path: Path | None

    def needs(self, path: Path) -> bool:
        """Tell whether what is at a path has to be complete, and so imported."""
        if self.path is None:
            return True
        if not self.path:
            # Its help has a line for each word that can follow, and no more.
            return len(path) <= 1
        return _starts(path, self.path) or _starts(self.path, path)


@dataclass(frozen=True, slots=True)
class CommandTree:
    """Hold where each command's module is, by dotted name; modules are imported when needed."""

    entries: Mapping[str, metadata.EntryPoint]

    @classmethod
    def installed(cls) -> Self:
        """Return the commands of all distributions installed here."""
        found = metadata.entry_points(group=COMMAND_GROUP)
        return cls({entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)})

    def parser_for(self, words: Sequence[str] | None = None) -> ExamplesFirst:
        """Return a parser that is complete where these words lead; without words, everywhere.

        Where the words lead to one command, the others are known by name and not imported.
        """
        call = Call(None if words is None else self._path(words))
        root = ExamplesFirst(
            prog="passing", description=_(DESCRIPTION), formatter_class=RawDescriptionHelpFormatter
        )
        root.examples = _(EXAMPLES)
        version = f"passing {metadata.version(DISTRIBUTION)}"
        # Without a text of ours argparse has one that it does not look up in every version.
        told = _("show program's version number and exit")
        root.add_argument("--version", action="version", version=version, help=told)
        self._grow(root, (), call)
        return root

    def run(self, arguments: Namespace) -> int:
        """Run the command that `parser_for`'s parser has found in the words."""
        runner: Runner = arguments.passing_runner
        return runner(arguments)

    def _path(self, words: Sequence[str]) -> Path:
        """Return the leading words that name a command or a group of commands."""
        path: Path = ()
        for word in words:
            if not any(_under(name, (*path, word)) for name in self.entries):
                break
            path = (*path, word)
        return path

    def _grow(self, parser: ExamplesFirst, path: Path, call: Call) -> None:
        """Give the parser its own arguments and one sub-parser for each word that can follow."""
        parser.set_defaults(passing_runner=_helper(parser))
        if call.needs(path):
            self._attach(parser, path, call)
        children = self._children(path)
        if not children:
            return
        metavar = "[COMMAND]" if ".".join(path) in self.entries else "COMMAND"
        branches = parser.add_subparsers(title=_("commands"), metavar=metavar)
        for child in children:
            branch = (*path, child)
            text = self._help(branch) if call.needs(branch) else None
            self._grow(branches.add_parser(child, help=text), branch, call)

    def _attach(self, parser: ExamplesFirst, path: Path, call: Call) -> None:
        """Make the parser that of the command at `path`, if there is one."""
        entry = self.entries.get(".".join(path))
        if entry is None:
            return
        try:
            module = load(entry)
        except CommandFailed:
            # A command that is broken must not take the help of all others with it.
            if path == call.path:
                raise
            return
        parser.description = _(module.HELP)
        parser.examples = _(getattr(module, "EXAMPLES", ""))
        parser.set_defaults(passing_runner=module.run)
        module.add_arguments(parser)

    def _children(self, path: Path) -> list[str]:
        """Return the words that can follow a path."""
        below = (name.split(".") for name in self.entries if _under(name, path))
        return sorted({parts[len(path)] for parts in below if len(parts) > len(path)})

    def _help(self, path: Path) -> str:
        """Return the line of help of a command, or what a group of commands has."""
        entry = self.entries.get(".".join(path))
        if entry is None:
            text = _("has the commands: {commands}")
            return text.format(commands=", ".join(self._children(path)))
        try:
            return _(load(entry).HELP)
        except CommandFailed:
            return _("cannot be loaded here")


def load(entry: metadata.EntryPoint) -> CommandModule:
    """Import a command's module; raise CommandFailed where that fails or it is none."""
    command = f"passing {entry.name.replace('.', ' ')}"
    try:
        module: object = entry.load()
    except Exception as error:
        text = _("The command `{command}` cannot be loaded: {error}.")
        sentence = text.format(command=command, error=error)
        raise CommandFailed(ExitCode.UNEXPECTED, sentence) from error
    if not isinstance(module, CommandModule):
        text = _("The command `{command}` cannot be used: {module} is no command module.")
        sentence = text.format(command=command, module=entry.value)
        raise CommandFailed(ExitCode.UNEXPECTED, sentence)
    return module


def _helper(parser: ArgumentParser) -> Runner:
    """Return what is run where a group of commands is named and none of them."""

    def show_help(_arguments: Namespace) -> int:
        """Print the help on standard error and return the code of wrong usage."""
        parser.print_help(sys.stderr)
        return ExitCode.USAGE

    return show_help


def _under(name: str, path: Path) -> bool:
    """Tell whether a dotted name is at or below a path."""
    return _starts(tuple(name.split(".")), path)


def _starts(path: Path, start: Path) -> bool:
    """Tell whether one path begins with another."""
    return path[: len(start)] == start
