"""The language that a person reads: sentences by gettext, whole ones, with named places in them.

Modules take `_`, `plural` and `mark` from here and never keep a translated text beyond the call
that uses it: the language is chosen after they are imported.
"""

import gettext
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import resources
from pathlib import Path
from typing import Final, Literal, get_args

Language = Literal["en", "el", "sv", "eo", "ms"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The languages there are; the texts in the code are English."""

DOMAIN: Final = "passing"
_SOURCE: Final = "en"
_slash: Final = ContextVar("slash", default="")
"""What a typed command begins with, which is nothing in line mode."""

_current: gettext.NullTranslations = gettext.NullTranslations()
_spoken: str = _SOURCE


def catalogues() -> Path:
    """Return the folder of the catalogues, one folder in it a language."""
    return Path(str(resources.files("passing_client"))) / "locale"


def use(code: str) -> None:
    """Speak a language of `LANGUAGES` from now on. Raises ValueError for another."""
    global _current, _spoken
    if code not in LANGUAGES:
        raise ValueError(f"language: {code!r} is none of {', '.join(LANGUAGES)}.")
    fallback = code == _SOURCE
    _current = gettext.translation(DOMAIN, catalogues(), [code], fallback=fallback)
    _spoken = code


def spoken() -> str:
    """Return the language that is spoken."""
    return _spoken


def of_locale(environment: Mapping[str, str] = os.environ) -> Language:
    """Return the first language of the user's locale that there is, English where none is.

    As gettext has it: `LANGUAGE` is a list that goes first, but counts for nothing in the C
    locale, and of the others `LC_ALL` is stronger than `LC_MESSAGES`, and that than `LANG`.
    """
    for name in _wanted(environment):
        for code in LANGUAGES:
            if code == _code(name):
                return code
    return _SOURCE


def _wanted(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the locales that the environment asks for, the most wanted first."""
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in variables if environment.get(name)), "")
    if _code(locale) not in ("C", "POSIX"):
        yield from environment.get("LANGUAGE", "").split(":")
        yield locale


def _code(locale: str) -> str:
    """Return the language of a locale: that of `sv_SE.UTF-8` is `sv`."""
    return locale.partition("@")[0].partition(".")[0].partition("_")[0]


def _(message: str) -> str:
    """Return a text in the language that is spoken."""
    # In a catalogue the empty text has the catalogue's own head.
    return _current.gettext(message) if message else ""


def plural(one: str, many: str, number: int) -> str:
    """Return the form of a text that goes with a number, which it may name as `{number}`."""
    return _current.ngettext(one, many, number)


def mark(message: str) -> str:
    """Return a text as it is, but let it be found for the catalogues; `_` it where it is used."""
    return message


@contextmanager
def slashed() -> Generator[None]:
    """Tell of typed commands with the slash that they begin with, as long as this lasts."""
    before = _slash.set("/")
    try:
        yield
    finally:
        _slash.reset(before)


def typed(text: str) -> str:
    """Return a text that tells of commands: its `{slash}` is what they begin with here."""
    return text.replace("{slash}", _slash.get())


def listing(parts: Sequence[str], *, choice: bool = False) -> str:
    """Join parts as a sentence does: `a, b and c`, of which a `choice` has `or`."""
    if len(parts) <= 1:
        return "".join(parts)
    pattern = _("{first} or {last}") if choice else _("{first} and {last}")
    return pattern.format(first=", ".join(parts[:-1]), last=parts[-1])
