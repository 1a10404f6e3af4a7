"""Texts of people inside a record: what they may hold, and how they stand between quotes."""

import re
from typing import Final

_CONTROLS: Final = (
    "\\x00-\\x1f\\x7f-\\x9f"  # a terminal obeys these
    "\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb"  # invisible
    "\\ud800-\\udfff\\U000e0000-\\U000e007f"  # halves of a character, and invisible tags
)
FORBIDDEN: Final = re.compile(f"[{_CONTROLS}]")
"""What no text of a record holds: controls, invisible and direction-changing characters."""

_PLAIN: Final = f'[^"\\\\{_CONTROLS}]*'
_INSIDE: Final = f'{_PLAIN}(?:\\\\["\\\\]{_PLAIN})*'
QUOTED: Final = re.compile(f'"({_INSIDE})"')
"""A text between quotes, in which `\\"` and `\\\\` stand for a quote and a backslash."""
QUOTED_BEGINNING: Final = re.compile(f'"{_INSIDE}')
"""As much of it as there is."""

_ESCAPED: Final = re.compile(r'\\(["\\])')
_TO_ESCAPE: Final = re.compile(r'(["\\])')
_BACKSLASHED: Final = r"\\\1"


class InvalidValue(ValueError):
    """Raised when a value cannot be part of a record."""


def verify_characters(field: str, text: str) -> None:
    """Raise InvalidValue where a text cannot stand in a record, naming its field."""
    found = FORBIDDEN.search(text)
    if found:
        raise InvalidValue(
            f"{field}: {text!r} holds U+{ord(found[0]):04X}, allowed are characters that print"
        )


def quoted(text: str) -> str:
    """Return a text between quotes, as `QUOTED` reads it."""
    return f'"{_TO_ESCAPE.sub(_BACKSLASHED, text)}"'


def unquoted(inside: str) -> str:
    """Return the text whose form between the quotes this is."""
    return _ESCAPED.sub(r"\1", inside)
