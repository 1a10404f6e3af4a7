"""The full screen in this process, keys and escape sequences and all, at a terminal emulator."""

import asyncio
import os
import signal
from functools import partial

import pytest

from passing_client.screen.application import has_colour
from passing_client.screen.controller import Controller
from passing_client.screen.timing import SEEN_MS
from passing_client.settings import Settings
from passing_link.exits import ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import Said
from passing_protocol.messages import Chat, Update
from passing_protocol.views import Clock, Mine
from tests.client.screen.terminal_runs import actions, is_restored, on_turn, run
from tests.support.client_scene import (
    TABLE,
    acted,
    tiles,
)
from tests.support.drawn_terminal import DrawnTerminal, ScriptedErrand

# --- from the first picture to the end ----------------------------------------------------------


def test_the_first_picture_says_what_is_waited_for_and_can_be_left() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await screen.shows("Connecting to den.local ...")
        errand.report(LinkNews(NewsKind.TRYING, "den.local \x1b[2Jdoes not answer."))
        await screen.shows("den.local does not answer.")
        screen.press("q")
        assert await screen.ends() is ExitCode.DONE
        assert errand.left

    assert is_restored(run(scenario))


@pytest.mark.parametrize("at_table", [False, True])
def test_ctrl_c_leaves_at_once(at_table: bool) -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        if at_table:
            await on_turn(screen, errand)
        else:
            await screen.shows("Connecting")
        screen.press("ctrl-c")
        assert await screen.ends() is ExitCode.INTERRUPTED

    assert is_restored(run(scenario))


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_restores_the_terminal_and_the_handlers(number: signal.Signals, code: int) -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        os.kill(os.getpid(), number)
        assert await screen.ends() == code

    async def handler() -> object:
        return signal.getsignal(signal.SIGTERM)

    before = asyncio.run(handler())
    assert is_restored(run(scenario))
    assert asyncio.run(handler()) is before


def test_a_tile_is_played_by_keys() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.passes(SEEN_MS)
        screen.types("64")
        await screen.shows("4-6 fits the right end (6).")
        assert actions(errand) == []
        screen.press("enter")
        await screen.shows("Your action is on its way.")
        assert actions(errand) == ["46>"]
        played = Update(3, TABLE, 2, [acted(0, 23, "46>")], mine=Mine(0, tiles("02 04 13 55 56")))
        errand.link.inbox.put_nowait(played)
        await screen.shows("Bo to play.")

    run(scenario)


def test_c24_what_is_typed_before_the_turn_is_seen_plays_nothing() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.types("64>")
        await screen.shows("typed before this turn was shown")
        assert actions(errand) == []

    run(scenario)


def test_the_keys_of_a_greek_keyboard_do_the_same() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.passes(SEEN_MS)
        screen.types("π")
        await screen.shows("p again passes")
        screen.passes(SEEN_MS)
        screen.types("π")
        await screen.until(lambda: actions(errand) == ["-"])

    run(scenario)


def test_chat_is_sent_and_shown() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        screen.types("cgood quarter, δ!\r")
        await screen.until(lambda: errand.link.sent[-1] == Chat(0, TABLE, "good quarter, δ!"))
        errand.link.inbox.put_nowait(Update(3, TABLE, 2, [Said("Bo", "thank you", 1)]))
        await screen.shows("thank you")

    run(scenario)


def test_c48_pasted_text_is_one_line_that_waits_for_enter() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        before = len(errand.link.sent)
        screen.types("c\x1b[200~well\r\nplayed\x1b[201~")
        await screen.shows("well played")
        assert len(errand.link.sent) == before

    run(scenario)


def test_the_cursor_is_on_what_is_chosen_or_typed() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        for number, tile in enumerate(("0:2", "0:4", "1:3")):
            screen.press("right")
            await screen.shows(f"►{tile}◄")
            row, column = screen.cursor
            assert screen.lines[row][column:].startswith(tile), number
        screen.types("chi")
        await screen.shows("hi")
        row, column = screen.cursor
        assert screen.lines[row][:column].endswith("hi")

    run(scenario)


# --- the terminal -------------------------------------------------------------------------------


def test_every_size_is_drawn_and_can_be_left() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        for columns, rows in ((60, 18), (30, 4), (120, 40), (300, 80), (80, 24)):
            screen.resize(columns, rows)
            expected = "at least 60x12" if columns < 60 else "YOUR TURN"
            await screen.until(partial(_joined, screen, expected))
            assert len(screen.lines) == rows
        screen.resize(30, 4)
        await screen.until(lambda: _joined(screen, "at least 60x12"))
        screen.types("q")
        await screen.until(lambda: _joined(screen, "q again leaves"))
        screen.passes(SEEN_MS)
        screen.types("q")
        await screen.until(lambda: type(errand.link.sent[-1]).__name__ == "Leave")

    run(scenario)


def _joined(screen: DrawnTerminal, text: str) -> bool:
    """Tell whether a text is shown, whichever way its words are broken into lines."""
    return text in " ".join(screen.text.split())


def test_plain_characters_by_a_key_or_a_setting() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        assert "┌───┐" in screen.text
        screen.press("f8")
        await screen.shows("+---+")
        assert screen.text.isascii()
        screen.press("f8")
        await screen.shows("┌───┐")

    async def plain(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        assert screen.text.isascii()

    run(scenario)
    run(plain, Settings(name="Dana", ascii=True))


def test_an_encoding_without_box_drawing_gets_plain_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Latin:
        encoding = "iso-8859-1"

    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        assert screen.text.isascii()

    monkeypatch.setattr("passing_client.screen.full_screen.sys.stdout", Latin())
    run(scenario)


def test_the_mouse_is_left_to_the_terminal_until_it_is_asked_for() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        assert "\x1b[?1006h" not in screen.sink.raw
        screen.press("f9")
        await screen.until(lambda: "\x1b[?1006h" in screen.sink.raw)
        screen.passes(SEEN_MS)
        row = next(number for number, line in enumerate(screen.lines) if "│4:6│" in line)
        column = screen.lines[row].index("4:6")
        click = f"\x1b[<0;{column + 1};{row + 1}"
        screen.types(f"{click}M{click}m")
        await screen.shows("4-6 fits the right end")
        assert actions(errand) == []
        screen.types(f"{click}M{click}m")
        await screen.until(lambda: actions(errand) == ["46>"])
        screen.press("ctrl-c")
        await screen.ends()

    raw = run(scenario)
    assert raw.rindex("\x1b[?1006l") > raw.rindex("\x1b[?1006h")


def test_the_title_and_the_bell_tell_whose_turn_it_is() -> None:
    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        assert screen.sink.screen.title == "Your turn - kitchen - The Passing Game"
        errand.link.inbox.put_nowait(Update(3, TABLE, 2, [acted(0, 23, "-")]))
        await screen.shows("Bo to play.")
        assert screen.sink.screen.title == "Bo to play - kitchen - The Passing Game"

    assert "\a" in _without_titles(run(scenario))
    assert "\a" not in _without_titles(run(scenario, Settings(name="Dana", bell=False)))


def _without_titles(raw: str) -> str:
    """Return what was written without the titles, which end in the character of the bell."""
    return "".join(part.partition("\a")[2] if n else part for n, part in _parts(raw))


def _parts(raw: str) -> list[tuple[int, str]]:
    return list(enumerate(raw.split("\x1b]2;")))


def test_a_clock_is_drawn_anew_and_without_one_nothing_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passing_client.screen.full_screen.TICK_S", 0.02)

    ticks = asyncio.Queue[bool]()
    tick = Controller.tick

    def counted(controller: Controller) -> bool:
        ticks.put_nowait(True)
        return tick(controller)

    monkeypatch.setattr(Controller, "tick", counted)

    async def timed(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand, Clock(20_000, 0))
        await screen.shows("0:20")
        screen.passes(1_000)
        await screen.shows("0:19")

    async def quiet(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        await next_ticks()
        screen.sink.changed.clear()
        screen.passes(10_000)
        await next_ticks()
        assert not screen.sink.changed.is_set()

    async def next_ticks() -> None:
        """Wait for a tick after those that were, and until what it asked for was done."""
        while not ticks.empty():
            ticks.get_nowait()
        for _ in range(3):
            await ticks.get()

    run(timed)
    run(quiet)


@pytest.mark.parametrize("variable", ["NO_COLOR"])
def test_no_colour_is_sent_to_one_who_wants_none(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    assert not has_colour()

    async def scenario(screen: DrawnTerminal, errand: ScriptedErrand) -> None:
        await on_turn(screen, errand)
        cells = [cell for row in screen.sink.screen.buffer.values() for cell in row.values()]
        assert {cell.fg for cell in cells} == {"default"}

    run(scenario)
