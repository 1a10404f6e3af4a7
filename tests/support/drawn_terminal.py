"""A full screen in this process: real keys go in, and a terminal emulator shows what comes out."""

import asyncio
import io
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from passing_client.conversation import Conversation
from passing_client.going import Errand, Stay
from passing_client.lobbying import list_tables
from passing_client.screen.full_screen import FullScreen
from passing_client.server_board import ServerBoard
from passing_client.settings import Settings
from passing_link.exits import ExitCode
from passing_link.news import Item, LinkNews
from passing_protocol.messages import Request

PATIENCE_S = 20.0

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "backspace": "\x7f",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "ctrl-c": "\x03",
}


class Sink(io.StringIO):
    """Take what is written to a terminal, and draw it."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.size = Size(rows, columns)
        self.screen = pyte.Screen(columns, rows)
        self.raw = ""
        self.changed = asyncio.Event()
        self._stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        self.changed.set()
        return len(text)


@dataclass
class Clock:
    """Tell a time (ms) that only the test lets pass."""

    now: int = 1_000

    def __call__(self) -> int:
        return self.now


class DrawnTerminal:
    """Hold the person's end of a full screen that runs."""

    def __init__(
        self, sink: Sink, keys: PipeInput, running: asyncio.Task[ExitCode], clock: Clock
    ) -> None:
        self.sink = sink
        self._clock = clock
        self.running = running
        self._keys = keys

    @property
    def lines(self) -> list[str]:
        """Return the lines of the screen."""
        return list(self.sink.screen.display)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cursor(self) -> tuple[int, int]:
        """Return the row and the column of the cursor."""
        return self.sink.screen.cursor.y, self.sink.screen.cursor.x

    def passes(self, milliseconds: int) -> None:
        """Let time pass."""
        self._clock.now += milliseconds

    def types(self, text: str) -> None:
        """Type characters as they are."""
        self._keys.send_text(text)

    def press(self, *keys: str) -> None:
        """Press keys by their names, or characters."""
        for key in keys:
            self.types(KEYS.get(key, key))

    def hang_up(self) -> None:
        """Close the terminal from the other side."""
        self._keys.close()

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, as a window manager does."""
        self.sink.size = Size(rows, columns)
        self.sink.screen.resize(rows, columns)
        os.kill(os.getpid(), signal.SIGWINCH)

    async def shows(self, *texts: str) -> None:
        """Wait until all these texts are to be seen at once."""
        await self.until(lambda: all(text in self.text for text in texts))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds of what is drawn."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():
                    assert not self.running.done(), self.running
                    self.sink.changed.clear()
                    await self.sink.changed.wait()
        except TimeoutError:
            raise AssertionError(self.text) from None

    async def ends(self) -> ExitCode:
        """Return how the full screen ended; raises what it raised."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.running


@asynccontextmanager
async def terminal(
    errand: Errand,
    settings: Settings | None = None,
    *,
    columns: int = 80,
    rows: int = 24,
    board: ServerBoard | None = None,
) -> AsyncGenerator[DrawnTerminal]:
    """Run an errand at a terminal of this process."""
    sink = Sink(columns, rows)
    output = Vt100_Output(sink, lambda: sink.size, term="xterm", enable_cpr=False)
    with create_pipe_input() as keys, create_app_session(input=keys, output=output):
        clock = Clock()
        shown = FullScreen(errand, settings or Settings(name="Dana"), clock=clock, board=board)
        running = asyncio.create_task(shown.run())
        try:
            yield DrawnTerminal(sink, keys, running, clock)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


class QueueLink:
    """Give what a test puts in, and keep what is sent; None ends it."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[Item | None] = asyncio.Queue()
        self.sent: list[Request] = []

    def send(self, message: Request) -> int:
        self.sent.append(message)
        return len(self.sent)

    async def __aiter__(self) -> AsyncIterator[Item]:
        while (item := await self.inbox.get()) is not None:
            yield item


@dataclass
class ScriptedErrand:
    """Reach a server that the test plays, once the test says so."""

    private: bool = False
    to_the_end: bool = False
    wanted: str | None = None
    server: str = "den.local"
    starting: str = "Connecting to den.local ..."
    link: QueueLink = field(default_factory=QueueLink)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    report: Callable[[LinkNews], None] = lambda news: None
    trouble: Exception | None = None
    left: bool = False

    def begin(self) -> None:
        pass

    def end(self) -> None:
        pass

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        assert patient
        self.report = report
        try:
            await self.reached.wait()
            if self.trouble is not None:
                raise self.trouble
            return await stay(self.link, self._open)
        finally:
            self.left = True

    def _open(self, conversation: Conversation) -> None:
        conversation.desk.say("Connected to den.local as Dana.")
        list_tables(conversation.desk, "")
