"""Write down every packet that comes by an interface: `python -m tests.support.capture IF FILE`.

Says `ready` once it listens, and ends when its standard input does.
"""

import select
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

ALL_PROTOCOLS = 0x0003
ROOM = 1 << 25
"""How many bytes may wait to be read; nothing that was sent may be missed."""


@contextmanager
def captured(inside: Sequence[str], interface: str, file: Path) -> Generator[None]:
    """Write down what comes by an interface, there where a command line begins with `inside`."""
    process = subprocess.Popen(
        [*inside, sys.executable, "-m", "tests.support.capture", interface, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


def main(interface: str, file: Path) -> None:
    """Capture until standard input ends, and then what waits still."""
    with (
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as tap,
        file.open("wb") as out,
    ):
        tap.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        tap.bind((interface, 0))
        tap.setblocking(False)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        going = True
        while going:
            ready, _, _ = select.select([tap, sys.stdin], [], [])
            going = sys.stdin not in ready
            _write_all(tap, out)


def _write_all(tap: socket.socket, out: BinaryIO) -> None:
    with suppress(BlockingIOError):
        while True:
            out.write(tap.recv(65_536))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
