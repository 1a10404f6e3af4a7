"""`passing record replay` prints a record, or shows it at the full screen of a terminal."""

import io
from datetime import datetime
from pathlib import Path

import pytest

from passing_client import looking_back
from passing_client.command import main
from passing_client.record_folder import file_name, folder_of, write_new
from passing_client.replaying import Replay
from passing_client.settings import Settings
from passing_client.words.replays import replay_lines
from passing_link.exits import ExitCode
from passing_protocol.records import PUBLIC, View, parse, seen_by, write
from tests.support.records import OPEN, WHOLE

Captured = pytest.CaptureFixture[str]
RECORD = parse(WHOLE)[0]


def replay(*words: str) -> int:
    return main(["record", "replay", *words])


@pytest.fixture(autouse=True)
def files() -> None:
    Path("game.pass").write_text(WHOLE, encoding="utf-8")
    Path("two.pass").write_text(f"{WHOLE}\n{OPEN}", encoding="utf-8")


def test_off_a_terminal_it_is_printed(capsys: Captured) -> None:
    assert replay("game.pass") == ExitCode.DONE
    assert capsys.readouterr().out.splitlines() == list(replay_lines(Replay(RECORD)))


def test_standard_input_is_a_dash(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WHOLE.encode())))
    assert replay("-") == ExitCode.DONE
    assert "Lap 13." in capsys.readouterr().out


def test_a_kept_record_is_found_by_its_number(capsys: Captured) -> None:
    write_new(folder_of(Settings()), file_name(datetime(2026, 11, 30), "hall", "m"), WHOLE)
    assert replay("1") == ExitCode.DONE
    assert "Bo wins the round" in capsys.readouterr().out


def test_one_round_alone(capsys: Captured) -> None:
    assert replay("two.pass", "--game", "2", "--round", "2") == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Round 2. Ann leads.")
    assert not any(line.startswith("Round 1.") for line in lines)


@pytest.mark.parametrize(
    ("words", "eyes"), [(("--seat", "2"), View(seat=1)), (("--public",), PUBLIC)]
)
def test_the_hands_of_others_can_stay_hidden(
    words: tuple[str, ...], eyes: View, capsys: Captured
) -> None:
    assert replay("game.pass", *words) == ExitCode.DONE
    expected = Replay(RECORD)
    expected.eyes = eyes
    assert capsys.readouterr().out.splitlines() == list(replay_lines(expected))


def test_a_record_of_one_s_own_says_you(capsys: Captured) -> None:
    Path("mine.pass").write_text(write([seen_by(RECORD, 0)]), encoding="utf-8")
    replay("mine.pass")
    assert "You draw 6-6." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("none.pass",), ExitCode.USAGE, "none.pass cannot be read: No such file or directory."),
        (("game.pass", "--seat", "3"), ExitCode.USAGE, "--seat: 3, this game has 2 seats."),
        (("game.pass", "--round", "2"), ExitCode.USAGE, "--round: 2, this game has no such round."),
        (
            ("two.pass", "--game", "3"),
            ExitCode.USAGE,
            "--game: 3, two.pass has 2 games, counted from 1.",
        ),
        (("game.pass", "--game", "0"), ExitCode.USAGE, "--game: 0, game.pass has 1 game"),
        (("empty.pass",), ExitCode.USAGE, "--game: 1, empty.pass has 0 games"),
        (("wrong.pass",), ExitCode.CHECK_FAILED, "wrong.pass, line 26, column 13 (byte 508): "),
    ],
)
def test_what_cannot_be_replayed_is_told(
    words: tuple[str, ...], code: ExitCode, told: str, capsys: Captured
) -> None:
    Path("empty.pass").touch()
    Path("wrong.pass").write_text(WHOLE.replace("02>", "02<"), encoding="utf-8")
    assert replay(*words) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert told in printed.err


# --- at a terminal --------------------------------------------------------------------------------


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Replay]:
    """Stand at a terminal, and return the replays that its full screen shows."""
    replays: list[Replay] = []

    def look_back(replay: Replay, settings: Settings) -> ExitCode:
        replays.append(replay)
        return ExitCode.DONE

    monkeypatch.setattr("passing_client.keyboard.is_full_terminal", lambda: True)
    monkeypatch.setattr(looking_back, "look_back", look_back)
    return replays


def test_at_a_terminal_it_fills_the_screen(shown: list[Replay], capsys: Captured) -> None:
    assert replay("two.pass", "--game", "2", "--round", "2", "--seat", "3") == ExitCode.DONE
    (one,) = shown
    assert one.record == parse(OPEN)[0]
    assert (one.view.round, one.view.actions, one.eyes) == (2, [], View(seat=2))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("words", [("game.pass", "--plain")])
def test_text_can_be_asked_for(
    words: tuple[str, ...], shown: list[Replay], capsys: Captured
) -> None:
    assert replay(*words) == ExitCode.DONE
    assert shown == []
    assert "Lap 1." in capsys.readouterr().out
