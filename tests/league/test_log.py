"""The log: each event a line, one torn line at its end forgiven, and nothing else."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passing_bots.league.log import (
    EngineOut,
    FaultKind,
    FaultNoted,
    GameOver,
    InvalidLog,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
    LogInUse,
    LogWriter,
    parse_event,
    read_log,
    write_event,
)
from passing_bots.league.plan import GameKey
from passing_bots.league.settings import LeagueSettings
from tests.support.league_logs import by_luck, fault, game_over, league, logs, whole_log

TWO = league("a", "b")
BEGAN = LeagueBegan(TWO, "passing-game 0")
KEY = GameKey(("a", "b"), 2, 1)
OVER = game_over(TWO, KEY, (3, 0), record='[Event "å"]\n')

in_a_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


def put(path: Path, *events: LeagueEvent, torn: bytes = b"") -> Path:
    path.write_bytes(b"".join(map(write_event, events)) + torn)
    return path


# --- lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            OVER,
            '{"event":"game","pairing":["a","b"],"block":2,"rotation":1,"engines":["b","a"],'
            '"points":[3,0],"forfeits":[],"record":"[Event \\"å\\"]\\n"}',
        ),
        (
            fault("a", KEY, FaultKind.ILLEGAL, "3 strikes"),
            '{"event":"fault","engine":"a","owner":"player","kind":"illegal",'
            '"evidence":"3 strikes","pairing":["a","b"],"block":2,"rotation":1,"replay":false,'
            '"incident":null}',
        ),
        (EngineOut("a", "5 in a row"), '{"event":"out","engine":"a","reason":"5 in a row"}'),
        (LeagueOver(), '{"event":"league_over"}'),
    ],
)
def test_an_event_is_this_line(event: LeagueEvent, line: str) -> None:
    assert write_event(event).decode() == line + "\n"
    assert parse_event(line.encode()) == event


def test_the_first_line_holds_the_whole_league_and_the_form_of_the_log() -> None:
    said = msgspec.json.decode(write_event(BEGAN), type=dict[str, object])
    assert list(said) == ["event", "league", "program", "version"]
    assert msgspec.convert(said["league"], LeagueSettings) == TWO
    assert said["version"] == 1


@given(logs())
def test_every_event_has_a_line_both_ways(events: list[LeagueEvent]) -> None:
    for event in events:
        line = write_event(event)
        assert line.count(b"\n") == 1
        assert parse_event(line) == event


def test_an_event_knows_its_game() -> None:
    assert OVER.game == fault("a", KEY).game == KEY


def test_a_fault_may_lie_with_no_engine() -> None:
    noted = FaultNoted(None, "server", FaultKind.BROKEN_OFF, "it left", ("a", "b"), 1, 0)
    assert parse_event(write_event(noted)) == noted


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"event":"goal"}',
        b'{"event":"league_over","when":"now"}',
        b'{"event":"out","engine":"a"}',
        b'{"event":"out","engine":"a b","reason":""}',
        write_event(BEGAN).replace(b'"version":1', b'"version":2'),
        write_event(BEGAN).replace(b'"blocks":3', b'"blocks":0'),
        write_event(OVER).replace(b'"points":[3,0]', b'"points":[3,-1]'),
        write_event(OVER).replace(b'"block":2', b'"block":0'),
        write_event(OVER).replace(b'"rotation":1', b'"rotation":4'),
        write_event(fault("a", KEY)).replace(b'"no_answer"', b'"bored"'),
        write_event(fault("a", KEY)).replace(b'"player"', b'"nobody"'),
    ],
)
def test_what_is_no_event_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidLog, match="no event of a league: "):
        parse_event(line)


# --- reading -------------------------------------------------------------------------------------


@given(events=logs())
@in_a_folder
def test_what_was_written_is_read(tmp_path: Path, events: list[LeagueEvent]) -> None:
    assert read_log(put(tmp_path / "log", *events)) == tuple(events)


@given(events=logs(), data=st.data())
@in_a_folder
def test_wherever_it_is_torn_the_whole_lines_count(
    tmp_path: Path, events: list[LeagueEvent], data: st.DataObject
) -> None:
    lines = [write_event(event) for event in events]
    whole = b"".join(lines)
    end = data.draw(st.integers(len(lines[0]), len(whole)))
    path = tmp_path / "log"
    path.write_bytes(whole[:end])
    assert read_log(path) == tuple(events[: whole[:end].count(b"\n")])


def test_a_last_line_without_an_end_does_not_count_even_if_it_can_be_read(tmp_path: Path) -> None:
    path = put(tmp_path / "log", BEGAN, torn=write_event(OVER)[:-1])
    assert read_log(path) == (BEGAN,)


@pytest.mark.parametrize("torn", [b"", b'{"event":"league_be', write_event(BEGAN)[:-1]])
def test_a_log_without_a_whole_line_is_refused(tmp_path: Path, torn: bytes) -> None:
    with pytest.raises(InvalidLog, match="no whole line") as refused:
        read_log(put(tmp_path / "log", torn=torn))
    assert str(tmp_path / "log") in str(refused.value)


@pytest.mark.parametrize(
    ("events", "number", "why"),
    [
        ((OVER,), 1, "league_began is the first event"),
        ((LeagueOver(),), 1, "league_began is the first event"),
        ((BEGAN, OVER, BEGAN), 3, "league_began is the first event"),
        ((BEGAN, LeagueOver(), OVER), 3, "nothing follows league_over"),
        ((BEGAN, LeagueOver(), LeagueOver()), 3, "nothing follows league_over"),
    ],
)
def test_what_cannot_follow_is_refused_with_its_line(
    tmp_path: Path, events: tuple[LeagueEvent, ...], number: int, why: str
) -> None:
    with pytest.raises(InvalidLog, match=f"log, line {number}: {why}"):
        read_log(put(tmp_path / "log", *events))


@pytest.mark.parametrize("rubbish", [b"\n", b'{"event":\n', b"\x00\x00\n", b"\xff\n"])
@pytest.mark.parametrize("after", [b"", write_event(OVER)])
def test_a_whole_line_that_is_no_event_is_refused_with_its_number(
    tmp_path: Path, rubbish: bytes, after: bytes
) -> None:
    with pytest.raises(InvalidLog, match="log, line 3: no event of a league"):
        read_log(put(tmp_path / "log", BEGAN, OVER, torn=rubbish + after))


def test_a_log_that_is_not_there_is_the_callers_to_tell(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_log(tmp_path / "log")


# --- writing -------------------------------------------------------------------------------------


def test_each_event_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with LogWriter.begin(path, BEGAN) as log:
        assert read_log(path) == (BEGAN,)
        log.append(OVER)
        assert read_log(path) == (BEGAN, OVER)
        log.append(LeagueOver())
    assert read_log(path) == (BEGAN, OVER, LeagueOver())


def test_a_long_event_is_written_whole(tmp_path: Path) -> None:
    long = GameOver(("a", "b"), 1, 0, ("a", "b"), (1, 2), record="x" * 3_000_000)
    with LogWriter.begin(tmp_path / "log", BEGAN) as log:
        log.append(long)
    assert read_log(tmp_path / "log") == (BEGAN, long)


def test_no_log_is_begun_over_another(tmp_path: Path) -> None:
    path = put(tmp_path / "log", BEGAN, OVER)
    with pytest.raises(FileExistsError):
        LogWriter.begin(path, BEGAN)
    assert read_log(path) == (BEGAN, OVER)


@pytest.mark.parametrize("torn", [b"", b"{", write_event(OVER)[:-1]])
def test_a_log_goes_on_after_its_last_whole_line(tmp_path: Path, torn: bytes) -> None:
    path = put(tmp_path / "log", BEGAN, fault("a", KEY), torn=torn)
    with LogWriter.resume(path) as log:
        log.append(OVER)
    assert read_log(path) == (BEGAN, fault("a", KEY), OVER)


@given(data=st.data())
@in_a_folder
def test_torn_anywhere_and_gone_on_with_it_is_as_if_never_torn(
    tmp_path: Path, data: st.DataObject
) -> None:
    events = whole_log(TWO, by_luck(TWO))
    lines = [write_event(event) for event in events]
    whole = b"".join(lines)
    path = tmp_path / "log"
    path.write_bytes(whole[: data.draw(st.integers(len(lines[0]), len(whole)))])
    with LogWriter.resume(path) as log:
        for event in events[len(read_log(path)) :]:
            log.append(event)
    assert path.read_bytes() == whole


def test_no_log_goes_on_that_was_never_begun(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogWriter.resume(tmp_path / "log")


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with LogWriter.begin(path, BEGAN), pytest.raises(LogInUse):
        LogWriter.resume(path)
    with LogWriter.resume(path) as log:
        log.append(OVER)
    assert read_log(path) == (BEGAN, OVER)
