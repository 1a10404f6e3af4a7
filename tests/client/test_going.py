"""Which way of playing is taken, and that everything that an errand began is ended."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from passing_client import keyboard
from passing_client.conversation import Conversation
from passing_client.going import Stay, go
from passing_client.keyboard import is_full_terminal
from passing_client.model import TableModel
from passing_client.settings import Settings
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import MatchEnded
from passing_protocol.messages import Update
from tests.support.client_scene import TABLE, FakeLink, round_view

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


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_can_do_nothing_is_named(
    term: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", term)
    go(Errand(), Settings())
    assert f"This terminal (TERM={term}) cannot show the full screen" in capsys.readouterr().err


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


@pytest.mark.parametrize(("terminal", "ends"), [(False, ExitCode.DONE), (True, None)])
def test_only_line_mode_off_a_terminal_leaves_with_the_end_of_a_private_match(
    terminal: bool, ends: ExitCode | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "is_full_terminal", lambda: terminal)
    monkeypatch.setattr(keyboard, "here", keyboard.PlainKeyboard)
    overs: list[ExitCode | None] = []

    class Watched(Errand):
        private = to_the_end = True

        async def run(
            self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
        ) -> ExitCode:
            def begin(conversation: Conversation) -> None:
                table = TableModel(TABLE, round_view())
                conversation.desk.table = table
                event = MatchEnded("target", [61, 0, 0, 0], 0)
                conversation.hear(Update(1, TABLE, 1, [event]))
                overs.append(conversation.desk.over)
                conversation.interrupt()

            return await stay(FakeLink(), begin)

    go(Watched(), Settings(plain=True))
    assert overs == [ends]
