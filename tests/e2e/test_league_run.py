"""Leagues with real processes: the bad family, stops of every kind, and what is refused."""

import os
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from passing_bots.league.estimates import Estimate
from passing_bots.league.folder import LeagueFolder
from passing_bots.league.log import EngineOut, FaultNoted, GameOver, LeagueBegan
from passing_bots.league.plan import games
from passing_bots.league.standings import Standings
from passing_link.connection_file import ConnectionFile
from passing_link.exits import ExitCode
from passing_protocol.records import verify_records
from tests.support.league_files import (
    BAD,
    GOOD,
    ODD,
    REMEMBERING,
    TWIN,
    Running,
    events_of,
    finish,
    lines_of,
    processes_of,
    results_of,
    standings_of,
    toml,
    until,
    written,
)

pytestmark = pytest.mark.timeout(180)
WELL: dict[str, object] = {**GOOD, "remembering": REMEMBERING}
FAULTS = {"in_a_row": 3, "connect_s": 6}


def difference(table: Standings, engine: str, other: str) -> Estimate:
    return next(
        cell.difference for cell in table.crosstable if (cell.engine, cell.other) == (engine, other)
    )


# --- the bad family ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the league of the good engines and all that lose by forfeit; return its folder."""
    folder = tmp_path_factory.mktemp("family")
    file = written(
        folder / "family.toml",
        toml({**GOOD, "remembering": REMEMBERING, **BAD}, blocks=50, tables=64,
             turn_ms=600, bank_ms=3_000, faults=FAULTS),
    )  # fmt: skip
    done = finish("run", str(file), timeout_s=150)
    assert done.returncode == ExitCode.LEAGUE_FAULTS, done.stderr
    assert not processes_of(folder / "family")
    assert not [line for line in done.stderr.splitlines() if line.startswith("Traceback")]
    text = (folder / "family" / "results" / "standings.txt").read_text(encoding="utf-8")
    assert done.stdout == text
    return folder / "family"


def test_no_good_engine_has_a_fault_and_each_bad_one_has_its_own(family: Path) -> None:
    rows = {row.engine: row for row in standings_of(family).rows}
    for name in WELL:
        assert (rows[name].faults, rows[name].forfeits, rows[name].out) == (0, 0, None)
    for name in BAD:
        assert rows[name].faults >= 3
        assert rows[name].out == "3 faults in a row"


def test_all_games_between_good_engines_are_played_once(family: Path) -> None:
    events = events_of(family)
    began = events[0]
    assert isinstance(began, LeagueBegan)
    played = Counter(event.game for event in events if isinstance(event, GameOver))
    assert max(played.values()) == 1
    for game in games(began.league):
        if set(game.pairing) <= WELL.keys():
            assert played[game] == 1


NAMED = [
    ("illegal", "is not legal; giving up"),
    ("nothing", "None is not legal"),
    ("crashing", "RuntimeError: seat"),
    ("slow", "turns without an answer in time"),
    ("silent", "3 strikes: 3 turns without an answer in time"),
    ("malformed", "turns without an answer in time"),
    ("flooding", "turns without an answer in time"),
    ("elsewhere", "turns without an answer in time"),
    ("illegal_on_wire", "refused actions"),
    ("leaving", "left"),
    ("uncaught", "left"),
    ("dying", "exit code 3"),
    ("segfaulting", "SIGSEGV"),
    ("aborting", "SIGABRT"),
    ("killed", "SIGKILL"),
    ("declining", "did not accept the invitation"),
    ("mute", "did not take its seat within 6 s"),
    ("never_connecting", "did not come to the lobby within 6 s"),
    ("failing", "exit code 1; it said: This engine does not start: it has lost its weights."),
]


@pytest.mark.parametrize(("engine", "words"), NAMED)
def test_each_bad_engines_faults_are_named(family: Path, engine: str, words: str) -> None:
    noted = [e for e in events_of(family) if isinstance(e, FaultNoted) and e.engine == engine]
    assert any(words in event.evidence for event in noted), noted
    table = (family / "results" / "standings.txt").read_text(encoding="utf-8")
    assert f"\n  {engine}: " in table.partition("\nFaults")[2]


def test_all_bad_engines_are_in_that_list() -> None:
    assert {engine for engine, _ in NAMED} == BAD.keys()


def test_a_killed_process_is_played_again_twice_and_then_at_fault(family: Path) -> None:
    noted = [e for e in events_of(family) if isinstance(e, FaultNoted) and e.engine == "killed"]
    assert len({e.incident for e in noted if e.owner == "worker"}) == 2
    assert len([e for e in noted if e.owner == "player"]) >= 3


def test_an_engine_that_remembers_and_its_equal_differ_by_exactly_nothing(family: Path) -> None:
    assert difference(standings_of(family), "remembering", "greedy") == Estimate(50, 0.0, 0.0)


def test_memory_gains_nothing_against_others(family: Path) -> None:
    """It plays as greedy does where nothing comes back to it, and nothing does."""
    table = standings_of(family)
    for other in ("random", "careful"):
        one, two = (difference(table, engine, other) for engine in ("remembering", "greedy"))
        assert one.mean is not None
        assert two.mean is not None
        assert one.interval is not None
        assert two.interval is not None
        assert abs(one.mean - two.mean) < one.interval + two.interval


def test_the_results_follow_from_the_log_alone(family: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(LeagueFolder(family).log, LeagueFolder(elsewhere).log)
    done = finish("report", str(elsewhere))
    assert done.returncode == ExitCode.DONE
    assert results_of(elsewhere) == results_of(family)


def test_every_record_is_by_the_rules(family: Path) -> None:
    records = [
        record
        for path in (family / "results" / "records").iterdir()
        for record in verify_records(path.read_text(encoding="utf-8"))
    ]
    dealt = [e for e in events_of(family) if isinstance(e, GameOver) and e.record is not None]
    assert len(records) == len(dealt) > 600


def test_those_that_do_what_they_should_not_and_play_well_have_no_faults(tmp_path: Path) -> None:
    """One babbles, one ignores SIGTERM, one leaves a process behind, one is killed once."""
    file = written(
        tmp_path / "odd.toml",
        toml({"greedy": TWIN, **ODD}, blocks=1, faults={"connect_s": 20}),
    )
    done = finish("run", str(file), timeout_s=100)
    assert done.returncode == ExitCode.DONE, done.stderr
    assert not processes_of(tmp_path / "odd")
    noted = [e for e in events_of(tmp_path / "odd") if isinstance(e, FaultNoted)]
    assert {(e.engine, e.owner) for e in noted} == {("killed_once", "worker")}
    assert not [e for e in events_of(tmp_path / "odd") if isinstance(e, EngineOut)]


# --- stopped and gone on with --------------------------------------------------------------------


SMALL = toml({"greedy": {"run": "greedy"}, "random": {"run": "random"}}, blocks=50)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The results of the league that was never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    done = finish("run", str(written(folder / "small.toml", SMALL)))
    assert done.returncode == ExitCode.DONE, done.stderr
    return results_of(folder / "small")


def server_pid(league: Running) -> int:
    return ConnectionFile.read(LeagueFolder(league.folder).server / "server.json").pid


def kill_server(league: Running) -> int:
    """End the server of a league again and again, and return the league's exit code."""
    died = 0
    while league.process.poll() is None:
        if (pid := server_pid(league)) != died:
            os.kill(pid, signal.SIGKILL)
            died = pid
        with suppress(subprocess.TimeoutExpired):
            league.process.wait(0.02)
    return league.process.wait()


def interrupt(league: Running) -> int:
    return league.end_by(signal.SIGINT)


def terminate(league: Running) -> int:
    return league.end_by(signal.SIGTERM)


def kill(league: Running) -> int:
    return league.end_by(signal.SIGKILL)


STANDINGS = {"standings.json", "standings.txt"}
"""The results that tell of faults, the server's too."""

Stop = Callable[[Running], int]
STOPS: list[tuple[Stop, int, str]] = [
    (interrupt, ExitCode.INTERRUPTED, "Stopped. Every game that has ended is kept"),
    (kill, -signal.SIGKILL, ""),
    (kill_server, ExitCode.UNEXPECTED, "Our server has ended 4 times within 60 s"),
    (terminate, ExitCode.INTERRUPTED, "Stopped. "),
]


def test_c54_however_it_is_stopped_it_goes_on_to_the_same_results(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "small"
    arguments = ["run", str(written(tmp_path / "small.toml", SMALL))]
    for stop, code, words in STOPS:
        league = Running(folder, *arguments)
        league.await_games(15)
        assert stop(league) == code
        said = league.said.read_text(encoding="utf-8")
        assert words in said
        assert "Traceback" not in said
        if code == ExitCode.INTERRUPTED:
            assert not processes_of(folder)
            assert f"`passing league resume {folder}`" in said
        arguments = ["resume", str(folder)]
    done = finish(*arguments)
    assert done.returncode == ExitCode.DONE, done.stderr
    played = Counter(e.game for e in events_of(folder) if isinstance(e, GameOver))
    assert len(played) == 100
    assert set(played.values()) == {1}
    assert results_of(folder) == whole
    until(lambda: not processes_of(folder))


def test_a_league_goes_on_when_its_server_is_killed(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    """The games that were going on are played again, and nobody is to blame."""
    league = Running(tmp_path / "small", "run", str(written(tmp_path / "small.toml", SMALL)))
    for _ in range(2):
        league.await_games(15)
        os.kill(server_pid(league), signal.SIGKILL)
    assert league.process.wait(60) == ExitCode.DONE, league.said.read_text(encoding="utf-8")
    results, told = results_of(league.folder), standings_of(league.folder)
    assert {name for name in whole if results[name] != whole[name]} <= STANDINGS
    assert [(row.faults, row.forfeits) for row in told.rows] == [(0, 0)] * 2
    noted = [e for e in events_of(league.folder) if isinstance(e, FaultNoted)]
    assert {(each.owner, each.evidence) for each in noted} == {
        ("server", "the server was started again")
    }
    assert not processes_of(league.folder)


def test_a_league_that_is_over_is_only_told_again(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Its log is all that is left of it."""
    folder = tmp_path / "small"
    short = toml({"greedy": {"run": "greedy"}, "twin": TWIN}, blocks=1)
    done = finish("run", str(written(tmp_path / "small.toml", short)))
    before = LeagueFolder(folder).log.read_bytes()
    again = finish("resume", str(folder))
    assert (again.returncode, again.stdout) == (done.returncode, done.stdout)
    assert LeagueFolder(folder).log.read_bytes() == before


# --- what is refused -----------------------------------------------------------------------------


def refused(code: ExitCode, words: str, *arguments: str) -> None:
    done = finish(*arguments)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert not [line for line in done.stderr.splitlines() if line.startswith("Traceback")]
    assert not done.stdout


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused(ExitCode.USAGE, "none.toml: cannot be read", "run", str(tmp_path / "none.toml"))


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    file = written(tmp_path / "bad.toml", "name = \n")
    refused(ExitCode.USAGE, "bad.toml: cannot be read as TOML", "run", str(file))
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ({"run": "gredy"}, "engine b: run: 'gredy' is not installed here; known are"),
        ({"run": "no_such_module:Engine"}, "cannot be loaded: No module named 'no_such_module'."),
        ({"command": ["./no-such"]}, "engine b: command begins with './no-such', which is no"),
    ],
)
def test_an_engine_that_is_not_here_is_named(
    engine: dict[str, object], words: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "l.toml", toml({"a": {"run": "greedy"}, "b": engine}, blocks=1))
    refused(ExitCode.USAGE, words, "run", str(file))
    assert not (tmp_path / "l").exists()


def test_a_folder_with_a_league_in_it_is_not_played_over(tmp_path: Path) -> None:
    file = written(tmp_path / "small.toml", SMALL)
    log = written(tmp_path / "small" / "log.ndjson", "x\n")
    refused(ExitCode.USAGE, "the league there is not finished", "run", str(file))
    assert log.read_text(encoding="utf-8") == "x\n"


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = written(tmp_path / "small.toml", SMALL)
    taken = written(tmp_path / "taken", "x")
    words = f"--out {taken}: cannot be used as a folder"
    refused(ExitCode.USAGE, words, "run", str(file), "--out", str(taken))


def test_a_folder_without_a_league_is_named(tmp_path: Path) -> None:
    words = "log.ndjson: cannot be read (No such file or directory). Is it a league's folder?"
    refused(ExitCode.USAGE, words, "resume", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no whole line in it, so no league began"),
        ('{"event":"league', "there is no whole line in it, so no league began"),
        ("nonsense\n", "log.ndjson, line 1: no event of a league"),
        ('{"event":"league_over"}\n', "line 1: league_began is the first event"),
    ],
)
def test_a_log_that_is_none_is_refused_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    written(tmp_path / "log.ndjson", text)
    refused(ExitCode.CHECK_FAILED, words, "resume", str(tmp_path))


def test_a_torn_log_goes_on_after_its_last_whole_line(tmp_path: Path) -> None:
    short = toml({"greedy": {"run": "greedy"}, "twin": TWIN}, blocks=2)
    finish("run", str(written(tmp_path / "small.toml", short)))
    folder = tmp_path / "small"
    before = results_of(folder)
    log = LeagueFolder(folder).log
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:3]) + lines[3][:100])
    assert lines_of(folder) == 3
    assert finish("resume", str(folder)).returncode == ExitCode.DONE
    assert results_of(folder) == before
