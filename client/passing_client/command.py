"""The `passing` command: finds the sub-command that is meant, runs it, and ends in good manners.

Sub-commands are found through the entry-point group `passing_game.commands`, so that each role
brings its own and a third party can add one. An entry point's name is what the user types, with
a dot where a command nests (`bot.run` is `passing bot run`); its value is a module that has what
`CommandModule` lists, and may have `EXAMPLES`, lines of text that its help begins with.

`passing --help` imports every command module for its line of help. So a command module imports
at its top only what is light, and everything else inside its `run`.
"""

import io
import os
import select
import sys
import traceback
from collections.abc import Sequence

from passing_client.command_tree import CommandTree
from passing_client.language import _
from passing_client.speaking import speak
from passing_link.exits import CommandFailed, ExitCode

DEBUG_VARIABLE = "PASSING_DEBUG"
SENTENCE_CHARS = 2_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; no traceback reaches the user.

    `argv` is what follows the program's name; None means the process's own. With the
    environment variable PASSING_DEBUG set, an unexpected exception shows its traceback too.
    """
    _prepare_streams()
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        speak(words)
        code = _run(words)
        sys.stdout.flush()
    except CommandFailed as failed:
        return _say(failed.code, failed.sentence)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError as error:
        return ExitCode.DONE if _stdout_is_gone() else _unexpected(error)
    except Exception as error:
        return _unexpected(error)
    return code


def _prepare_streams() -> None:
    """Let no output fail for its encoding, and stand in for standard streams that are closed.

    The lowest closed one comes first, as what is opened next gets its number: nothing else, a
    socket say, must be read or written for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream: object = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(words: Sequence[str]) -> int:
    """Parse the words and run what they name."""
    tree = CommandTree.installed()
    parser = tree.parser_for(words)
    try:
        arguments = parser.parse_args(words)
    except SystemExit as stop:
        # argparse has printed the help, the version or what is wrong with the usage.
        return ExitCode.DONE if not stop.code else ExitCode.USAGE
    return tree.run(arguments)


def _unexpected(error: Exception) -> int:
    """Say in one sentence what happened that should not have."""
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exception(error)
    detail = f": {error}" if str(error) else ""
    text = _("Unexpected {error}. Set {variable}=1 to see where.")
    told = text.format(error=f"{type(error).__name__}{detail}", variable=DEBUG_VARIABLE)
    return _say(ExitCode.UNEXPECTED, told)


def _say(code: ExitCode, sentence: str) -> int:
    """Print the sentence on stderr and return the code.

    A server may have written part of it, and a terminal obeys control characters.
    """
    from passing_protocol.names import clean_chat

    sys.stderr.write(f"passing: {clean_chat(sentence, SENTENCE_CHARS)}\n")
    return code


def _stdout_is_gone() -> bool:
    """Tell whether the reader of our output left; if so nothing more is written to it."""
    try:
        output = sys.stdout.fileno()
    except io.UnsupportedOperation:
        return False
    poll = select.poll()
    poll.register(output, 0)
    gone = any(event & select.POLLERR for _, event in poll.poll(0))
    if gone:
        # What is still buffered would raise once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    return gone
