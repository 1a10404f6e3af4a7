"""Typed lines from a pipe, a file and a terminal."""

import asyncio
import os
import select
import sys
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from passing_client.keyboard import PlainKeyboard, TerminalKeyboard, here


def typed(data: bytes) -> list[str]:
    """Return the lines that a pipe with these bytes in it gives."""

    async def read(descriptor: int) -> list[str]:
        return [line async for line in PlainKeyboard(descriptor).lines()]

    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        return asyncio.run(read(reading))
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"64>\n", ["64>"]),
        (b"64>\nd\n\np\n", ["64>", "d", "", "p"]),
        (b"64>\nquit", ["64>", "quit"]),
        ("\u03b4\n".encode(), ["\u03b4"]),
        (b"\xff\n", ["\ufffd"]),
    ],
)
def test_a_pipe_gives_its_lines(data: bytes, lines: list[str]) -> None:
    assert typed(data) == lines


@given(st.lists(st.text(st.characters(exclude_characters="\n"), min_size=1), max_size=5))
def test_any_lines_come_through_a_pipe(lines: list[str]) -> None:
    text = "\n".join(lines)
    encoded = text.encode("utf-8", errors="surrogatepass")[:4_000]
    decoded = encoded.decode("utf-8", errors="replace")
    assert typed(encoded) == (decoded.split("\n") if decoded else [])


def until_read(descriptor: int) -> None:
    """Return when all that was in a pipe has been read by somebody else."""
    while select.select([descriptor], [], [], 0)[0]:
        pass


def test_a_letter_that_comes_in_two_pieces_is_one_letter() -> None:
    async def run() -> list[str]:
        reading, writing = os.pipe()
        lines = PlainKeyboard(reading).lines()
        first = "\u03b4".encode()
        os.write(writing, first[:1])
        waiting = asyncio.ensure_future(anext(lines))
        await asyncio.to_thread(until_read, reading)
        os.write(writing, first[1:] + b"\n")
        found = [await waiting]
        os.close(writing)
        found += [line async for line in lines]
        os.close(reading)
        return found

    assert asyncio.run(run()) == ["\u03b4"]


def test_a_file_gives_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "typed.txt"
    path.write_text("new kitchen\nquit\n")

    async def read(descriptor: int) -> list[str]:
        return [line async for line in PlainKeyboard(descriptor).lines()]

    with path.open() as file:
        assert asyncio.run(read(file.fileno())) == ["new kitchen", "quit"]


def test_input_that_cannot_be_read_is_at_its_end(tmp_path: Path) -> None:
    async def read(descriptor: int) -> list[str]:
        return [line async for line in PlainKeyboard(descriptor).lines()]

    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        assert asyncio.run(read(folder)) == []
    finally:
        os.close(folder)


def test_nothing_is_read_that_is_for_another_keyboard() -> None:
    async def one(descriptor: int) -> str:
        lines = PlainKeyboard(descriptor).lines()
        return await anext(lines)

    reads, writes = os.pipe()
    with os.fdopen(writes, "wb", buffering=0) as typed:
        for line in ("first", "second", "third"):
            typed.write(f"{line}\n".encode())
            assert asyncio.run(one(reads)) == line
    os.close(reads)


def test_a_pipe_prints_as_ever_and_rings_no_bell(capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = PlainKeyboard()
    with keyboard.printing():
        sys.stdout.write("a line\n")
    keyboard.ring()
    assert capsys.readouterr().out == "a line\n"


class Screen(StringIO):
    """Take what is drawn, as a terminal would."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError


def at_a_terminal(keys: bytes) -> tuple[list[str], str]:
    """Return the lines that these keys give at a terminal, and what is drawn."""
    screen = Screen()
    output = Vt100_Output(screen, lambda: Size(24, 80), enable_cpr=False)

    async def read() -> list[str]:
        keyboard = TerminalKeyboard()
        lines = [line async for line in keyboard.lines()]
        keyboard.ring()
        return lines

    with create_pipe_input() as pipe:
        pipe.send_bytes(keys)
        with create_app_session(input=pipe, output=output):
            return asyncio.run(read()), screen.getvalue()


def test_a_terminal_gives_its_lines_until_ctrl_d_and_can_ring() -> None:
    lines, drawn = at_a_terminal(b"64>\rd\r\x04")
    assert lines == ["64>", "d"]
    assert "> " in drawn
    assert "\a" in drawn


def test_a_line_can_be_edited_at_a_terminal() -> None:
    assert at_a_terminal(b"65\x7f4>\r\x04")[0] == ["64>"]


def test_bytes_that_are_no_text_at_a_terminal_are_replaced() -> None:
    lines, _ = at_a_terminal("c \u03b4".encode() + b"\xff\r\x04")
    assert lines == ["c \u03b4\ufffd"]


def test_ctrl_c_at_a_terminal_interrupts() -> None:
    with pytest.raises(KeyboardInterrupt):
        at_a_terminal(b"64\x03")


@pytest.mark.parametrize(
    ("tty", "term", "kind"),
    [(True, "xterm", TerminalKeyboard), (True, "dumb", PlainKeyboard),
     (True, "", PlainKeyboard),
     (False, "xterm", PlainKeyboard)],
)  # fmt: skip
def test_what_standard_input_is_decides(
    monkeypatch: pytest.MonkeyPatch, tty: bool, term: str, kind: type
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: tty)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: tty)
    monkeypatch.setenv("TERM", term)
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        assert isinstance(here(), kind)
