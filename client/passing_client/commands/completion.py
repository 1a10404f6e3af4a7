"""`passing completion SHELL`: a script that lets the shell complete our commands."""

from argparse import ArgumentParser, Namespace

from passing_client.language import mark
from passing_client.settings import add_setting_flags
from passing_link.exits import ExitCode

SHELLS = ("bash", "zsh", "tcsh", "fish")

HELP = mark("print a completion script for a shell")
EXAMPLES = mark(
    """\
  eval "$(passing completion bash)"                            in this shell, now
  passing completion zsh > ~/.zsh/completions/_passing         for good, where fpath looks
  passing completion fish > ~/.config/fish/completions/passing.fish
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the shell's name and the language."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print the script; it knows every command that is installed here."""
    import shtab

    from passing_client.command_tree import CommandTree

    print(shtab.complete(CommandTree.installed().parser_for(), shell=arguments.shell))
    return ExitCode.DONE
