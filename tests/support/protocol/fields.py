"""The fields of the messages in words, as PROTOCOL.md lists them."""

from collections.abc import Sequence
from typing import cast, get_args

import msgspec
from msgspec import inspect

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.messages import ClientMessage, ServerMessage
from tests.support.protocol.schema import tag_of

LARGEST = 2**53
TILE_COUNT = 28
Kind = type[msgspec.Struct]


def _struct_info(kind: Kind) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


def in_words(kind: inspect.Type) -> str:
    """Return the type of a field as the tables of PROTOCOL.md name it."""
    match kind:
        case inspect.IntType(ge=low, le=high):
            return _integer(low, high)
        case inspect.StrType():
            return _string(kind)
        case inspect.BoolType():
            return "true or false"
        case inspect.RawType():
            return "a message"
        case inspect.LiteralType(values=values):
            return "a tile" if len(values) == TILE_COUNT else _one_of(list(values))
        case inspect.EnumType(cls=cls):
            return "an error code" if cls is ErrorCode else _one_of([m.value for m in cls])
        case _:
            return _compound(kind)


def _compound(kind: inspect.Type) -> str:
    """Return the same for the types that hold others."""
    match kind:
        case inspect.Metadata(type=inner):
            return in_words(inner)
        case inspect.UnionType(types=types):
            return _union(types)
        case inspect.ListType(item_type=item):
            return f"array of {in_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(in_words(item) for item in items)}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"map of {in_words(key)} to {in_words(value)}"
        case inspect.StructType(cls=cls):
            return f"{cls.__name__}"
        case _:
            raise TypeError(f"{kind} has no words yet")


def _union(types: tuple[inspect.Type, ...]) -> str:
    kinds = [t for t in types if not isinstance(t, inspect.NoneType)]
    if all(isinstance(t, inspect.StructType) and t.tag_field == "event" for t in kinds):
        return "an event"
    words = " or ".join(in_words(t) for t in kinds)
    return f"{words} or nil" if any(isinstance(t, inspect.NoneType) for t in types) else words


def _one_of(values: Sequence[object]) -> str:
    return " \\| ".join(f"`{value}`" for value in values)


def _integer(low: int | None, high: int | None) -> str:
    if high is None or high == LARGEST:
        return "integer" if low is None else f"integer from {low}"
    return f"integer {low} to {high:,}"


def _string(kind: inspect.StrType) -> str:
    if kind.pattern is not None:
        pattern = kind.pattern.replace("|", "\\|")
        return f"string like `{pattern}`"
    if kind.max_length is None:
        return "string"
    return f"string of {kind.min_length or 0} to {kind.max_length}"


def _default(field: inspect.Field) -> str:
    if field.required:
        return "required"
    default: object = field.default
    if field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    if default is None or default is msgspec.NODEFAULT:
        return ""
    if isinstance(default, msgspec.Struct):
        return "all its defaults"
    return f"`{msgspec.json.encode(default).decode()}`"


def _optional(kind: inspect.Type, field: inspect.Field) -> inspect.Type:
    """Return a field's type without the nil that only says it is absent."""
    if field.required or not isinstance(kind, inspect.UnionType):
        return kind
    kept = tuple(t for t in kind.types if not isinstance(t, inspect.NoneType))
    return kept[0] if len(kept) == 1 else inspect.UnionType(kept)


def field_table(kind: Kind) -> str:
    """Return a Markdown table of the fields of one type."""
    lines = ["| field | what | default |", "|---|---|---|"]
    for field in _struct_info(kind).fields:
        words = in_words(_optional(field.type, field))
        lines.append(f"| `{field.encode_name}` | {words} | {_default(field)} |")
    return "\n".join(lines)


def summary(kind: Kind) -> str:
    """Return a type's docstring as one paragraph after another."""
    text = cast("str", kind.__doc__)
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(" ".join(line.strip() for line in p.splitlines()) for p in paragraphs)


def section(kind: Kind, title: str) -> str:
    """Return the heading, the meaning and the fields of one type."""
    fields = _struct_info(kind).fields
    table = f"\n\n{field_table(kind)}" if fields else ""
    return f"#### {title}\n\n{summary(kind)}{table}"


def _sections(union: object) -> str:
    kinds = cast("tuple[Kind, ...]", get_args(union))
    return "\n\n".join(section(kind, f"`{tag_of(kind)}`") for kind in kinds)


def parts() -> list[Kind]:
    """Return the types that are parts of messages, in the order in which they are first met."""
    met: list[Kind] = []
    for union in (ClientMessage, ServerMessage, Event):
        for kind in cast("tuple[Kind, ...]", get_args(union)):
            _meet(_struct_info(kind), met)
    return [kind for kind in met if kind.__struct_config__.tag is None]


def _meet(kind: inspect.Type, met: list[Kind]) -> None:
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            if cls not in met:
                met.append(cls)
                for field in fields:
                    _meet(field.type, met)
        case inspect.Metadata(type=inner):
            _meet(inner, met)
        case inspect.UnionType(types=types):
            for one in types:
                _meet(one, met)
        case inspect.ListType(item_type=item) | inspect.DictType(value_type=item):
            _meet(item, met)
        case _:
            pass


def client_messages() -> str:
    """Return the sections of all that a client sends."""
    return _sections(ClientMessage)


def server_messages() -> str:
    """Return the sections of all that a server sends."""
    return _sections(ServerMessage)


def events() -> str:
    """Return the sections of all events."""
    return _sections(Event)


def part_sections() -> str:
    """Return the sections of the types that messages and events are made of."""
    return "\n\n".join(section(kind, kind.__name__) for kind in parts())
