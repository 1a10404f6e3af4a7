"""What happens to a server, one line each: sentences for people, or JSON for programs.

Nothing of a game is ever logged: no tile, token, seed or routing id, and no name.
"""

import time
from contextlib import suppress
from typing import TextIO

import msgspec

from passing_link.fitting import fitted_prose

Field = str | int | None


class Log:
    """Write lines to a stream; one that cannot be written is dropped, and the server goes on."""

    def __init__(self, stream: TextIO, *, as_json: bool) -> None:
        """Take the stream, which is for the log alone."""
        self.as_json = as_json
        self._stream = stream

    def tell(self, event: str, sentence: str, **fields: Field) -> None:
        """Write that something has happened: its stable name, a sentence, and what belongs to it.

        Line ends and other control characters in the sentence become spaces.
        """
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if self.as_json:
            told = {"time": moment, "event": event, **fields, "words": sentence}
            self._write(msgspec.json.encode(told).decode())
        else:
            self._write(f"{moment} {sentence}")

    def show(self, text: str) -> None:
        """Write lines for people, which say nothing to a program."""
        if not self.as_json:
            for line in text.splitlines():
                self._write(line)

    def _write(self, line: str) -> None:
        harmless = "".join(letter if letter.isprintable() else " " for letter in line)
        shown = harmless if self.as_json else fitted_prose(harmless, self._stream)
        with suppress(OSError):  # the disk of the log may be full, or its reader gone
            self._stream.write(f"{shown}\n")
            self._stream.flush()
