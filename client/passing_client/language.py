"""The language that a person reads: sentences by gettext, whole ones, with named places in them.

Modules take `_`, `plural` and `mark` from here and never keep a translated text beyond the call
that uses it: the language is chosen after they are imported.
"""

import gettext
import locale
from collections.abc import Sequence
from importlib import resources
from typing import Final

LANGUAGES: Final = ("en", "el", "sv", "eo", "ms")
"""The languages there are; the texts in the code are English."""

_DOMAIN: Final = "passing"
_SOURCE: Final = "en"
_current: gettext.NullTranslations = gettext.NullTranslations()


def use(code: str) -> None:
    """Speak a language of `LANGUAGES` from now on. Raises ValueError for another."""
    global _current
    if code not in LANGUAGES:
        raise ValueError(f"language: {code!r} is none of {', '.join(LANGUAGES)}.")
    if code == _SOURCE:
        _current = gettext.NullTranslations()
        return
    folder = resources.files("passing_client") / "locale" / code / "LC_MESSAGES"
    with (folder / f"{_DOMAIN}.mo").open("rb") as catalogue:
        _current = gettext.GNUTranslations(catalogue)


def of_locale() -> str:
    """Return the language of the user's locale, English where there is none for it."""
    name = locale.setlocale(locale.LC_MESSAGES)
    code = name.partition("_")[0].partition(".")[0]
    return code if code in LANGUAGES else _SOURCE


def _(message: str) -> str:
    """Return a text in the language that is spoken."""
    return _current.gettext(message)


def plural(one: str, many: str, number: int) -> str:
    """Return the form of a text that goes with a number, which it may name as `{number}`."""
    return _current.ngettext(one, many, number)


def mark(message: str) -> str:
    """Return a text as it is, but let it be found for the catalogues; `_` it where it is used."""
    return message


def listing(parts: Sequence[str], *, choice: bool = False) -> str:
    """Join parts as a sentence does: `a, b and c`, of which a `choice` has `or`."""
    if len(parts) <= 1:
        return "".join(parts)
    pattern = _("{first} or {last}") if choice else _("{first} and {last}")
    return pattern.format(first=", ".join(parts[:-1]), last=parts[-1])
