"""Take a signal to end as Ctrl-C is taken, so that all that was started is ended too."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_by_signals() -> Generator[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP too, for as long as this lasts.

    One that is ignored, as `nohup` has it, stays ignored.
    """
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {n: handler for n, handler in handlers.items() if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
