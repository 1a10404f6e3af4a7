"""What has happened in a round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogModel:
    """Hold what was done, the oldest first."""

    lines: tuple[str, ...]
