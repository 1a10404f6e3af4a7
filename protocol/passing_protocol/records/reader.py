"""Read the text of records piece by piece, and say where a piece is not what it must be."""

import re
from dataclasses import dataclass
from typing import Final, cast

from passing_protocol.records.quoting import QUOTED, QUOTED_BEGINNING, unquoted

_GAP: Final = re.compile(r"[ \t]*")
_LINE_END: Final = re.compile(r"[ \t]*(?:;[^\n]*)?\r?(?:\n|\Z)")
_NOTHING: Final = re.compile(r"(?:[ \t]*(?:;[^\n]*)?\r?\n)*[ \t]*(?:;[^\n]*)?")
_WORD: Final = re.compile(r'[^ \t\r\n;"=|}\]]+|[^ \t\r\n]?')
_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]{0,5})(?![0-9])")
_SHOWN: Final = 20
"""How many characters of what is wrong are told."""


@dataclass(frozen=True, slots=True)
class Place:
    """Name a place in a text: the bytes before it, as UTF-8, and line and column from 1."""

    offset: int
    line: int
    column: int

    def __str__(self) -> str:
        """Write it for people."""
        return f"line {self.line}, column {self.column} (byte {self.offset})"


def place_of(text: str, at: int) -> Place:
    """Return the place after so many characters of a text."""
    before = text[:at]
    offset = len(before.encode("utf-8", "surrogatepass"))
    return Place(offset, before.count("\n") + 1, at - before.rfind("\n"))


class InvalidRecord(ValueError):
    """Raised when a text is no record, or tells of what cannot have happened.

    `place` is that of the first wrong piece.
    """

    def __init__(self, message: str, place: Place) -> None:
        """Keep the place, and say it with the message."""
        super().__init__(f"{place}: {message}")
        self.message = message
        self.place = place


class NoRecord(InvalidRecord):
    """Raised when a text does not begin as a record does; `line` is the first that says more."""

    def __init__(self, line: str, wrong: InvalidRecord) -> None:
        """Keep the line with what is wrong there."""
        super().__init__(wrong.message, wrong.place)
        self.line = line


def invalid(text: str, at: int, message: str) -> InvalidRecord:
    """Return the error for a place in a text, counted in characters."""
    return InvalidRecord(message, place_of(text, at))


def decode(data: bytes) -> str:
    """Return the text of a file of records; raises InvalidRecord where it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        raise invalid(good, len(good), "expected a character in UTF-8") from None


class Reader:
    """Walk through a text; every method raises InvalidRecord where the text is another.

    `at` is where the last piece began, in characters. Blanks between pieces, empty lines and
    comments mean nothing.
    """

    def __init__(self, text: str) -> None:
        """Begin at the first line that is not empty."""
        self.text = text
        self.position = 0
        self.at = 0
        self._skip_nothing()

    def _skip_nothing(self) -> None:
        self.position = _end(_NOTHING, self.text, self.position)

    @property
    def done(self) -> bool:
        """Tell whether nothing is left."""
        return self.position == len(self.text)

    def next_is(self, beginning: str) -> bool:
        """Tell whether the next piece begins like this."""
        return self.text.startswith(beginning, self._after_gap())

    def _after_gap(self) -> int:
        return _end(_GAP, self.text, self.position)

    def wrong(self, expected: str, at: int | None = None) -> InvalidRecord:
        """Return the error of another piece than was expected, at the next one or at a place."""
        place = self._after_gap() if at is None else at
        word = self.text[place : _end(_WORD, self.text, place)][:_SHOWN]
        found = repr(word) if word else "nothing more"
        return invalid(self.text, place, f"expected {expected}, found {found}")

    def verify_begins(self, mark: str) -> None:
        """Raise NoRecord where something is left that begins otherwise."""
        if not self.done and not self.next_is(mark):
            at = self._after_gap()
            line = self.text[self.text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
            raise NoRecord(line.strip(), self.wrong(mark))

    def piece(self, pattern: re.Pattern[str], expected: str) -> str:
        """Take the next piece."""
        at = self._after_gap()
        found = pattern.match(self.text, at)
        if found is None:
            raise self.wrong(expected, at)
        self.at = at
        self.position = found.end()
        return found[0]

    def mark(self, mark: str) -> None:
        """Take a mark or a word that stands there whatever is told."""
        at = self._after_gap()
        if not self.text.startswith(mark, at):
            raise self.wrong(mark, at)
        self.at = at
        self.position = at + len(mark)

    def choice(self, *words: str) -> str:
        """Take one of some words."""
        return self.piece(re.compile(rf"(?:{'|'.join(words)})(?![a-z_])"), " or ".join(words))

    def number(self, what: str, allowed: range | None = None) -> int:
        """Take a number."""
        value = int(self.piece(_NUMBER, what))
        if allowed is not None and value not in allowed:
            span = f" from {allowed.start} to {allowed.stop - 1}" if len(allowed) > 1 else ""
            raise self.wrong(f"{what}{span}", self.at)
        return value

    def ascending(self, what: str, stop: int, *ends: str) -> list[int]:
        """Take numbers below `stop`, each higher than the one before, up to one of `ends`."""
        numbers = [self.number(what, range(stop))]
        first = self.at
        while not any(map(self.next_is, ends)):
            following = f"a higher number or {' or '.join(ends)}"
            numbers.append(self.number(following, range(numbers[-1] + 1, stop)))
        self.at = first
        return numbers

    def quoted(self) -> str:
        """Take a text between quotes."""
        at = self._after_gap()
        found = QUOTED.match(self.text, at)
        if found is None:
            begun = QUOTED_BEGINNING.match(self.text, at)
            if begun is None:
                raise self.wrong("a text between quotes", at)
            raise self.wrong("a character that prints, or the closing quote", begun.end())
        self.at = at
        self.position = found.end()
        return unquoted(found[1])

    def end_line(self, expected: str = "the end of the line") -> None:
        """Take the end of the line, and what means nothing after it."""
        found = _LINE_END.match(self.text, self.position)
        if found is None:
            raise self.wrong(expected)
        self.position = found.end()
        self._skip_nothing()

    @property
    def at_line_end(self) -> bool:
        """Tell whether no further piece is on this line."""
        return _LINE_END.match(self.text, self.position) is not None


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return where the match of a pattern ends that matches the empty text too."""
    return cast("re.Match[str]", pattern.match(text, at)).end()
