"""Processes beside what is measured: the peers of a server, and who wishes it ill."""

import multiprocessing
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

spawn = multiprocessing.get_context("spawn")


@contextmanager
def child(target: Callable[..., None], *arguments: object) -> Generator[int]:
    """Run a function in a process of its own, and kill it at the end; gives the process id."""
    process = spawn.Process(target=target, args=arguments, daemon=True)
    process.start()
    if process.pid is None:
        raise RuntimeError("a process that was started has no id")
    try:
        yield process.pid
    finally:
        process.kill()
        process.join()


def give_way(niceness: int) -> None:
    """Let others go first. Linux may weigh whole sessions of processes, not processes."""
    os.nice(niceness)
    os.setsid()
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness))
