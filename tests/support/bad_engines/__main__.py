"""Run one misbehaving engine as a program of its own."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from passing_bots import Server, play
from passing_link.news import LinkEnded
from tests.support.bad_engines import ABSENT, ENGINES, KINDS
from tests.support.bad_engines.engines import babble, ignore_sigterm, leave_grandchild
from tests.support.bad_engines.raw import RAW_MISDEEDS, misbehave_raw
from tests.support.bad_engines.wire import misbehave

AT_START: Final[dict[str, Callable[[], None]]] = {
    "babbling": babble,
    "stubborn": ignore_sigterm,
    "forking": leave_grandchild,
}
"""What some do before they connect, not only once they have a seat."""


def end_with_parent() -> None:
    """End this process soon after the one that started it, whatever it does meanwhile."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def never_connect() -> NoReturn:
    while True:
        time.sleep(60)


def run(kind: str, server: Server, name: str, tables: int) -> None:
    if kind in AT_START:
        AT_START[kind]()
    if kind in ENGINES:
        play(ENGINES[kind], server, name=name, tables=tables)
    elif kind in RAW_MISDEEDS:
        misbehave_raw(server.address, server.token, name, tables, kind)
    else:
        misbehave(server, name, tables, kind)


def main(kind: str, connection: str | None = None) -> None:
    if kind not in (*KINDS, *ABSENT):
        sys.exit(f"kind: {kind!r}, known are {', '.join((*KINDS, *ABSENT))}")
    end_with_parent()
    if kind == "failing":
        sys.exit("This engine does not start: it has lost its weights.")
    if kind == "never_connecting":
        never_connect()
    try:
        if connection is not None:
            run(kind, Server.find(connection=Path(connection)), kind, 1)
        else:
            server = Server.find(os.environ["PASSING_ADDRESS"])
            run(kind, server, os.environ["PASSING_NAME"], int(os.environ["PASSING_TABLES"]))
    except LinkEnded as ended:
        sys.exit(str(ended))


if __name__ == "__main__":
    main(*sys.argv[1:])
