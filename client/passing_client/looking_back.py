"""Look at a replay at the full screen: an errand that needs no server."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from passing_client.going import Stay
from passing_client.replaying import Replay
from passing_client.screen.full_screen import FullScreen
from passing_client.settings import Settings
from passing_link.exits import ExitCode
from passing_link.news import LinkNews


def look_back(replay: Replay, settings: Settings) -> ExitCode:
    """Show a replay until the person leaves it; raises CommandFailed."""
    return asyncio.run(FullScreen(_Nowhere(), settings, replay).run())


@dataclass(frozen=True, slots=True)
class _Nowhere:
    """Go nowhere, and stay there until the screen ends."""

    private: bool = False
    to_the_end: bool = False
    wanted: str | None = None
    server: str = ""
    starting: str = ""

    def begin(self) -> None:
        """Begin nothing."""

    def end(self) -> None:
        """End nothing."""

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Wait until this is cancelled."""
        await asyncio.Event().wait()
        return ExitCode.DONE
