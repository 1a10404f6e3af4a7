"""The processes of lanes: what they are told, what they said, and that none is left behind."""

import ast
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from passing_bots.league.lanes import LOG_BYTES, Lanes
from passing_bots.league.roster import Lane
from passing_bots.league.settings import EngineSettings
from passing_link.connection_file import ConnectionFile
from passing_link.environment import security_from
from passing_link.exits import CommandFailed
from passing_link.keys import KeyPair, Security
from passing_protocol.tokens import token_for

CONNECTION = ConnectionFile(
    address="127.0.0.1:1", server_key=None, pid=os.getpid(), tokens={"bot": "b" * 32}
)
ONE, TWO = Lane("x", 0), Lane("x", 1)
PATIENCE_S = 10


def python(code: str) -> Sequence[str]:
    return (sys.executable, "-c", code)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[Sequence[str]], Lanes]]:
    made: list[Lanes] = []

    def make(command: Sequence[str]) -> Lanes:
        engines = [EngineSettings(name="x", command=tuple(command), tables=3)]
        made.append(Lanes(engines, CONNECTION, tmp_path / "engines"))
        return made[-1]

    yield make
    for lanes in made:
        lanes.close()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def runs(pid: int) -> bool:
    """Tell whether a process is there and more than a zombie."""
    with suppress(OSError):
        status = Path(f"/proc/{pid}/stat").read_text()
        return status.rpartition(")")[2].split()[0] not in ("Z", "X")
    return False


def ended(lanes: Lanes, count: int = 1) -> dict[Lane, int]:
    found: dict[Lane, int] = {}

    def all_there() -> bool:
        found.update(lanes.ended())
        return len(found) >= count

    until(all_there)
    return found


def test_a_program_is_given_the_keys_of_a_server_that_encrypts(tmp_path: Path) -> None:
    server, own = KeyPair.new(), KeyPair.new()
    connection = replace(CONNECTION, server_key=server.public, client_secret=own.secret)
    told = tmp_path / "told"
    code = f"import os; open({str(told)!r}, 'w').write(repr(dict(os.environ)))"
    engines = [EngineSettings(name="x", command=tuple(python(code)), tables=3)]
    lanes = Lanes(engines, connection, tmp_path / "engines")
    lanes.start(ONE, "x.1")
    ended(lanes)
    lanes.close()
    environment = ast.literal_eval(told.read_text())
    assert security_from(environment) == Security(server.public, own)


TELL = (
    "import os; print(*(os.environ[f'PASSING_{n}'] for n in "
    "('ADDRESS', 'TOKEN', 'NAME', 'TABLES')), os.environ['TMPDIR'])"
)


def test_a_program_is_told_where_to_play_and_has_a_folder_of_its_own(
    make: Callable[[Sequence[str]], Lanes], tmp_path: Path
) -> None:
    lanes = make(python(TELL))
    lanes.start(ONE, "x.1")
    lanes.start(TWO, "x.2-2")
    assert ended(lanes, 2) == {ONE: 0, TWO: 0}
    folder = tmp_path / "engines"
    for lane, name in ((ONE, "x.1"), (TWO, "x.2-2")):
        token = token_for("b" * 32, name)
        assert (folder / f"{lane}.log").read_text(encoding="utf-8").split() == [
            "127.0.0.1:1", token, name, "3", f"{folder}/{lane}.tmp",
        ]  # fmt: skip
    assert (folder / "x.1.tmp").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise SystemExit(3)", 3),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("pass", 0),
    ],
)
def test_an_end_is_told_once_with_its_code(
    make: Callable[[Sequence[str]], Lanes], code: str, expected: int
) -> None:
    lanes = make(python(code))
    lanes.start(ONE, "x.1")
    assert ended(lanes) == {ONE: expected}
    assert lanes.ended() == []


def test_one_that_was_stopped_is_not_told_and_may_be_started_again(
    make: Callable[[Sequence[str]], Lanes],
) -> None:
    lanes = make(python("import time; time.sleep(60)"))
    lanes.start(ONE, "x.1")
    lanes.stop(ONE)
    lanes.stop(ONE)
    lanes.start(ONE, "x.1-2")
    assert lanes.ended() == []


IGNORING = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('ready', flush=True); time.sleep(60)"
)


def test_stopping_one_that_ignores_it_holds_nobody_up(
    make: Callable[[Sequence[str]], Lanes],
) -> None:
    """It is killed when its time is up, at one of the next looks."""
    lanes = make(python(f"import os; print(os.getpid(), flush=True); {IGNORING}"))
    lanes.start(ONE, "x.1")
    until(lambda: "ready" in lanes.said(ONE, None))
    pid = int(lanes.said(ONE, None).split()[0])
    began = time.monotonic()
    lanes.stop(ONE)
    assert time.monotonic() - began < 0.5
    assert runs(pid)
    until(lambda: bool(lanes.ended()) or not runs(pid))


FORK = (
    "import subprocess; child = subprocess.Popen(['sleep', '60']); print(child.pid, flush=True); "
)


@pytest.mark.parametrize("then", ["", "raise SystemExit(1)", IGNORING])
def test_what_a_process_has_started_ends_with_it(
    make: Callable[[Sequence[str]], Lanes], then: str
) -> None:
    lanes = make(python(FORK + then))
    lanes.start(ONE, "x.1")
    until(lambda: lanes.said(ONE, None) != "")
    pid = int(lanes.said(ONE, None).split()[0])
    if "ready" not in then:
        ended(lanes)
    lanes.close()
    until(lambda: not runs(pid))


def test_all_are_closed_at_the_same_time(make: Callable[[Sequence[str]], Lanes]) -> None:
    """Each may take a second to leave, and all of them together no more."""
    lanes = make(python(IGNORING))
    all_lanes = [Lane("x", seat) for seat in range(4)]
    for lane in all_lanes:
        lanes.start(lane, str(lane))
    until(lambda: all("ready" in lanes.said(lane, None) for lane in all_lanes))
    began = time.monotonic()
    lanes.close()
    assert time.monotonic() - began < 3


LINES = "print('one'); print('table t1, turn 2: two'); print('table t12: three'); print('four')"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (None, "one / table t1, turn 2: two / table t12: three / four"),
        ("t1", "table t1, turn 2: two"),
        ("t12", "table t12: three"),
        ("t2", "one / table t1, turn 2: two / table t12: three / four"),
    ],
)
def test_what_it_said_is_told_of_the_table_it_named(
    make: Callable[[Sequence[str]], Lanes], table: str | None, said: str
) -> None:
    lanes = make(python(LINES))
    lanes.start(ONE, "x.1")
    ended(lanes)
    assert lanes.said(ONE, table) == said


def test_what_an_earlier_process_said_is_not_told_of_this_one(
    make: Callable[[Sequence[str]], Lanes], tmp_path: Path
) -> None:
    lanes = make(python("import os; print(os.environ['PASSING_NAME'])"))
    for name in ("x.1", "x.1-2"):
        lanes.start(ONE, name)
        ended(lanes)
        assert lanes.said(ONE, None) == name
    assert (tmp_path / "engines" / "x.1.log").read_text().split() == ["x.1", "x.1-2"]
    assert lanes.said(TWO, None) == ""


def test_a_log_that_grows_without_end_is_emptied(
    make: Callable[[Sequence[str]], Lanes], tmp_path: Path
) -> None:
    lanes = make(python("import time; print('begun', flush=True); time.sleep(60)"))
    lanes.start(ONE, "x.1")
    log = tmp_path / "engines" / "x.1.log"
    until(lambda: lanes.said(ONE, None) == "begun")
    lanes.trim_logs()
    assert log.stat().st_size > 0
    os.truncate(log, LOG_BYTES + 1)
    lanes.trim_logs()
    assert log.stat().st_size == 0
    assert lanes.said(ONE, None) == ""


def test_a_program_that_cannot_be_started_is_named(
    make: Callable[[Sequence[str]], Lanes],
) -> None:
    with pytest.raises(CommandFailed, match=r"'\./no-such-program' cannot be started"):
        make(["./no-such-program"]).start(ONE, "x.1")
