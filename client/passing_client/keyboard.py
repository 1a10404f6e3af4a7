"""Where typed lines come from: a terminal with editing and history, or plain standard input."""

import asyncio
import codecs
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, Protocol

PROMPT: Final = "> "
BARE_TERMINALS: Final = frozenset({"", "dumb"})
"""The kinds (TERM) of terminals where nothing can be edited or drawn."""

_CHUNK: Final = 65_536


class Keyboard(Protocol):
    """Describe what gives typed lines, and lets others be printed meanwhile."""

    def printing(self) -> AbstractContextManager[object]:
        """Return a context in which what is printed leaves the line being typed alone."""
        ...

    def lines(self) -> AsyncIterator[str]:
        """Yield each line as it is typed, until the input ends; raises KeyboardInterrupt."""
        ...

    def ring(self) -> None:
        """Call the person at the keyboard."""
        ...


class TerminalKeyboard:
    """Read lines at a terminal; what is printed meanwhile appears above the line being typed."""

    def __init__(self) -> None:
        """Prepare the prompt; needs a terminal."""
        from prompt_toolkit import PromptSession

        self._session: PromptSession[str] = PromptSession(PROMPT, enable_suspend=True)

    def printing(self) -> AbstractContextManager[object]:
        """Return a context in which printed lines are put above the prompt."""
        from prompt_toolkit.patch_stdout import patch_stdout

        return patch_stdout()

    async def lines(self) -> AsyncIterator[str]:
        """Yield each line until Ctrl-D; raises KeyboardInterrupt on Ctrl-C."""
        while True:
            try:
                line = await self._session.prompt_async()
            except EOFError:
                return
            yield readable(line)

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._session.output.bell()


class PlainKeyboard:
    """Read lines from a pipe, a file or a terminal that can do nothing."""

    def __init__(self, descriptor: int = 0) -> None:
        """Read from a file descriptor, standard input by default."""
        self._descriptor = descriptor

    def printing(self) -> AbstractContextManager[object]:
        """Return a context that changes nothing."""
        return nullcontext()

    async def lines(self) -> AsyncIterator[str]:
        """Yield each line until the input ends; the last one need not be ended.

        Nothing is read before it is asked for: what comes later may be for another keyboard.
        """
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[list[str] | None] = asyncio.Queue()
        wanted = threading.Semaphore()
        # A thread, as the event loop can watch pipes but not files; a daemon, as a read that
        # waits can be ended by nothing but the end of the process.
        arguments = (self._descriptor, wanted, queue, loop)
        threading.Thread(target=_read_lines, args=arguments, daemon=True).start()
        while (lines := await queue.get()) is not None:
            for line in lines:
                yield line
            wanted.release()

    def ring(self) -> None:
        """Do nothing: nobody hears a bell here."""


def _read_lines(
    descriptor: int,
    wanted: threading.Semaphore,
    queue: asyncio.Queue[list[str] | None],
    loop: asyncio.AbstractEventLoop,
) -> None:
    """Put some lines into the queue each time they are wanted, and None when the input has ended.

    It reads the descriptor itself: a thread that waits in sys.stdin would hold its lock when
    the interpreter ends.
    """
    with suppress(RuntimeError):  # the loop that would be told is closed
        wanted.acquire()
        for lines in _lines_of(descriptor):
            loop.call_soon_threadsafe(queue.put_nowait, lines)
            wanted.acquire()
        loop.call_soon_threadsafe(queue.put_nowait, None)


def _lines_of(descriptor: int) -> Iterator[list[str]]:
    """Yield the lines of a descriptor as they come; input that cannot be read is at its end."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    with suppress(OSError):
        while data := os.read(descriptor, _CHUNK):
            *lines, rest = (rest + decoder.decode(data)).split("\n")
            if lines:
                yield lines
    if rest:
        yield [rest]


def readable(text: str) -> str:
    """Return text without the lone surrogates that bytes which are no text come as.

    No message can hold them.
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_terminal() -> bool:
    """Tell whether a person can be asked and told something."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_full_terminal() -> bool:
    """Tell whether a person sits at a terminal where text can be put anywhere."""
    return is_terminal() and os.environ.get("TERM", "") not in BARE_TERMINALS


def here() -> Keyboard:
    """Return the keyboard that standard input is."""
    return TerminalKeyboard() if is_full_terminal() else PlainKeyboard()
