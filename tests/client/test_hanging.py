"""Rows of two columns at a terminal: later lines stand below the second column."""

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.command_tree import CommandTree
from passing_client.hanging import hung
from passing_client.language import LANGUAGES, use
from passing_client.line_mode import LineFace
from passing_client.repertoire import COMMANDS
from passing_client.vocabulary import Place, help_lines

WORDS = st.lists(st.text("abκδ", min_size=1, max_size=8), min_size=1, max_size=30).map(" ".join)


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@given(WORDS, st.integers(1, 30), WORDS)
def test_no_word_is_lost_and_none_stands_under_the_first_column(
    first: str, gap: int, second: str
) -> None:
    row = f"  {first}{' ' * (gap + 1)}{second}"
    lines = hung(row, Terminal()).split("\n")
    assert " ".join(lines).split() == row.split()
    if len(first) < 40 and len(first) + gap < 44 and len(lines) > 1:
        column = len(first) + gap + 3
        assert all(line[:column].isspace() and line[column] != " " for line in lines[1:])
        assert all(len(line) <= 80 for line in lines)


def test_a_second_column_far_to_the_right_has_lines_of_its_own() -> None:
    call = "  passing record show game.pass --seat 1 --reveal after_block"
    assert hung(f"{call}   and while a league hid hands", Terminal()) == (
        f"{call}\n      and while a league hid hands"
    )


@pytest.mark.parametrize("row", ["  a  b", "one column " * 9, "  a  " + "b " * 50])
def test_elsewhere_than_at_a_terminal_a_row_stays_as_it_is(row: str) -> None:
    assert hung(row, io.StringIO()) == hung(row, None) == row


def test_what_has_one_column_is_broken_between_words() -> None:
    assert hung("word " * 20 + "end", Terminal()) == f"{'word ' * 16}".rstrip() + (
        "\n" + "word " * 4 + "end"
    )


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("place", [Place.LOBBY, Place.TABLE])
def test_the_help_of_line_mode_keeps_its_two_columns_in_80(
    code: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setattr(sys, "__stdout__", shown)
    use(code)
    rows = help_lines(COMMANDS, place)
    for row in rows:
        LineFace(lambda: None).say(row)
    lines = shown.getvalue().splitlines()
    (column,) = {len(row) - len(row[2:].partition("  ")[2].lstrip()) for row in rows}
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).split() == " ".join(rows).split()
    assert all(line[column] != " " and line[column - 1] == " " for line in lines)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("words", [["play"], ["watch"], ["find"], ["record", "check"], []])
def test_the_examples_of_a_command_fit_80_columns(
    code: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    use(code)
    with pytest.raises(SystemExit):
        CommandTree.installed().parser_for(words).parse_args([*words, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
