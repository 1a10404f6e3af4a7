"""Take a signal to end as Ctrl-C is taken, so that all that was started is ended too."""

import signal
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from types import FrameType
from typing import Final

from passing_link.exits import ExitCode

_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)

Handler = Callable[[int, FrameType | None], object] | int | None
"""What is done about a signal, as `signal.getsignal` tells it."""


class Ended(KeyboardInterrupt):
    """Raised when a signal asks the process to end, which is the same as Ctrl-C to most."""

    def __init__(self, number: int) -> None:
        """Keep which signal it was."""
        super().__init__()
        self.code = ended_by(number)


def ended_by(number: int) -> ExitCode:
    """Return the exit code of a process that a signal has asked to end."""
    return ExitCode(128 + number)


def heeded(numbers: Iterable[int]) -> dict[int, Handler]:
    """Return the handlers of the signals that may be handled otherwise for a while.

    One that is ignored, as `nohup` has it, stays ignored.
    """
    handlers = {number: signal.getsignal(number) for number in numbers}
    return {n: handler for n, handler in handlers.items() if handler is not signal.SIG_IGN}


@contextmanager
def ended_by_signals() -> Generator[None]:
    """Raise Ended, a KeyboardInterrupt, on SIGTERM and SIGHUP for as long as this lasts."""
    before = heeded(_SIGNALS)
    for number in before:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Ended(number)
