"""Look for servers again and again, in an event loop."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import chain, pairwise, repeat
from typing import Final

from passing_client.server_board import ServerBoard
from passing_link.finding import ASKS_S, FIND_S, Search, Target

EVERY_S: Final = 2.0
"""How often it is looked again while the list is shown."""


async def keep_looking(board: ServerBoard, targets: Callable[[], Sequence[Target]]) -> None:
    """Show on the board who answers of those to ask, again and again until cancelled."""
    loop = asyncio.get_running_loop()
    with Search(targets) as search:

        def heard() -> None:
            """Take in what has arrived, and show it."""
            search.hear()
            board.take(search.found)

        for asking in search.sockets:
            loop.add_reader(asking, heard)
        try:
            await _ask(board, search)
        finally:
            for asking in search.sockets:
                loop.remove_reader(asking)


async def _ask(board: ServerBoard, search: Search) -> None:
    """Ask a few times at once, and then now and then."""
    first = [later - earlier for earlier, later in pairwise((*ASKS_S, FIND_S))]
    for number, pause in enumerate(chain(first, repeat(EVERY_S)), 1):
        search.ask()
        await asyncio.sleep(pause)
        board.take(search.found)  # some may be gone
        if number == len(first):
            board.done()
