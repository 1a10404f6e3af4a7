"""What goes wrong at the full screen ends it, with the terminal as it was before."""

import pytest

from passing_client.screen import application
from passing_client.screen.controller import Controller
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import Said
from passing_protocol.messages import Update
from tests.client.screen.terminal_runs import is_restored, on_turn, run
from tests.support.client_scene import (
    TABLE,
)
from tests.support.drawn_terminal import DrawnTerminal, ScriptedErrand


def test_a_server_that_ends_it_is_told_when_the_terminal_is_restored() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        errand.link.inbox.put_nowait(LinkNews(NewsKind.CLOSED, "den.local has ended it."))
        with pytest.raises(CommandFailed) as failed:
            await screen.ends()
        assert failed.value.code is ExitCode.UNREACHABLE
        assert failed.value.sentence == (
            "den.local has ended it. Try again with the same command, "
            "or see: passing doctor den.local"
        )

    assert is_restored(run(scenario))


def test_an_errand_that_fails_is_told_when_the_terminal_is_restored() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        errand.trouble = CommandFailed(ExitCode.REFUSED, "The name is taken.")
        errand.reached.set()
        with pytest.raises(CommandFailed, match="The name is taken"):
            await screen.ends()

    assert is_restored(run(scenario))


@pytest.mark.parametrize(
    ("where", "owner", "name", "keys"),
    [
        ("drawing", application, "draw", "x"),
        ("a title", application, "title", "x"),
        ("a character", Controller, "press", "x"),
        ("a named key", Controller, "press", "\x1b[C"),
        ("pasting", Controller, "paste", "\x1b[200~well\x1b[201~"),
        ("a click", application, "tile_at", "\x1b[<0;3;3M\x1b[<0;3;3m"),
        ("the wheel", Controller, "press", "\x1b[<64;3;3M"),
        ("a resize", Controller, "resize", "x"),
        ("an interruption", Controller, "interrupt", "\x03"),
        ("a tick", Controller, "tick", ""),
        ("hearing", Controller, "hear", ""),
    ],
)
def test_c50_a_crash_restores_the_terminal_and_is_told_in_one_sentence(
    where: str,
    owner: object,
    name: str,
    keys: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError(where)

    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.press("f9")
        await screen.until(lambda: "\x1b[?1006h" in screen.sink.raw)
        monkeypatch.setattr(owner, name, crash)
        screen.types(keys)
        errand.link.inbox.put_nowait(Update(3, TABLE, 2, [Said("Bo", "hello", 1)]))
        with pytest.raises(ZeroDivisionError, match=where):
            await screen.ends()
        assert "Traceback" not in screen.sink.raw

    monkeypatch.setattr("passing_client.screen.full_screen.TICK_S", 0.02)
    assert is_restored(run(scenario))
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_a_terminal_that_is_gone_ends_it() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.hang_up()
        assert await screen.ends() is ExitCode.INTERRUPTED

    run(scenario)
