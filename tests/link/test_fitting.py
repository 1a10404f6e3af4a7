"""Lines for people are broken between words at a terminal, and nowhere else."""

import fcntl
import io
import os
import pty
import struct
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.fitting import fitted, fitted_prose

WORDS = st.lists(st.text("abc-", min_size=1, max_size=12), min_size=1, max_size=40)
SENTENCE = "Nobody is listening at den.local:28066. Is that the address, and does it run?"
COMMAND = "  passing play 192.168.1.20:28066 --code 01234-56789-ABCDE-FGHJK"


class Terminal(io.StringIO):
    """A terminal as far as it says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def forty(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal of 40 columns."""
    monkeypatch.setenv("COLUMNS", "40")
    return Terminal()


@given(words=WORDS)
def test_no_word_is_cut_and_none_is_lost(words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "20")
        lines = fitted(" ".join(words), Terminal()).split("\n")
    assert [word for line in lines for word in line.split()] == words
    assert all(len(line) <= 20 for line in lines)


def test_off_a_terminal_a_sentence_stays_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert fitted(SENTENCE, io.StringIO()) == fitted(SENTENCE, None) == SENTENCE


def test_a_link_that_is_longer_than_a_line_stays_whole(forty: Terminal) -> None:
    link = f"passing://192.168.1.20:28066/#{'k' * 43}.CDEFGHJK"
    assert link in fitted(f"or with the link {link}", forty).split("\n")


def test_lines_that_there_are_stay_apart(forty: Terminal) -> None:
    assert fitted("One.\nTwo.", forty) == "One.\nTwo."


def test_a_command_to_copy_is_not_broken(forty: Terminal) -> None:
    assert fitted_prose(COMMAND, forty) == COMMAND
    assert "\n" in fitted_prose(SENTENCE, forty)


def test_the_width_is_that_of_the_streams_own_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 33, 0, 0))
    with os.fdopen(theirs, "w") as stream, os.fdopen(ours, "rb"):
        lines = fitted(SENTENCE, stream).split("\n")
    assert [len(line) <= 33 for line in lines] == [True] * 3
