"""Markdown as plain text for reading in a terminal: headings, paragraphs, lists, as-is blocks."""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

_HEADING: Final = re.compile(r"(#+) +(.*)")
_ITEM: Final = re.compile(r"( *)([-*]|\d+\.) +")
_INLINE: Final = (
    (re.compile(r"\[([^\]]+)\]\([^)]+\)"), r"\1"),
    (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"\1"),
)
_UNDERLINES: Final = ("=", "-")


def plain_text(markdown: str, width: int | None = None) -> str:
    """Return the text without its marks, wrapped to `width` columns, or a line a paragraph."""
    blocks = _blocks(markdown.splitlines())
    return "\n".join(line for block in blocks for line in _written(block, width)) + "\n"


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Part the lines into blocks: each heading, paragraph, list item, table and fence is one."""
    block: list[str] = []
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if not fenced and block and (fence or _begins(line, block)):
            yield block
            block = []
        block.append(line)
        fenced = fenced != fence
    if block:
        yield block


def _begins(line: str, block: list[str]) -> bool:
    """Tell whether a line outside a fence begins a block of its own."""
    last = block[-1]
    apart = not line.strip() or not last.strip() or last.lstrip().startswith("```")
    return apart or bool(_HEADING.match(line) or _HEADING.match(last) or _ITEM.match(line))


def _written(block: list[str], width: int | None) -> list[str]:
    """Return a block as lines of plain text."""
    first = block[0]
    if first.lstrip().startswith("```"):
        return [f"    {line}" for line in block[1:-1]]
    if first.lstrip().startswith("|"):
        return [_unmarked(line) for line in block]
    if heading := _HEADING.match(first):
        return _heading(_unmarked(heading[2]), len(heading[1]), width)
    item = _ITEM.match(first)
    start = item[0] if item else ""
    text = _unmarked(" ".join(line.strip() for line in block).removeprefix(start.lstrip()))
    return _wrapped(start, text, width)


def _heading(text: str, depth: int, width: int | None) -> list[str]:
    """Return a heading, underlined if it is one of the two highest."""
    lines = _wrapped("", text, width)
    if depth <= len(_UNDERLINES):
        lines.append(_UNDERLINES[depth - 1] * max(map(len, lines)))
    return lines


def _wrapped(start: str, text: str, width: int | None) -> list[str]:
    """Return a paragraph, or an item whose later lines stand under its first word."""
    if width is None or not text:
        return [start + text]
    later = " " * len(start)
    return textwrap.wrap(
        text, width, initial_indent=start, subsequent_indent=later, break_on_hyphens=False
    )


def _unmarked(text: str) -> str:
    """Return a line without marks of emphasis, code and links."""
    for pattern, kept in _INLINE:
        text = pattern.sub(kept, text)
    return text
