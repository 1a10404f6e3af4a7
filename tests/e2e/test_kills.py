"""A match outlives its server's death at random moments, and its clients' of every kind."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.killed_match import play_match, verify_same
from tests.support.line_client import play_on
from tests.support.watched_table import a_table

KILLS = 5
TARGET = 250


def test_c22_a_match_whose_server_is_killed_is_the_match_that_was_not_interrupted(
    tmp_path: Path,
) -> None:
    whole = play_match(tmp_path / "whole", target=TARGET)
    broken = play_match(tmp_path / "broken", target=TARGET, kills=KILLS, seed=1)
    verify_same(broken, whole)
    # On a quiet machine the match may be over sooner.
    assert 2 <= len(broken.starts_s) <= KILLS


# --- a client that dies or stands still ----------------------------------------------------------


@pytest.mark.parametrize("typed", [None, "d"], ids=["on its own turn", "over a draw"])
def test_c42_a_client_that_is_killed_stops_nobody(tmp_path: Path, typed: str | None) -> None:
    """The clock passes for it once a turn, and the next seat is asked."""
    with a_table(tmp_path) as table:
        table.client.until("Your turn.")
        if typed is not None:
            table.client.type(typed)
        table.client.process.kill()
        first = table.act_of(0)
        if typed is None or first.timed_out:
            assert first.timed_out
        else:
            assert first.action.draw
        for _ in range(2):
            other = table.act_of(1)
            mine = table.act_of(0)
            assert mine.timed_out
            assert mine.turn == other.turn + 1
        assert table.engine.exit_code is None


def test_c44_a_server_that_stands_still_costs_nobody_a_turn(tmp_path: Path) -> None:
    with a_table(tmp_path, turn_ms=8_000) as table:
        table.client.until("Your turn.")
        os.kill(table.server.pid, signal.SIGSTOP)
        time.sleep(6)  # longer than the server ever sleeps
        os.kill(table.server.pid, signal.SIGCONT)
        table.client.type("d")
        assert not table.act_of(0).timed_out


def test_c31_a_client_that_stands_still_for_a_moment_goes_on_where_it_was(tmp_path: Path) -> None:
    with a_table(tmp_path, turn_ms=0) as table:
        table.client.until("Your turn.")
        os.kill(table.client.process.pid, signal.SIGSTOP)
        os.kill(table.engine.pid, signal.SIGSTOP)
        time.sleep(1.5)
        for pid in (table.client.process.pid, table.engine.pid):
            os.kill(pid, signal.SIGCONT)
        table.client.type("d")
        assert not table.act_of(0).timed_out
        assert not table.act_of(1).timed_out


def test_c31_a_client_that_stands_still_at_a_fast_table_stops_nobody_and_plays_on(
    tmp_path: Path,
) -> None:
    """Its turns pass by the clock; `tests.e2e.kills` has it stand for a minute, and beyond."""
    with a_table(tmp_path, turn_ms=200) as table:
        table.client.until("Your turn.")
        os.kill(table.client.process.pid, signal.SIGSTOP)
        for _ in range(3):
            assert table.act_of(0).timed_out
            assert not table.act_of(1).timed_out
        os.kill(table.client.process.pid, signal.SIGCONT)
        play_on(table.client, until="Time is up, so you pass.")
        play_on(table.client, until="You play")
        while table.act_of(0).timed_out:
            pass
        assert table.client.process.poll() is None
