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
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

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
    output = _watched_output()
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        speak(words)
        code = _run(words)
        sys.stdout.flush()
    except CommandFailed as failed:
        return _say(failed.code, failed.sentence)
    except KeyboardInterrupt as stop:
        return _interrupted(stop)
    except Exception as error:
        if output is None or error is not output.failure:
            return _unexpected(error)
        code = ExitCode.DONE
    return code if output is None or output.failure is None else _unwritten(output.failure)


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


class _Output(io.TextIOWrapper):
    """Write to standard output, and remember that this has failed, whoever minds it or not."""

    failure: OSError | None = None

    def write(self, text: str) -> int:
        """Write text."""
        try:
            return super().write(text)
        except OSError as error:
            self.failure = error
            raise

    def flush(self) -> None:
        """Write what waits."""
        try:
            super().flush()
        except OSError as error:
            self.failure = error
            raise


def _watched_output() -> _Output | None:
    """Put standard output under watch; None where it is not the process's own."""
    own = sys.__stdout__
    if own is None or sys.stdout is not own:
        return sys.stdout if isinstance(sys.stdout, _Output) else None
    sys.stdout = watched = _Output(
        own.buffer,
        own.encoding,
        own.errors,
        line_buffering=own.line_buffering,
        write_through=own.write_through,
    )
    return watched


def _unwritten(failure: OSError) -> int:
    """Say why the output could not be written; a reader that has left wants no more of it."""
    # What is still buffered would raise once more when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(failure, BrokenPipeError):
        return ExitCode.DONE
    text = _("The output cannot be written: {reason}.")
    return _say(ExitCode.UNEXPECTED, text.format(reason=failure.strerror))


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


def _interrupted(stop: KeyboardInterrupt) -> ExitCode:
    """Return how an interrupted process ends; what comes next at a terminal gets its own line."""
    from passing_link.signals import Ended

    if isinstance(stop, Ended):
        return stop.code
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    return ExitCode.INTERRUPTED


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
    from passing_link.fitting import fitted
    from passing_protocol.names import clean_chat

    told = fitted(f"passing: {clean_chat(sentence, SENTENCE_CHARS)}", sys.stderr)
    with suppress(OSError):  # nobody can be told then
        sys.stderr.write(f"{told}\n")
    return code
