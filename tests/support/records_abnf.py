"""A grammar in ABNF (RFC 5234, RFC 7405) as one regular expression; no rule may need itself."""

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(
    r'\s+|;[^\n]*|(?P<string>(?:%s)?"[^"]*")|(?P<code>%x[0-9A-F]+(?:-[0-9A-F]+)?)'
    r"|(?P<repeat>[0-9]+\*[0-9]*|\*[0-9]*|[0-9]+)|(?P<name>[A-Za-z][A-Za-z0-9-]*)|(?P<mark>[()\[\]/])"
)
_RULE: Final = re.compile(r"^([a-z-]+) +=", re.MULTILINE)
_CORE: Final = {"ALPHA": "[A-Za-z]", "DIGIT": "[0-9]", "SP": "[ ]", "LF": r"\n", "DQUOTE": '"'}


class Grammar:
    """The rules of a grammar by name, each as a regular expression."""

    def __init__(self, text: str) -> None:
        parts = _RULE.split(text)
        self.bodies = dict(zip(parts[1::2], parts[2::2], strict=True))
        self.used: set[str] = set()

    def rule(self, name: str) -> str:
        """The expression of a rule, or of a core rule."""
        self.used.add(name)
        if name in _CORE:
            return _CORE[name]
        tokens = _tokens(self.bodies[name])
        return f"(?:{self._alternation(tokens)})"

    def _alternation(self, tokens: list[tuple[str, str]]) -> str:
        """Take tokens up to the end of the group."""
        pattern = ""
        repeat = ""
        while tokens:
            kind, text = tokens.pop(0)
            if text in (")", "]") and kind == "mark":
                break
            if text == "/" and kind == "mark":
                pattern += "|"
            elif kind == "repeat":
                repeat = _quantifier(text)
            else:
                pattern += self._element(kind, text, tokens) + repeat
                repeat = ""
        return pattern

    def _element(self, kind: str, text: str, tokens: list[tuple[str, str]]) -> str:
        if kind == "mark":
            group = f"(?:{self._alternation(tokens)})"
            return group if text == "(" else f"{group}?"
        if kind == "code":
            low, _, high = text[2:].partition("-")
            return f"[\\U{int(low, 16):08x}-\\U{int(high or low, 16):08x}]"
        if kind == "string":
            return f"(?:{re.escape(text.removeprefix('%s')[1:-1])})"
        return self.rule(text)


def _tokens(body: str) -> list[tuple[str, str]]:
    return list(_scan(body))


def _scan(body: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(body):
        found = _TOKEN.match(body, at)
        assert found is not None, body[at:]
        at = found.end()
        if found.lastgroup is not None:
            yield found.lastgroup, found[0]


def _quantifier(text: str) -> str:
    low, star, high = text.partition("*")
    return f"{{{low or 0},{high}}}" if star else f"{{{low}}}"
