"""The options that a table can be made with, as they are typed: `seats=2 deal=fair partners`.

Which there are and what each may be follows from the protocol's types.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

import msgspec
from msgspec import inspect

from passing_client.language import _, listing
from passing_protocol.views import GameOptions, TableOptions

_OPTIONS = TypeVar("_OPTIONS", GameOptions, TableOptions)
_SHOWN: Final = 24
"""Of a value that is wrong no more than so many characters are shown."""

_BOOLEAN: Final = ("true", "false")
_FORMS: Final = {"faults": ("retry:0", "retry:99", "pass", "forfeit")}
"""What an option may be that is a text of its own form: the first to the second, or another."""


class InvalidOption(ValueError):
    """Raised when there is no such option, or it cannot be that; its text is a sentence."""


def read_options(given: Mapping[str, str]) -> tuple[GameOptions, TableOptions]:
    """Return the options that are given by their names; raises InvalidOption."""
    for name, value in given.items():
        kind = next((k for k in (GameOptions, TableOptions) if name in k.__struct_fields__), None)
        if kind is None:
            text = _("There is no option {option}; there are {options}.")
            names = ", ".join(each for each, _allowed in allowed_values())
            raise InvalidOption(text.format(option=repr(name[:_SHOWN]), options=names))
        try:
            msgspec.convert({name: value}, kind, strict=False)
        except msgspec.ValidationError:
            text = _("{option}: {value} cannot be; allowed is {allowed}.")
            allowed = dict(allowed_values())[name]
            told = text.format(option=name, value=repr(value[:_SHOWN]), allowed=allowed)
            raise InvalidOption(told) from None
    return _converted(given, GameOptions), _converted(given, TableOptions)


def allowed_values() -> Iterator[tuple[str, str]]:
    """Yield every option's name, and what it may be in words."""
    for kind in (GameOptions, TableOptions):
        described = inspect.type_info(kind)
        if isinstance(described, inspect.StructType):
            for field in described.fields:
                yield field.encode_name, _allowed(field.encode_name, field.type)


def _allowed(name: str, described: inspect.Type) -> str:
    match described:
        case inspect.UnionType(types=types):
            return _allowed(name, types[0])
        case inspect.IntType(ge=lowest, le=highest):
            return _span(lowest, highest)
        case inspect.EnumType(cls=cls):
            return listing([str(member.value) for member in cls], choice=True)
        case inspect.LiteralType(values=values):
            return listing([str(value) for value in values], choice=True)
        case inspect.StrType():
            first, last, *others = _FORMS[name]
            return listing([_span(first, last), *others], choice=True)
        case _:
            return listing(_BOOLEAN, choice=True)


def _span(lowest: object, highest: object) -> str:
    return _("{lowest} to {highest}").format(lowest=lowest, highest=highest)


def _converted(given: Mapping[str, str], kind: type[_OPTIONS]) -> _OPTIONS:
    own = {name: value for name, value in given.items() if name in kind.__struct_fields__}
    return msgspec.convert(own, kind, strict=False)
