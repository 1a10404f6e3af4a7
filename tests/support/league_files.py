"""Leagues as files: what is written into a league.toml, and `passing league` as processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from passing_bots.league.folder import LeagueFolder
from passing_bots.league.log import LeagueEvent, read_log
from passing_bots.league.standings import Standings, standings

ROOT = Path(__file__).parents[2]
SEED = "000102030405060708090a0b0c0d0e0f"
GOOD = {name: {"run": name} for name in ("random", "greedy", "careful")}
REMEMBERING = {"run": "tests.support.remembering:Remembering"}
TWIN = {"run": "greedy"}

_STRICT = {
    "illegal": "Illegal", "nothing": "Nothing", "crashing": "Crashing",
}  # fmt: skip
_PROGRAMS = (
    "slow", "silent", "malformed", "flooding", "elsewhere",
    "leaving", "uncaught", "dying", "segfaulting", "aborting", "killed",
    "declining", "mute", "never_connecting", "failing",
)  # fmt: skip
_HARMLESS = ("babbling", "stubborn", "forking", "killed_once")

Engine = Mapping[str, object]


def program(kind: str) -> Engine:
    """A kind of the bad family as a program of its own."""
    return {"command": [sys.executable, "-m", "tests.support.bad_engines", kind]}


BAD: dict[str, Engine] = {
    **{name: {"run": f"tests.support.bad_engines:{kind}"} for name, kind in _STRICT.items()},
    **{kind: program(kind) for kind in _PROGRAMS},
    "illegal_on_wire": program("illegal_on_the_wire"),
}
"""Those that lose by forfeit."""

ODD: dict[str, Engine] = {kind: program(kind) for kind in _HARMLESS}
"""Those that do what they should not, and play well."""


def toml(
    engines: Mapping[str, Engine],
    *,
    blocks: int,
    tables: int = 32,
    turn_ms: int = 2_000,
    bank_ms: int = 10_000,
    faults: Mapping[str, int] | None = None,
    rules: Mapping[str, int] | None = None,
) -> str:
    """The text of a league.toml; JSON's numbers, texts and lists are TOML's too."""
    lines = ['name = "test"', f'seed = "{SEED}"', f"blocks = {blocks}", f"tables = {tables}"]
    lines += ["[rules]", *_fields(rules or {"seats": 2})]
    lines += ["[clock]", f"turn_ms = {turn_ms}", f"bank_ms = {bank_ms}"]
    lines += ["[faults]", *_fields(faults or {})]
    for name, engine in engines.items():
        lines += ["[[engine]]", *_fields({"name": name, **engine})]
    return "\n".join(lines) + "\n"


def _fields(fields: Mapping[str, object]) -> list[str]:
    return [f"{name} = {json.dumps(value)}" for name, value in fields.items()]


def league_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "passing_client", "league", *arguments]


def start(*arguments: str, err: Path) -> "subprocess.Popen[bytes]":
    """Start `passing league` in the root of the project, where engines find their modules."""
    with err.open("wb") as errors:
        return subprocess.Popen(
            league_command(*arguments),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
        )


def finish(*arguments: str, timeout_s: float = 55) -> "subprocess.CompletedProcess[str]":
    """Run `passing league` to its end."""
    return subprocess.run(
        league_command(*arguments),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def results_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a league's results by their names."""
    results = LeagueFolder(folder).results
    return {
        str(path.relative_to(results)): path.read_bytes()
        for path in sorted(results.rglob("*"))
        if path.is_file()
    }


def events_of(folder: Path) -> Sequence[LeagueEvent]:
    return read_log(LeagueFolder(folder).log)


def standings_of(folder: Path) -> Standings:
    return standings(events_of(folder))


def processes_of(folder: Path) -> list[int]:
    """Return the processes whose environment or command names a folder, zombies left out.

    Whatever a league starts has it there: its lanes in TMPDIR, the server among its arguments.
    """
    wanted = os.fsencode(folder) + b"/"
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            told = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended, or is not ours
        if wanted in told:
            found.append(int(entry.name))
    return found


def lines_of(folder: Path) -> int:
    """Count the lines that a league has written into its log by now."""
    try:
        return LeagueFolder(folder).log.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Running:
    """A league as a process that is stopped in the middle."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.said = folder.with_suffix(".err")
        self.process = start(*arguments, err=self.said)

    def await_games(self, games: int) -> None:
        """Wait until so many more games have ended; the league must not be over by then."""
        enough = lines_of(self.folder) + games
        until(lambda: lines_of(self.folder) >= enough or self.process.poll() is not None)
        assert self.process.poll() is None, self.said.read_text()

    def end_by(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(30)
