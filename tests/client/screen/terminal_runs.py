"""A full screen in this process with a server that the test plays, from its start to its end."""

import asyncio
from collections.abc import Callable, Coroutine

from passing_client.settings import Settings
from passing_protocol.messages import Act, Join, Lobby, Tables, Update
from passing_protocol.views import Clock, Mine
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    after,
    ask,
    round_view,
    table_info,
    taken,
    tiles,
)
from tests.support.drawn_terminal import DrawnTerminal, ScriptedErrand, terminal

RESTORED = ("\x1b[?1049l", "\x1b[?25h", "\x1b[23;0t")
"""The alternate screen left, the cursor shown, the title taken back."""

Scenario = Callable[[DrawnTerminal, ScriptedErrand], Coroutine[None, None, None]]


def run(
    scenario: Scenario,
    settings: Settings | None = None,
    *,
    columns: int = 80,
    rows: int = 24,
    private: bool = False,
) -> str:
    """Let a scenario happen, and return all that was written to the terminal."""

    async def happens() -> str:
        errand = ScriptedErrand(private=private)
        async with terminal(errand, settings, columns=columns, rows=rows) as screen:
            await scenario(screen, errand)
        return screen.sink.raw

    return asyncio.run(happens())


async def in_lobby(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
    """Reach the server, which has one table."""
    errand.reached.set()
    await screen.until(lambda: errand.link.sent[:1] == [Lobby(0)])
    kitchen = table_info("kitchen", [taken("Bo"), EMPTY])
    errand.link.inbox.put_nowait(Tables(1, 1, [kitchen], []))
    await screen.shows("kitchen")


async def on_turn(
    screen: DrawnTerminal, errand: ScriptedErrand, clock: Clock | None = None
) -> None:
    """Sit down at the table of the lobby when it is Dana's turn there."""
    await in_lobby(screen, errand)
    screen.press("enter")
    await screen.until(lambda: Join(0, TABLE) in errand.link.sent)
    view = after(round_view(), "06", "d", "00<")
    errand.link.inbox.put_nowait(
        Update(
            2,
            TABLE,
            1,
            [],
            re=errand.link.sent.index(Join(0, TABLE)) + 1,
            public=view,
            mine=Mine(0, tiles("02 04 13 46 55 56")),
            ask=ask(view.turn, "02< 04< 46> 56> d -", clock=clock),
        )
    )
    await screen.shows("YOUR TURN")


def actions(errand: ScriptedErrand) -> list[str]:
    return [str(act.action.action) for act in errand.link.sent if isinstance(act, Act)]


def is_restored(raw: str) -> bool:
    """Tell whether the terminal is as it was before."""
    return all(raw.rfind(text) > raw.rfind("\x1b[?1049h") for text in RESTORED)
