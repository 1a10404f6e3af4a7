"""`passing record check` says what a file holds, or where its first wrong byte is."""

import io
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.exits import ExitCode
from passing_protocol.records import write
from passing_protocol.views import DealKind
from tests.support.records import OPEN, WHOLE
from tests.support.records_bad import SYNTAX, Bad
from tests.support.records_proof import proven_record

Captured = pytest.CaptureFixture[str]


def check(*names: str) -> int:
    return main(["record", "check", *names])


def test_a_line_tells_what_a_right_file_holds(capsys: Captured) -> None:
    Path("game.pass").write_text(WHOLE, "utf-8")
    Path("games.pass").write_text(f"{WHOLE}\n{OPEN}", "utf-8")
    assert check("game.pass", "games.pass") == ExitCode.DONE
    printed = capsys.readouterr()
    assert printed.out == (
        "game.pass: 1 game, 1 round, 26 actions: all right\n"
        "games.pass: 2 games, 3 rounds, 54 actions: all right\n"
        "  The deals of 1 game cannot be proved: the server dealt alone, or they come from a seed "
        "or were given.\n"
    )
    assert printed.err == ""


def test_a_proof_is_told_with_what_it_does_not_show(capsys: Captured) -> None:
    Path("fair.pass").write_text(write([proven_record(2)]), "utf-8")
    Path("one.pass").write_text(write([proven_record(2, rounds=1)]), "utf-8")
    assert check("fair.pass", "one.pass") == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    limit = (
        "  That nobody chose them is known to those whose programs took part and checked them at "
        "the table."
    )
    shows = "no tile was changed after everybody's part was given."
    assert lines[1:3] == [f"  2 deals follow from their proof: {shows}", limit]
    assert lines[4:] == [f"  1 deal follows from its proof: {shows}", limit]


@pytest.mark.parametrize("kind", DealKind)
@pytest.mark.parametrize("games", [1, 2])
def test_deals_of_which_no_proof_can_be_are_told_as_such(
    kind: DealKind, games: int, capsys: Captured
) -> None:
    text = WHOLE.replace('[Deal "fair"]', f'[Deal "{kind}"]')
    Path("game.pass").write_text("\n".join([text] * games), "utf-8")
    assert check("game.pass") == ExitCode.DONE
    _first, *others = capsys.readouterr().out.splitlines()
    number = "1 game" if games == 1 else "2 games"
    limit = (
        f"  The deals of {number} cannot be proved: the server dealt alone, or they come from a "
        "seed or were given."
    )
    assert others == ([] if kind is DealKind.FAIR else [limit])


def test_a_false_proof_is_wrong(capsys: Captured) -> None:
    text = write([proven_record(2)]).replace('[Match "m1"]', '[Match "m2"]')
    Path("fair.pass").write_text(text, "utf-8")
    assert check("fair.pass") == ExitCode.CHECK_FAILED
    assert "the tiles of round 1 do not follow from the links" in capsys.readouterr().err


def test_standard_input_is_a_dash(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WHOLE.encode())))
    assert check("-") == ExitCode.DONE
    assert capsys.readouterr().out == "-: 1 game, 1 round, 26 actions: all right\n"


def test_a_wrong_file_is_told_with_the_place_and_the_others_are_checked(capsys: Captured) -> None:
    Path("wrong.pass").write_text(WHOLE.replace("02>", "02<"), "utf-8")
    Path("game.pass").write_text(WHOLE, "utf-8")
    Path("torn.pass").write_bytes(b"\xff")
    assert check("wrong.pass", "game.pass", "torn.pass") == ExitCode.CHECK_FAILED
    printed = capsys.readouterr()
    assert printed.out == "game.pass: 1 game, 1 round, 26 actions: all right\n"
    assert printed.err == (
        "passing: wrong.pass, line 26, column 13 (byte 508): seat 0, 02<: the tile does not fit "
        "there; the first tile of a round has no end\n"
        "passing: torn.pass, line 1, column 1 (byte 0): expected a character in UTF-8\n"
    )


@pytest.mark.parametrize("command", ["check", "show", "replay"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("root:x:0:0:root:/root:/bin/bash\nmore\n", "1 is 'root:x:0:0:root:/root:/bin/bash'."),
        ("; a remark\n\n  no [ here", "3 is 'no [ here'."),
        ("x" * 100, f"1 is '{'x' * 60}' ...."),
    ],
)
def test_what_is_no_record_at_all_is_told_as_such_with_its_first_line(
    command: str, text: str, line: str, capsys: Captured
) -> None:
    Path("notes.txt").write_text(text, "utf-8")
    assert main(["record", command, "notes.txt"]) == ExitCode.CHECK_FAILED
    told = "passing: notes.txt: this is no game record. One begins with [, and line "
    assert capsys.readouterr().err == f"{told}{line}\n"


def test_what_follows_a_record_is_told_as_a_wrong_piece(capsys: Captured) -> None:
    Path("game.pass").write_text(f"{WHOLE}\nhello\n", "utf-8")
    assert check("game.pass") == ExitCode.CHECK_FAILED
    assert ", found 'hello'" in capsys.readouterr().err


def test_another_form_is_told_and_is_not_wrong(capsys: Captured) -> None:
    Path("game.pass").write_text(WHOLE.replace("02 05 13", "05 02 31"), "utf-8")
    assert check("game.pass") == ExitCode.DONE
    assert capsys.readouterr().out == (
        "game.pass: 1 game, 1 round, 26 actions: all right, "
        "but not in canonical form from line 20, column 10 (byte 335) on\n"
    )


@pytest.mark.parametrize("name", ["none.pass", ".", "no\0name"])
def test_a_file_that_cannot_be_read_is_a_mistake_of_use(name: str, capsys: Captured) -> None:
    assert check(name) == ExitCode.USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"passing: {name.replace(chr(0), '')} cannot be read: ")


@pytest.mark.parametrize("text", ["", "\n ; no game yet\n"])
def test_a_file_without_games_is_not_silently_right(text: str, capsys: Captured) -> None:
    Path("none.pass").write_text(text, "utf-8")
    assert check("none.pass") == ExitCode.CHECK_FAILED
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "passing: none.pass: there is no game in it.\n"


@pytest.mark.parametrize("wrong", [True, False])
def test_a_line_for_each_whatever_the_others_are(wrong: bool, capsys: Captured) -> None:
    Path("game.pass").write_text(WHOLE, "utf-8")
    Path("other.pass").write_text(WHOLE.replace("02>", "02<") if wrong else OPEN, "utf-8")
    code = ExitCode.CHECK_FAILED if wrong else ExitCode.USAGE
    assert check("missing.pass", "other.pass", ".", "game.pass") == code
    printed = capsys.readouterr()
    assert "game.pass: 1 game, 1 round, 26 actions: all right\n" in printed.out
    assert printed.err.count("cannot be read: ") == 2
    told = [line for line in (printed.out + printed.err).splitlines() if line[0] != " "]
    assert len(told) == 4


def test_no_control_character_reaches_the_terminal(capsys: Captured) -> None:
    name = "a\x1b[31m\nb.pass"
    Path(name).write_text(f"\x1b[2J\x07{WHOLE}", "utf-8")
    assert check(name) == ExitCode.CHECK_FAILED
    Path(name).write_text(WHOLE, "utf-8")
    assert check(name) == ExitCode.DONE
    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert text.count("\n") == 1
        assert text.removesuffix("\n").isprintable()


@pytest.mark.parametrize("bad", SYNTAX[:12], ids=lambda bad: bad.name)
def test_what_is_told_is_one_line(
    bad: Bad, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(bad.text.encode())))
    assert check("-") == ExitCode.CHECK_FAILED
    assert capsys.readouterr().err.count("\n") == 1
