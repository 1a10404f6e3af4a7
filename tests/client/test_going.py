"""Which way of playing is taken, and that everything that an errand began is ended."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from passing_client import keyboard
from passing_client.going import Stay, go
from passing_client.keyboard import is_full_terminal
from passing_client.settings import Settings
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews, NewsKind
from tests.support.client_scene import FakeLink

NOTE = "The full screen needs a terminal, so this is line mode. --plain asks for it.\n"


class Errand:
    """An errand to a server that ends the session at once."""

    private = to_the_end = False
    wanted: str | None = None
    server = "den.local"
    starting = "Connecting ..."

    def __init__(self, trouble: Exception | None = None) -> None:
        self.steps: list[str] = []
        self._trouble = trouble

    def begin(self) -> None:
        self.steps.append("begin")

    def end(self) -> None:
        self.steps.append("end")

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        self.steps.append("patient" if patient else "run")
        if self._trouble is not None:
            raise self._trouble
        report(LinkNews(NewsKind.TRYING, "den.local \x1b[2Jdoes not answer."))
        link = FakeLink(script=[LinkNews(NewsKind.CLOSED, "It is over.")])
        return await stay(link, lambda conversation: conversation.desk.say("Here we are."))


@pytest.mark.parametrize("plain", [False, True])
def test_without_a_terminal_it_is_line_mode_with_a_note_unless_asked_for(
    plain: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    errand = Errand()
    assert go(errand, Settings(plain=plain)) is ExitCode.UNREACHABLE
    shown = capsys.readouterr()
    assert shown.out == "Here we are.\nIt is over.\n"
    assert shown.err == "den.local does not answer.\n" + ("" if plain else NOTE)
    assert errand.steps == ["begin", "run", "end"]


def test_line_mode_can_be_asked_for_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keyboard, "is_full_terminal", lambda: True)
    monkeypatch.setattr(keyboard, "here", keyboard.PlainKeyboard)
    assert go(Errand(), Settings(plain=True)) is ExitCode.UNREACHABLE
    assert capsys.readouterr().out == "Here we are.\nIt is over.\n"


@pytest.mark.parametrize("terminal", [False, True])
def test_what_was_begun_is_ended_though_the_errand_fails(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "is_full_terminal", lambda: False)
    errand = Errand(CommandFailed(ExitCode.REFUSED, "No."))
    with pytest.raises(CommandFailed, match="No"):
        go(errand, Settings(plain=terminal))
    assert errand.steps == ["begin", "run", "end"]


@pytest.mark.parametrize("kind", ["", "dumb", None])
def test_a_terminal_that_can_only_print_is_none_for_the_full_screen(
    kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stream:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Stream())
    monkeypatch.setattr("sys.stdout", Stream())
    monkeypatch.setenv("TERM", "xterm")
    assert is_full_terminal()
    if kind is None:
        monkeypatch.delenv("TERM")
    else:
        monkeypatch.setenv("TERM", kind)
    assert not is_full_terminal()


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["--version"]])
def test_what_only_prints_imports_no_screen_and_no_socket(words: list[str]) -> None:
    code = (
        "import sys; from passing_client.command import main; main(sys.argv[1:]); "
        "print(sorted({'prompt_toolkit', 'zmq', 'asyncio'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_first_picture_needs_no_socket() -> None:
    code = (
        "import sys; import passing_client.private_table, passing_client.screen.full_screen; "
        "print('zmq' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
