"""Names and chat as they may be shown: one harmless line, whatever was sent.

Terminals obey control characters, and people believe what they read: so control and escape
sequences, invisible and direction-changing characters are taken out, and names that read the
same have the same key.
"""

import re
import unicodedata
from typing import Final

from wcwidth import wcswidth

NAME_COLUMNS: Final = 24
CHAT_CHARS: Final = 200
NAME_CHARS: Final = 64
"""The most characters of a name on the wire, accents counted; and of what an agent tells."""
VERSION_CHARS: Final = 32
"""The most characters of an agent's version on the wire."""
DETAIL_CHARS: Final = 400
"""The most characters of a sentence that says what is wrong."""
_MARKS_EACH: Final = 2
"""Accents that may stand on one letter; more would climb into the lines above."""

_ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # a control sequence: colours, cursor, erasing
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"  # titles, clipboard, answers
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
_SPACES: Final = frozenset({"Zs", "Zl", "Zp"})
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Characters that print nothing although Unicode does not count them as format characters."""


def _plain(character: str) -> str:
    """Return what is left of a character: itself, a space, or nothing."""
    if character in "\t\n\v\f\r\x85":
        return " "
    category = unicodedata.category(character)
    if category in _SPACES:
        return " "
    return "" if category in _HIDDEN or character in _INVISIBLE else character


def _few_marks(text: str) -> str:
    """Return the text with at most two accents on a letter, and none where there is no letter."""
    kept: list[str] = []
    marks = _MARKS_EACH
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me"):
            marks += 1
        else:
            marks = _MARKS_EACH if character == " " else 0
        if marks <= _MARKS_EACH:
            kept.append(character)
    return "".join(kept)


def _one_line(text: str) -> str:
    """Return text without anything a terminal obeys or a reader cannot see."""
    visible = "".join(map(_plain, _ESCAPES.sub("", text)))
    return " ".join(_few_marks(unicodedata.normalize("NFC", visible)).split())


def clean_name(text: str, limit: int = NAME_CHARS) -> str:
    """Return a name as it may be shown, at most 24 columns wide; empty if nothing is left.

    It has at most `limit` characters, those of the field it goes into: normalised, a text may
    have more of them than before.
    """
    name = _one_line(text)[:limit]
    while wcswidth(name) > NAME_COLUMNS:  # of the whole: some marks are as wide as what they follow
        name = name[:-1]
    return name.rstrip()


def clean_chat(text: str, limit: int = CHAT_CHARS) -> str:
    """Return a line of chat as it may be shown, at most `limit` characters; may be empty."""
    return _one_line(text)[:limit].rstrip()


_LOOK_ALIKES: Final = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4"  # Greek
    "\u03a5\u03a7\u03f9\u037f"  # Greek
    "\u03f2\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u03f3"  # Greek, small
    "\u03b5"  # Greek, small
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421"  # Cyrillic
    "\u0422\u0423\u04ae\u0425\u0500\u051a\u051c\u04ba\u04c0"  # Cyrillic
    "\u0430\u0435\u0455\u0456\u0458\u043a\u043e\u0440\u0441\u0442\u0443\u04af"  # Cyrillic, small
    "\u0445\u0501\u051b\u051d\u04bb\u04cf\u0475\u043c\u043d\u0432"  # Cyrillic, small
    "\u0585\u0555\u057d\u054d\u0570\u0578\u0581"  # Armenian
    "\u0131\u0251\u0261\u0269\u01c0|01",  # Latin and digits
    "ABEZHIKMNOPTYXCJcaikvoptuxyjeABESIJKMHOPCTYYXDQWHlaesijkopctyyxdqwhlvmhboOuUhngiagillol",
)
"""Characters of other scripts, and digits, that read like a Latin letter."""

_SAME_LETTER: Final = str.maketrans({"i": "l"})
"""After case is folded a capital I and a small l, which read the same, are still two."""


def name_key(text: str) -> str:
    """Return what two names have in common when they read the same; it is not for showing.

    Look-alikes are replaced before the case is folded, as a capital and its small letter may
    look like different Latin ones (Greek nu like N, and like v).
    """
    latin = unicodedata.normalize("NFKC", clean_name(text)).translate(_LOOK_ALIKES)
    return unicodedata.normalize("NFKC", latin.casefold()).translate(_SAME_LETTER)
