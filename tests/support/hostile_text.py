"""Texts that do harm where they are shown as they are, and what is never shown of any text."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar, cast

import msgspec
from msgspec import inspect
from msgspec.structs import replace

HOSTILE: Final = (
    "\x1b[2Jgone",
    "\x1b[31;1mred\x1b[0m",
    "\x1b]0;owned\x07name",
    "\x1b]52;c;cm0gLXJm\x07clip",
    "\x1b]52;c;cm0gLXJm\x1b\\clip",
    "\x1b]8;;http://den\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP+q544e\x1b\\dcs",
    "\x1b[200~rm\x1b[201~",
    "\x9b2Jgone",
    "\x9d0;owned\x9cname",
    "\x90q\x9csixel",
    "a\rServer: you win",
    "a\nServer: you win",
    "a\r\n2026-01-01T00:00:00Z forged",
    "a\x85b\u2028c\u2029d",
    "bell\x07 back\x08 ask\x05",
    "nul\x00 del\x7f",
    "\u202eevil\u202c",
    "\u2066left\u2069\u200f",
    "zero\u200bwidth\u200d\u2060\ufeff",
    "tag\U000e0041\U000e007f",
    "own\ue000\U000f0000",
    "\u3164\u115f\u2800\ufe0f blank",
    "Z" + "\u0335\u0336\u0337\u0338\u0339" * 5 + "algo",
    "\u5c71" * 60,
    '"; rm -rf ~ #<script>alert(1)</script>&lt;',
)
"""What ends a line, moves, erases, retitles, copies, asks back, turns or hides what is read."""

_FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_UNSEEN: Final = frozenset("\u3164\u115f\u1160\u2800\ufe0f\ufe0e\u034f\uffa0")
_MARKS_EACH: Final = 2

StructT = TypeVar("StructT", bound=msgspec.Struct)


def harm(text: str) -> list[str]:
    """Return, escaped, what a line that is shown must never hold; nothing for a harmless one."""
    found = [
        ascii(character)
        for character in text
        if unicodedata.category(character) in _FORBIDDEN or character in _UNSEEN
    ]
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > _MARKS_EACH:
            found.append("too many accents")
    return found


def harm_in(value: object) -> list[str]:
    """Return the same for every text in a value, however deep."""
    match value:
        case str():
            return harm(value)
        case msgspec.Struct():
            return harm_in(msgspec.to_builtins(value))
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return [found for pair in items for each in pair for found in harm_in(each)]
        case list() | tuple():
            return [found for each in cast("Iterable[object]", value) for found in harm_in(each)]
        case _:
            return []


def with_text(message: StructT, text: str) -> StructT:
    """Return a message with that text in each field that may hold one, as far as it fits."""
    return replace(message, **dict(_texts(message, text)))


def _texts(message: msgspec.Struct, text: str) -> Iterator[tuple[str, object]]:
    info = inspect.type_info(type(message))
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        value: object = getattr(message, field.name)
        changed = _changed(value, field.type, text)
        if changed is not value:
            yield field.name, changed


def _changed(value: object, kind: inspect.Type, text: str) -> object:
    """Return a value with the text in it; the same value where none belongs there."""
    match value:
        case msgspec.Struct():
            return with_text(value, text)
        case str() if (limit := _room(kind)) is not None and type(value) is str:
            return text[:limit]
        case list():
            item = _within(kind)
            return [_changed(each, item, text) for each in cast("list[object]", value)]
        case _:
            return value


def _kinds(kind: inspect.Type) -> Iterator[inspect.Type]:
    match kind:
        case inspect.UnionType(types=types):
            for one in types:
                yield from _kinds(one)
        case inspect.Metadata(type=inner):
            yield from _kinds(inner)
        case _:
            yield kind


def _within(kind: inspect.Type) -> inspect.Type:
    lists = [one for one in _kinds(kind) if isinstance(one, inspect.ListType)]
    return lists[0].item_type if lists else kind


def _room(kind: inspect.Type) -> int | None:
    """Return how long a text in a field may be; None for fields that hold none of that kind."""
    for one in _kinds(kind):
        if isinstance(one, inspect.StrType) and one.pattern is None:
            return one.max_length or 400
    return None
