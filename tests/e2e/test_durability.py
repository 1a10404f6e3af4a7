"""`passing serve --durability none`: nothing of people's tables or sessions is stored."""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from passing_server.sqlite_store import FAST, FULL
from tests.e2e.test_operations import Pair, log_of, passing
from tests.support.sockets import running_server

SECONDS = 20


def rows(path: Path) -> dict[str, int]:
    """Count the rows of every table of a file but its notes."""
    with closing(sqlite3.connect(path)) as file:
        names = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE sql > ''")]
        return {
            name: file.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
            for name in names
            if name != "notes"
        }


def test_without_durability_nothing_of_people_is_stored(tmp_path: Path) -> None:
    state = tmp_path / "state"
    arguments = ["--durability", "none"]
    with running_server(state, arguments) as server:
        pair = Pair(server.connection.address)
        said = passing("serve", "status", "--state", str(state)).stdout
        os.kill(server.pid, signal.SIGKILL)
        server.wait(SECONDS)
        pair.close()
    for name in (FULL, FAST):
        assert not any(rows(state / name).values())
    assert "The store works. Tables that people make are not stored." in said
    with running_server(state, arguments):
        lines = log_of(state).splitlines()
    assert not any("Going on with what was stored" in line for line in lines)
    assert passing("serve", "export", "--state", str(state), "--out", "-").stdout == ""


def test_the_help_lists_every_durability() -> None:
    said = passing("serve", "--help").stdout
    assert "--durability {full,fast,none}" in said
