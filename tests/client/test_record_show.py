"""`passing record show` prints a record as a reader may know it, and nothing beyond that."""

import json
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.exits import ExitCode
from passing_protocol.records import parse, record_as_json, seen_by, write
from tests.support.records import OPEN, WHOLE
from tests.support.records_bad import SEATED

Captured = pytest.CaptureFixture[str]

(GAME,) = parse(OPEN)


@pytest.fixture(autouse=True)
def games(no_settings: None) -> None:
    """Files with two games, with one, with one seat's view of it, and with none that is right."""
    Path("two.pass").write_text(f"{WHOLE}\n{OPEN}", "utf-8")
    Path("open.pass").write_text(f"; an aside\n{OPEN}", "utf-8")
    Path("seat.pass").write_text(SEATED, "utf-8")
    Path("wrong.pass").write_text(OPEN.replace("round 2", "lap 2"), "utf-8")


def show(*words: str) -> int:
    return main(["record", "show", *words])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("open.pass", OPEN),
        ("two.pass", f"{WHOLE}\n{OPEN}"),
        ("two.pass --game 1", WHOLE),
        ("two.pass --game 2", OPEN),
        ("open.pass --public", write([seen_by(GAME, None)])),
        ("open.pass --seat 1", write([seen_by(GAME, 0)])),
        ("open.pass --seat 3", write([seen_by(GAME, 2)])),
        ("seat.pass --seat 2", SEATED),
        ("seat.pass --public", write([seen_by(GAME, None)])),
        ("open.pass --public --reveal round", write([seen_by(GAME, None)])),
        (
            "open.pass --public --reveal after_block",
            write([seen_by(GAME, None, hidden_after_end=True)]),
        ),
        (
            "open.pass --seat 2 --reveal after_block",
            write([seen_by(GAME, 1, hidden_after_end=True)]),
        ),
    ],
)
def test_it_prints_the_canonical_text(words: str, text: str, capsys: Captured) -> None:
    assert show(*words.split()) == ExitCode.DONE
    assert capsys.readouterr().out == text


def test_as_json_it_is_a_line_for_each_game(capsys: Captured) -> None:
    assert show("two.pass", "--json", "--seat", "2") == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    expected = [record_as_json(seen_by(record, 1)) for record in parse(f"{WHOLE}\n{OPEN}")]
    assert [json.loads(line) for line in lines] == expected


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("two.pass --game 0", "--game: 0, two.pass has 2 games, counted from 1."),
        ("two.pass --game 3", "--game: 3, two.pass has 2 games, counted from 1."),
        ("open.pass --game 2", "--game: 2, open.pass has 1 game, counted from 1."),
        ("open.pass --reveal after_block", "say who is to see it, with --seat or --public."),
        ("open.pass --seat 1 --reveal never", "--reveal: invalid choice: 'never'"),
        ("two.pass --seat 3", "--seat: 3, this game has 2 seats."),
        (
            "seat.pass --seat 1",
            "--seat: 1, the file has the seat 1 view of this game (seats from 0) and no other.",
        ),
        ("none.pass", "none.pass cannot be read: No such file or directory."),
        ("open.pass --seat 0", "--seat: invalid choice: 0"),
        ("open.pass --seat 1 --public", "not allowed with argument --seat"),
    ],
)
def test_what_cannot_be_shown_is_a_mistake_of_use(words: str, told: str, capsys: Captured) -> None:
    assert show(*words.split()) == ExitCode.USAGE
    printed = capsys.readouterr()
    assert told in printed.err
    assert printed.out == ""


def test_what_is_no_record_is_told_with_the_place(capsys: Captured) -> None:
    assert show("wrong.pass") == ExitCode.CHECK_FAILED
    told = capsys.readouterr().err
    assert told.startswith("passing: wrong.pass, line ")
    assert "expected round, match, the proof or the next game, found 'lap'" in told


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_control_character_reaches_the_terminal(form: list[str], capsys: Captured) -> None:
    Path("aside.pass").write_text(OPEN.replace("\nround", "; \x1b[2J\x9b1m\u202e\nround", 1))
    assert show("aside.pass", *form) == ExitCode.DONE
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())
    Path("name.pass").write_text(OPEN.replace('"Ann"', '"A\x1b[2Jnn"', 1))
    assert show("name.pass", *form) == ExitCode.CHECK_FAILED
    assert capsys.readouterr().err.removesuffix("\n").isprintable()


def test_its_help_says_how_seats_are_counted(capsys: Captured) -> None:
    assert show("--help") == ExitCode.DONE
    assert "people count seats from 1" in " ".join(capsys.readouterr().out.split())


def test_what_a_league_kept_hidden_can_be_shown_so(capsys: Captured) -> None:
    show("two.pass", "--game", "1", "--seat", "1")
    assert "hand 1  01 06 11 15 16 23 34" in capsys.readouterr().out
    show("two.pass", "--game", "1", "--seat", "1", "--reveal", "after_block")
    printed = capsys.readouterr().out
    assert "hand 0  02 05 13 14 26 45 56" in printed
    assert "hand 1  ?? ?? ?? ?? ?? ?? ??" in printed
    assert "left 1  ?? ?? = 7" in printed
