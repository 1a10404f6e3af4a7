"""The folder of a league."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LeagueFolder:
    """Name what is in the folder of a league."""

    path: Path

    @property
    def log(self) -> Path:
        """Return the path of the log."""
        return self.path / "log.ndjson"

    @property
    def results(self) -> Path:
        """Return the folder of all that is derived from the log."""
        return self.path / "results"

    @property
    def server(self) -> Path:
        """Return the folder of the league's server."""
        return self.path / "server"

    @property
    def engines(self) -> Path:
        """Return the folder of what engines write."""
        return self.path / "engines"

    def __str__(self) -> str:
        """Return the path as a person names the folder."""
        return str(self.path)
