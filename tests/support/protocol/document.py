"""The parts of PROTOCOL.md that are made from the code, and the examples in it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.session_states import (
    NEWS_TYPES,
    REQUEST_TYPES,
    TRANSITIONS,
    AnyState,
    ClientState,
    ServerState,
)
from tests.support.protocol import fields

ROOT = Path(__file__).parents[3] / "protocol"
DOCUMENT = ROOT / "PROTOCOL.md"

_GROUPS = {"every request": REQUEST_TYPES, "numbered messages, pong": NEWS_TYPES}


def diagram(end: type[AnyState]) -> str:
    """Return the states of one end of a session as a Mermaid diagram."""
    lines = ["```mermaid", "stateDiagram-v2"]
    for state, following in TRANSITIONS[end].items():
        left = dict(following)
        for words, group in _GROUPS.items():
            if group <= left.keys():
                lines.append(f"    {state} --> {left[min(group)]}: {words}")
                left = {kind: after for kind, after in left.items() if kind not in group}
        lines.extend(f"    {state} --> {after}: {kind}" for kind, after in left.items())
    return "\n".join([*lines, "```"])


def error_table() -> str:
    """Return every error code with its meaning."""
    lines = ["| code | meaning | try again? |", "|---|---|---|"]
    for code in ErrorCode:
        meaning = MEANINGS[code]
        retry = "later, perhaps" if meaning.retry else "no"
        lines.append(f"| `{code.value}` | {meaning.sentence} | {retry} |")
    return "\n".join(lines)


GENERATED: dict[str, Callable[[], str]] = {
    "client states": lambda: diagram(ClientState),
    "server states": lambda: diagram(ServerState),
    "errors": error_table,
    "client messages": fields.client_messages,
    "server messages": fields.server_messages,
    "events": fields.events,
    "parts": fields.part_sections,
}

_BLOCK = re.compile(
    r"(?P<start><!-- generated: (?P<name>[a-z ]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
_EXAMPLE = re.compile(
    r"```json (?P<end>client|server)\n(?P<text>.*?)\n```\n(?P<hex>```hex\n.*?\n?```)", re.DOTALL
)
HEX_WIDTH = 96


@dataclass(frozen=True, slots=True)
class Example:
    """Hold one message of the text: who sends it, what it says, and its bytes."""

    sender: str
    message: Any
    data: bytes


def examples(text: str) -> list[Example]:
    """Return every example of the text."""
    return [
        Example(
            found["end"],
            json.loads(found["text"]),
            bytes.fromhex(found["hex"].removeprefix("```hex").removesuffix("```")),
        )
        for found in _EXAMPLE.finditer(text)
    ]


def _hex_block(message: object) -> str:
    digits = msgpack.packb(message).hex()
    lines = [digits[at : at + HEX_WIDTH] for at in range(0, len(digits), HEX_WIDTH)]
    return "\n".join(["```hex", *lines, "```"])


def regenerated(text: str) -> str:
    """Return the document with its generated parts and the bytes of its examples made anew."""
    text = _BLOCK.sub(
        lambda found: f"{found['start']}{GENERATED[found['name']]()}\n{found['end']}", text
    )
    return _EXAMPLE.sub(
        lambda found: found[0].replace(found["hex"], _hex_block(json.loads(found["text"]))), text
    )
