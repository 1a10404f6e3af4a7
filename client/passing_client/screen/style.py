"""The one place where looks are decided: every style of the screen by its name.

Colour is never the only sign of anything. Without colour the styles keep bold, underlined and
reversed text.
"""

from collections.abc import Mapping
from typing import Final

STYLES: Final[Mapping[str, str]] = {
    "title": "bold",
    "rule": "ansibrightblack",
    "rule.title": "bold",
    "turn": "bold ansiyellow",
    "you": "bold",
    "partner": "ansicyan",
    "away": "ansibrightblack",
    "tile": "",
    "tile.new": "bold",
    "tile.fits": "bold ansigreen",
    "tile.chosen": "reverse",
    "mark": "bold ansigreen",
    "end": "bold ansiyellow",
    "bar": "ansigreen",
    "note": "ansibrightblack",
    "prompt": "bold",
    "warning": "bold ansired",
    "key": "bold",
    "hint": "",
    "selected": "reverse",
    "chat": "ansicyan",
    "won": "bold ansigreen",
}
"""Style names, as the first part of a fragment, and what each is in prompt_toolkit's words."""

_ATTRIBUTES: Final = frozenset({"bold", "underline", "reverse"})


def without_colour() -> dict[str, str]:
    """Return the same styles with nothing left of them but bold, underlined and reversed."""
    return {
        name: " ".join(word for word in style.split() if word in _ATTRIBUTES)
        for name, style in STYLES.items()
    }
