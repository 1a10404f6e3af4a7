"""Kill a process that writes to a store, again and again: what it had acknowledged is there.

`python -m tests.support.store_kills --kills 1000` does it more often than the tests.
"""

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from passing_server.sqlite_store import SqliteStore
from passing_server.storing import Batch
from tests.support.batches import Batches, Everything, history, quick_folder
from tests.support.memory_store import MemoryStore
from tests.support.sources import ROOT


def write(folder: Path, seed: int, done: int) -> None:
    """Commit all batches after the first `done`, telling each one once it is committed."""
    store = SqliteStore(folder)
    store.load()
    made = Batches(Random(seed))
    made.take(done)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    for number in range(done + 1, 1_000_000):
        store.commit(made.next())
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


@dataclass
class Killed:
    """A store whose writers are killed, and what it is to hold."""

    folder: Path
    seed: int
    done: int = 0

    def __post_init__(self) -> None:
        self._made = Batches(Random(self.seed))
        self._model = MemoryStore()

    def kill_after(self, seconds: float) -> int:
        """Let a writer go on, kill it, and return how many commits it acknowledged."""
        command = [sys.executable, "-m", "tests.support.store_kills", "--write", str(self.folder)]
        command += ["--seed", str(self.seed), "--done", str(self.done)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(seconds)
            writer.kill()
            told = writer.stdout.read().split("\n")[:-1]
        acknowledged = int(told[-1]) if told else self.done
        before = self.done
        self._verify(acknowledged)
        return acknowledged - before

    def _verify(self, acknowledged: int) -> None:
        """Check that all that was acknowledged is there, and at most one batch more."""
        while self.done < acknowledged:
            self._go_on()
        found = self._found()
        while found != self._expected():
            assert self.done <= acknowledged, "what was acknowledged is not there"
            self._go_on()

    def _go_on(self) -> Batch:
        batch = self._made.next()
        self._model.commit(batch)
        self.done += 1
        return batch

    def _found(self) -> Everything:
        store = SqliteStore(self.folder)
        try:
            return store.load(), history(self.folder)
        finally:
            store.close()

    def _expected(self) -> Everything:
        return self._model.load(), history(self._model)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.store_kills")
    parser.add_argument("--kills", type=int, default=100, help="how many writers are killed")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other batches")
    parser.add_argument("--write", type=Path, help="be the writer in that folder")
    parser.add_argument("--done", type=int, default=0, help="the batches that are there already")
    arguments = parser.parse_args()
    if arguments.write is not None:
        write(arguments.write, arguments.seed, arguments.done)
        return
    with quick_folder() as folder:
        killed = Killed(Path(folder), arguments.seed)
        chance = Random(arguments.seed)
        for _ in range(arguments.kills):
            killed.kill_after(chance.random() * 0.1)
        sys.stdout.write(f"{arguments.kills} kills, {killed.done} commits, nothing lost\n")


if __name__ == "__main__":
    main()
