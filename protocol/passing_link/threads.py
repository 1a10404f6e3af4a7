"""Have something done that waits, while an event loop goes on."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Return what `work` returns, or raise what it raises; may be cancelled at any time.

    The thread is a daemon: no event loop and no interpreter waits for it to end.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def tell(settle: Callable[[], None]) -> None:
        if not done.done():  # else nobody waits for it any more
            settle()

    def run() -> None:
        settle: Callable[[], None]
        try:
            settle = partial(done.set_result, work())
        except Exception as error:
            settle = partial(done.set_exception, error)
        with suppress(RuntimeError):  # the loop that would be told is closed
            loop.call_soon_threadsafe(tell, settle)

    threading.Thread(target=run, name="in-thread", daemon=True).start()
    return await done
