"""The texts and vectors that come with the protocol, for whoever has no checkout of it."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

_PACKAGED: Final = files("passing_protocol") / "data"
_SOURCE: Final = Path(__file__).parent.parent


def find_data(name: str) -> Traversable:
    """Return a file or folder by its name under protocol/, such as `RULES.md` or `vectors`.

    A wheel holds them inside this package; an editable install reads the checkout's own.
    """
    return _PACKAGED / name if _PACKAGED.is_dir() else _SOURCE / name


def read_data(name: str) -> str:
    """Return the text of a file by its name under protocol/; raises FileNotFoundError."""
    return find_data(name).read_text(encoding="utf-8")
