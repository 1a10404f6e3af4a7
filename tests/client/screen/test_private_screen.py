"""A whole round at the full screen in this process, with a server and engines of its own."""

import asyncio
import re
from functools import partial
from pathlib import Path

import pytest

from passing_client.private_table import Plan, PrivateTable
from passing_client.screen.timing import SEEN_MS
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.views import GameOptions, TableOptions
from tests.support.drawn_terminal import DrawnTerminal, terminal
from tests.support.screen_reading import happened, keys_for


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the table keep its files in a folder of the test's."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def table(*engines: str) -> PrivateTable:
    plan = Plan(engines, GameOptions(seats=len(engines) + 1), True, 7)
    return PrivateTable(
        plan, TableOptions(turn_ms=0, pace_ms=0), "Dana", ["Bo", "Caro", "Emil"][: len(engines)]
    )


async def plays_a_round(screen: DrawnTerminal) -> None:
    """Answer every turn until the round is over, by nothing but what is drawn."""
    await screen.shows("Starting 1 engine ...")
    while "ROUND 1 OVER" not in screen.text:
        await screen.until(lambda: _asks(screen) or "ROUND 1 OVER" in screen.text)
        if _asks(screen):
            screen.passes(SEEN_MS)  # a key that comes earlier is not meant for the turn
            text = screen.text
            screen.types(keys_for(text))
            await screen.until(partial(_has_gone_on, screen, text))


def _asks(screen: DrawnTerminal) -> bool:
    return "YOUR TURN" in screen.text and "your hand" in screen.text


def _has_gone_on(screen: DrawnTerminal, text: str) -> bool:
    return happened(screen.text) != happened(text)


def test_a_round_is_played_and_the_table_put_away(own_folder: Path) -> None:
    async def happens() -> None:
        errand = table("random")
        try:
            errand.begin()
            async with terminal(errand) as screen:
                await plays_a_round(screen)
                screen.types("v")
                await screen.shows("your hand")
                screen.passes(SEEN_MS)
                screen.types("v\r")
                await screen.shows("round 2")
                screen.types("q")
                await screen.shows("q again leaves")
                screen.passes(SEEN_MS)
                screen.types("q")
                assert await screen.ends() is ExitCode.DONE
        finally:
            errand.end()

    asyncio.run(happens())
    assert list(own_folder.iterdir()) == []


def test_the_end_of_a_watched_match_stays_until_it_is_left_and_is_told_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def happens() -> str:
        plan = Plan(("careful", "random"), GameOptions(seats=2, target=1), False, 7)
        errand = PrivateTable(plan, TableOptions(turn_ms=0, pace_ms=0), "Dana", ["Bo", "Caro"])
        try:
            errand.begin()
            async with terminal(errand) as screen:
                await screen.shows("MATCH OVER", "The table is closed.")
                assert not screen.running.done()
                text = screen.text
                screen.types("q")
                assert await screen.ends() is ExitCode.DONE
                return text
        finally:
            errand.end()

    shown = asyncio.run(happens())
    told = capsys.readouterr().out.strip()
    assert told in shown
    assert re.fullmatch(r"The match is over: (Bo|Caro) wins with \d+ points?\.", told)


@pytest.mark.parametrize("key", ["q", "escape", "ctrl-c"])
def test_it_can_be_left_while_all_is_still_started(key: str, own_folder: Path) -> None:
    async def happens() -> None:
        errand = table("random", "greedy", "careful")
        try:
            errand.begin()
            async with terminal(errand) as screen:
                await screen.shows("Starting 3 engines ...")
                screen.press(key)
                await screen.ends()
        finally:
            errand.end()

    asyncio.run(happens())
    assert list(own_folder.iterdir()) == []


def test_an_engine_that_does_not_exist_is_told(own_folder: Path) -> None:
    async def happens() -> None:
        errand = table("nonsense")
        try:
            errand.begin()
            async with terminal(errand) as screen:
                with pytest.raises(CommandFailed, match="The engine nonsense did not start"):
                    await screen.ends()
        finally:
            errand.end()

    asyncio.run(happens())
    assert list(own_folder.iterdir()) == []
