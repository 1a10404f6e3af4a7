"""What has happened and was said."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SideModel:
    """Hold the title and the lines, the oldest first."""

    title: str
    lines: tuple[str, ...]
