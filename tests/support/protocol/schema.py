"""JSON Schemas (2020-12) of the messages, made from their types."""

from typing import Any, cast, get_args

import msgspec

from passing_protocol.messages import ClientMessage, ServerMessage

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MESSAGE_TYPES: tuple[type[msgspec.Struct], ...] = (
    *get_args(ClientMessage),
    *get_args(ServerMessage),
)

ONE_OF_THREE: Schema = {
    "oneOf": [
        {"required": ["play"]},
        {"required": ["draw"], "properties": {"draw": {"const": True}}},
        {"required": ["pass"], "properties": {"pass": {"const": True}}},
    ],
    "dependentRequired": {"end": ["play"]},
}
"""What `ActionMessage` demands beyond its fields."""


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Return what stands in `type` (or `event`) of a message of that kind."""
    return str(kind.__struct_config__.tag)


def schemas() -> dict[str, Schema]:
    """Return a schema for every message type, each complete in itself, by the value of `type`."""
    _, components = msgspec.json.schema_components(MESSAGE_TYPES, ref_template="#/$defs/{name}")
    definitions = cast("dict[str, Schema]", components)
    definitions["ActionMessage"] |= ONE_OF_THREE
    return {tag_of(kind): _schema(kind, definitions) for kind in MESSAGE_TYPES}


def _schema(kind: type[msgspec.Struct], definitions: dict[str, Schema]) -> Schema:
    own = definitions[kind.__name__]
    needed: set[str] = set()
    _collect(own, definitions, needed)
    schema: Schema = {"$schema": DIALECT, "$id": f"{tag_of(kind)}.json", **own}
    if needed:
        schema["$defs"] = {name: definitions[name] for name in sorted(needed)}
    return schema


def _collect(node: object, definitions: dict[str, Schema], needed: set[str]) -> None:
    """Add the names of all definitions that a part of a schema refers to, also through others."""
    if isinstance(node, dict):
        members = cast("dict[str, object]", node)
        reference = members.get("$ref")
        name = reference.removeprefix("#/$defs/") if isinstance(reference, str) else None
        if name is not None and name not in needed:
            needed.add(name)
            _collect(definitions[name], definitions, needed)
        for value in members.values():
            _collect(value, definitions, needed)
    elif isinstance(node, list):
        for value in cast("list[object]", node):
            _collect(value, definitions, needed)
