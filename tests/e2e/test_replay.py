"""A match is played in line mode, kept, listed, and looked at again at a terminal."""

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from passing_client.record_folder import kept_files
from passing_protocol.records import View, verify_records
from tests.support import tmux
from tests.support.line_client import LineClient, play_match
from tests.support.tmux import Tmux

MODES = ("alternate_on", "mouse_any_flag", "cursor_flag")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a short match against an engine; return the folder where the client keeps its data."""
    folder = tmp_path_factory.mktemp("data")
    environment = {"XDG_DATA_HOME": str(folder), "PASSING_PACE": "0"}
    words = ("play", "--bots", "1", "--bot", "greedy", "--target", "20", "--name", "Dana")
    with LineClient(*words, "--seed", "11", environment=environment) as client:
        play_match(client)
        client.type("quit")
        while client.next_line() is not None:
            pass  # what was said last, before it ends by itself
    return folder


@pytest.fixture
def screen(tmp_path: Path, data: Path) -> Generator[Tmux]:
    environment = {"XDG_DATA_HOME": str(data), "LC_ALL": "C.UTF-8", "PS1": "$ "}
    with Tmux(tmp_path, environment) as terminal:
        yield terminal


def test_a_match_that_was_played_is_kept_as_the_player_saw_it(data: Path) -> None:
    (path,) = kept_files(data / "passing" / "records")
    (record,) = verify_records(path.read_text(encoding="utf-8"))
    assert record.view == View(seat=0)
    assert [seat.name for seat in record.seats] == ["Dana", "Bo"]
    assert record.outcome is not None
    assert record.tags == ()


@pytest.mark.skipif(not tmux.is_there(), reason="tmux is not installed")
def test_it_is_looked_at_again_step_by_step(screen: Tmux) -> None:
    screen.types(f"{sys.executable} -m passing_client record replay 1; echo code=$?")
    screen.press("Enter")
    screen.shows("Replay", "round 1", "Step 1 of", "you (Dana)")
    screen.press("Right")
    screen.shows("Step 2 of", "train · 1 tile")
    screen.press("Tab")
    screen.shows("as seen by Bo")
    screen.press("End")
    screen.shows("The match is over", "ROUND")
    screen.resize(60, 18)
    screen.shows("The match is over", "Left back")
    screen.types("q")
    screen.shows("code=0")
    assert screen.about(*MODES) == ["0", "0", "1"]
