"""Find engines: those installed here by name, and anybody's by `module:Class`."""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from passing_bots.engine import Engine

GROUP: Final = "passing_game.bots"
"""The group of entry points by which a distribution offers its engines."""


class UnknownEngine(Exception):
    """Raised when a name or `module:Class` leads to no engine."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Describe an engine that is installed here."""

    name: str
    spec: str
    distribution: str
    summary: str


def installed() -> tuple[Offer, ...]:
    """Return the engines of all distributions installed here, by name."""
    entries = sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(
        Offer(
            entry.name,
            entry.value,
            entry.dist.name if entry.dist is not None else "?",
            _summary(entry.value),
        )
        for entry in entries
    )


def find(spec: str) -> Callable[[], Engine]:
    """Return what makes the engines of a name or a `module:Class`; raises UnknownEngine.

    A module is looked for in the current folder too.
    """
    if ":" in spec:
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)  # last, so that a file here hides no module of others
        return _load(spec)
    entries = {entry.name: entry.value for entry in metadata.entry_points(group=GROUP)}
    if spec not in entries:
        known = ", ".join(sorted(entries)) or "none"
        raise UnknownEngine(
            f"engine: {spec!r} is not installed here; known are {known}, or give module:Class"
        )
    return _load(entries[spec])


def _load(spec: str) -> Callable[[], Engine]:
    module_name, _, class_name = spec.partition(":")
    try:
        found: object = getattr(importlib.import_module(module_name), class_name)
    except (
        Exception,
        SystemExit,
    ) as error:  # whatever a stranger's module does when it is imported
        raise UnknownEngine(f"engine: {spec!r} cannot be loaded: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Engine)):
        raise UnknownEngine(f"engine: {spec!r} is not a subclass of passing_bots.Engine")
    return found


def _summary(spec: str) -> str:
    """Return the first line of an engine's docstring, or why it has none."""
    try:
        lines = (_load(spec).__doc__ or "").strip().splitlines()
    except UnknownEngine as error:
        return str(error)
    return lines[0] if lines else ""
