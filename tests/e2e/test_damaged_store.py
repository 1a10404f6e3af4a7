"""What the operators' page and the server's own words say of a damaged file, done as they say."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from passing_link.exits import ExitCode
from passing_link.processes import ServerProcess
from passing_protocol.messages import Create, Update
from passing_protocol.views import GameOptions
from passing_server.sqlite_store import FULL
from tests.support.sockets import RawClient, running_server
from tests.support.sources import ROOT

PAGE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
SERVE = (sys.executable, "-m", "passing_client", "serve", "--port", "0", "--state")


def log_of(server: ServerProcess) -> str:
    path = server.connection_path.parent / "server.log"
    return path.read_text(encoding="utf-8")


def kill_with_a_table(state: Path, name: str) -> None:
    """Leave a folder as a killed server does, with a table in it."""
    with running_server(state) as server, RawClient(server.connection.address) as client:
        client.hello(name)
        client.request(Create(1, "kitchen", GameOptions(seats=2)))
        client.expect(Update)
        os.kill(server.pid, signal.SIGKILL)


def advice() -> str:
    """The commands of the page that move a damaged file away."""
    text = PAGE.partition("**When a file is damaged**")[2]
    block = re.search(r"```sh\n(.*?)```", text, re.S)
    assert block is not None
    move, serve = block[1].strip().splitlines()
    assert serve == "passing serve --state DIR"
    return move


def test_a_damaged_file_is_moved_away_as_the_page_says(tmp_path: Path) -> None:
    state = tmp_path / "state"
    kill_with_a_table(state, "Dana")
    (state / FULL).write_bytes(bytes(40_000))
    refused = subprocess.run(
        [*SERVE, str(state)], capture_output=True, text=True, timeout=30, check=False
    )
    assert refused.returncode == ExitCode.UNEXPECTED
    assert f"move it away, and {FULL}-wal and {FULL}-shm with it" in refused.stderr
    subprocess.run(advice().replace("DIR", str(state)), shell=True, check=True)  # noqa: S602
    with running_server(state) as server:
        assert server.exit_code is None
        assert f"{FULL}: the last " in log_of(server)


def test_a_copy_beside_the_log_of_another_is_refused_or_told(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state):
        pass
    copy = tmp_path / "copy"
    shutil.copy(state / FULL, copy)
    kill_with_a_table(state, "Dana")
    shutil.copy(copy, state / FULL)
    (state / f"{FULL}-wal").unlink()
    with running_server(state) as server:
        assert f"{FULL}: the last " in log_of(server)
