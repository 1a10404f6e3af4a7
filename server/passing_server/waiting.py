"""Wait for room on a disk that is full when the server starts."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from passing_link.exits import CommandFailed, ExitCode
from passing_server.log import Log
from passing_server.storing import DiskFull, StoreFailed

RETRY_S: Final = 1.0

Done = TypeVar("Done")


class Waiting:
    """Do the steps of a start, each of them again and again until there is room for it.

    Nothing watches for signals yet, so SIGTERM and SIGINT end the process at once.
    """

    def __init__(self, log: Log) -> None:
        """Take the log, which is told once."""
        self._log = log
        self._told = False

    def done(self, step: Callable[[], Done], code: ExitCode = ExitCode.UNEXPECTED) -> Done:
        """Return what a step returns in the end.

        Raises what it raises, but CommandFailed with that code in place of StoreFailed.
        """
        while True:
            try:
                return step()
            except DiskFull as full:
                self._tell(full)
                time.sleep(RETRY_S)
            except StoreFailed as error:
                raise CommandFailed(code, str(error)) from None

    def _tell(self, full: DiskFull) -> None:
        if not self._told:
            self._told = True
            sentence = f"The server starts when there is room on the disk: {full}"
            self._log.tell("store_failed", sentence)
