"""`passing record list` shows what was kept, and its numbers and names stand for files."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from passing_client.command import main
from passing_client.record_folder import file_name, folder_of, write_new
from passing_client.settings import Settings
from passing_link.exits import ExitCode
from tests.support.records import OPEN, WHOLE

Captured = pytest.CaptureFixture[str]


def keep(*texts: str) -> list[Path]:
    """Keep files of these texts, the oldest first."""
    days = (datetime(2026, 11, day, 19, 45) for day in range(1, 1 + len(texts)))
    named = zip(days, texts, strict=True)
    return [write_new(folder_of(Settings()), file_name(d, "kitchen", "m1"), t) for d, t in named]


def test_the_newest_comes_first(capsys: Captured) -> None:
    keep(WHOLE, OPEN)
    assert main(["record", "list"]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "   date        table    seats        rounds  score   file",
        "1              kitchen  Ann, Bo, Cy  2       0 0 21  2026-11-02-1945-kitchen-m1.pass",
        "2  2026-11-30  kitchen  Dana, Bo     1       0 21    2026-11-01-1945-kitchen-m1.pass",
    ]
    assert printed.err == ""


def test_as_json(capsys: Captured) -> None:
    (path,) = keep(WHOLE)
    assert main(["record", "list", "--json"]) == ExitCode.DONE
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "number": 1,
        "date": "2026.11.30",
        "table": "kitchen",
        "match": None,
        "view": "full",
        "seats": ["Dana", "Bo"],
        "rounds": 1,
        "scores": [0, 21],
        "outcome": {"reason": "max_rounds", "winner": 1, "forfeited": []},
        "file": str(path),
    }


def test_without_records_it_says_so(capsys: Captured) -> None:
    assert main(["record", "list"]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"passing: No game records are kept in {folder_of(Settings())} yet.\n"


def test_another_folder_can_be_listed(capsys: Captured) -> None:
    write_new(Path("games"), file_name(datetime(2026, 11, 30), "hall", "m"), WHOLE)
    main(["record", "list", "--records-folder", "games"])
    assert "2026-11-30-0000-hall-m.pass" in capsys.readouterr().out


def test_what_cannot_be_read_is_told_and_the_others_are_listed(capsys: Captured) -> None:
    keep(WHOLE, "", WHOLE.replace("round 1", "round one"), WHOLE)
    assert main(["record", "list"]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert [line[0] for line in printed.out.splitlines()[1:]] == ["1", "4"]
    wrong, empty = printed.err.splitlines()
    assert wrong.startswith("passing: 2026-11-03-1945-kitchen-m1.pass, line ")
    assert empty == "passing: 2026-11-02-1945-kitchen-m1.pass: there is no game in it."


def test_names_do_what_they_please_and_no_terminal_obeys(capsys: Captured) -> None:
    keep(WHOLE.replace('"Dana"', '"漢字の名前"'))
    main(["record", "list"])
    head, line = capsys.readouterr().out.splitlines()
    assert "漢字の名前, Bo" in line
    assert head.index("file") == line.index("2026-11-01") + len("漢字の名前")


# --- as FILE --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["2", "2026-11-01-1945-kitchen-m1", "2026-11-01-1945-kitchen-m1.pass"]
)
def test_a_number_or_a_name_of_the_list_is_a_file(name: str, capsys: Captured) -> None:
    keep(WHOLE, OPEN)
    assert main(["record", "check", name]) == ExitCode.DONE
    assert capsys.readouterr().out == f"{name}: 1 game, 1 round, 26 actions: all right\n"
    assert main(["record", "show", name]) == ExitCode.DONE
    assert capsys.readouterr().out == WHOLE


def test_a_file_of_that_name_comes_first(capsys: Captured) -> None:
    keep(WHOLE)
    Path("1").write_text(OPEN)
    assert main(["record", "check", "1"]) == ExitCode.DONE
    assert "2 rounds" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "show", "replay"])
@pytest.mark.parametrize("name", ["0", "2", "99"])
def test_a_number_that_the_list_has_not_is_told_with_how_many_it_has(
    name: str, command: str, capsys: Captured
) -> None:
    keep(WHOLE)
    assert main(["record", command, name]) == ExitCode.USAGE
    told = f"passing: No game record has the number {name}: `passing record list` holds 1.\n"
    assert capsys.readouterr().err == told
    keep(OPEN)
    assert main(["record", command, "3"]) == ExitCode.USAGE
    assert "the number 3: `passing record list` holds 2, from 1." in capsys.readouterr().err


def test_no_number_means_a_record_where_none_is_kept(capsys: Captured) -> None:
    assert main(["record", "replay", "1"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "passing: No game records are kept yet.\n"


@pytest.mark.parametrize("name", ["9" * 30, "٣", "2026-11-01", "../x", "a\0b"])
def test_what_is_neither_is_told(name: str, capsys: Captured) -> None:
    keep(WHOLE)
    assert main(["record", "check", name]) == ExitCode.USAGE
    assert "cannot be read" in capsys.readouterr().err


def test_records_can_be_found_where_a_setting_has_them(capsys: Captured) -> None:
    Path("passing.toml").write_text('records_folder = "games"\n')
    write_new(Path("games"), file_name(datetime(2026, 11, 30), "hall", "m"), WHOLE)
    assert main(["record", "check", "1"]) == ExitCode.DONE
    assert capsys.readouterr().out.startswith("1: 1 game")
