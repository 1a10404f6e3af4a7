"""A bad network in one process: carries TCP and UDP to a server, late, in stalls, and with cuts.

`python -m tests.support.toxic_proxy PORT TARGET DELAY_MS JITTER_MS` listens on every address, says
`ready`, and obeys lines on its standard input: `stall SECONDS` holds everything up for so long,
`cut` drops every connection. It ends when its standard input does.
"""

import asyncio
import random
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

CHUNK = 65_536


class Weather:
    """Say when what comes now may go on: after a delay with jitter, and in order."""

    def __init__(self, delay_ms: int, jitter_ms: int) -> None:
        self._delay_s = delay_ms / 1000
        self._jitter_s = jitter_ms / 1000
        self._stalled_until = 0.0

    def stall(self, seconds: float) -> None:
        self._stalled_until = asyncio.get_running_loop().time() + seconds

    def when(self, not_before: float) -> float:
        now = asyncio.get_running_loop().time()
        late = self._delay_s + random.uniform(-self._jitter_s, self._jitter_s)
        return max(now + late, self._stalled_until, not_before)


class Proxy(asyncio.DatagramProtocol):
    """Carry everything between who comes and the target."""

    def __init__(self, target: tuple[str, int], weather: Weather) -> None:
        self._target = target
        self._weather = weather
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._out: asyncio.DatagramTransport | None = None

    # --- TCP

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward_reader, onward_writer = await asyncio.open_connection(*self._target)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, onward_writer}
        both = [self._carry(reader, onward_writer), self._carry(onward_reader, writer)]
        await asyncio.gather(*both)
        self._writers -= {writer, onward_writer}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        delivering = asyncio.create_task(self._deliver(pieces, writer))
        due = 0.0
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                due = self._weather.when(due)
                pieces.put_nowait((due, data))
        pieces.put_nowait((due, b""))
        await delivering

    async def _deliver(
        self, pieces: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter
    ) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while True:
                due, data = await pieces.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    # --- UDP

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._out = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        task = asyncio.create_task(self._ask(data, addr))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask(self, data: bytes, asker: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._weather.when(0.0) - loop.time()))
        answered: asyncio.Future[bytes] = loop.create_future()
        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Answer(answered), remote_addr=self._target
        )
        try:
            transport.sendto(data)
            answer = await asyncio.wait_for(answered, 5)
            await asyncio.sleep(max(0.0, self._weather.when(0.0) - loop.time()))
            if self._out is not None:
                self._out.sendto(answer, asker)
        except (TimeoutError, OSError):
            pass
        finally:
            transport.close()


class _Answer(asyncio.DatagramProtocol):
    def __init__(self, answered: "asyncio.Future[bytes]") -> None:
        self._answered = answered

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if not self._answered.done():
            self._answered.set_result(data)


class ToxicProxy:
    """Hold the process, to tell it what the network does next."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def stall(self, seconds: float) -> None:
        self._say(f"stall {seconds}")

    def cut(self) -> None:
        self._say("cut")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()


@contextmanager
def toxic_proxy(
    inside: Sequence[str], port: int, target: str, delay_ms: int = 80, jitter_ms: int = 40
) -> Generator[ToxicProxy]:
    """Run one to `target` (HOST:PORT), there where a command line begins with `inside`."""
    words = [str(port), target, str(delay_ms), str(jitter_ms)]
    process = subprocess.Popen(
        [*inside, sys.executable, "-m", "tests.support.toxic_proxy", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield ToxicProxy(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


async def _main(port: int, target: str, delay_ms: int, jitter_ms: int) -> None:
    host, _, number = target.rpartition(":")
    weather = Weather(delay_ms, jitter_ms)
    proxy = Proxy((host, int(number)), weather)
    loop = asyncio.get_running_loop()
    await asyncio.start_server(proxy.accept, "0.0.0.0", port)  # noqa: S104
    await loop.create_datagram_endpoint(lambda: proxy, ("0.0.0.0", port))  # noqa: S104
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := (await orders.readline()).decode().split():
        if line[0] == "stall":
            weather.stall(float(line[1]))
        else:
            proxy.cut()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
