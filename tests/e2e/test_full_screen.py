"""The full screen end to end: at a terminal of tmux's, with a server and engines of its own."""

import os
import signal
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support import tmux
from tests.support.line_client import server_pid
from tests.support.screen_reading import happened, keys_for
from tests.support.tmux import Tmux

pytestmark = pytest.mark.skipif(not tmux.is_there(), reason="tmux is not installed")

PLAY = "play --bots 3 --seed 7 --name Dana"
REACTION_S = 0.3
"""So long a person looks at a turn; a key that comes earlier is not meant for it."""

MODES = ("alternate_on", "mouse_any_flag", "cursor_flag")


@pytest.fixture
def screen(tmp_path: Path) -> Generator[Tmux]:
    """Return a terminal whose programs keep their files in the test's folder."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    environment = {"TMPDIR": str(folder), "PASSING_PACE": "0", "LC_ALL": "C.UTF-8", "PS1": "$ "}
    with Tmux(tmp_path, environment) as terminal:
        yield terminal
    assert list(folder.iterdir()) == []


def start(screen: Tmux, words: str = PLAY) -> None:
    """Start the client, and tell its exit code and process when it has ended."""
    screen.types(f"{sys.executable} -m passing_client {words}; echo code=$?")
    screen.press("Enter")


def pid(screen: Tmux) -> int:
    """Return the process of the client."""
    (shell,) = screen.about("pane_pid")
    children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
    return int(children[-1])


def ends(screen: Tmux, code: int) -> str:
    """Wait for the end of the client, and return the screen, where the terminal is as before."""
    text = screen.shows(f"code={code}")
    assert screen.about(*MODES) == ["0", "0", "1"]
    assert "Traceback" not in text
    return text


def act(screen: Tmux, text: str) -> None:
    """Do what the screen says can be done, and wait until it is no longer asked for."""
    time.sleep(REACTION_S)
    screen.types(keys_for(text))
    screen.until(lambda: happened(screen.text) != happened(text))


def leave(screen: Tmux, key: str) -> None:
    """Leave a match, which is asked about."""
    screen.types(key)
    screen.shows("q again leaves")
    time.sleep(REACTION_S)
    screen.types(key)


def test_a_round_is_played_by_keys_at_every_size_and_left(screen: Tmux) -> None:
    start(screen)
    screen.shows("YOUR TURN", "your hand")
    screen.resize(60, 18)
    screen.shows("YOUR TURN", "hand 6")
    screen.resize(30, 4)
    screen.shows("60x12")
    screen.resize(80, 24)
    text = screen.shows("YOUR TURN", "your hand")
    assert screen.about("alternate_on", "mouse_any_flag", "pane_title") == [
        "1",
        "0",
        "Your turn - Private table - The Passing Game",
    ]
    while "ROUND 1 OVER" not in text:
        if "YOUR TURN" in text:
            act(screen, text)
        text = screen.text
    screen.press("v")
    screen.shows("your hand")
    screen.press("v", "Enter")
    screen.shows("round 2")
    screen.press("F9")
    screen.until(lambda: screen.about("mouse_any_flag") == ["1"])
    leave(screen, "q")
    assert "passing:" not in ends(screen, 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal(number: signal.Signals, screen: Tmux) -> None:
    start(screen)
    screen.shows("YOUR TURN")
    os.kill(pid(screen), number)
    ends(screen, 128 + number)


def test_ctrl_c_restores_the_terminal_at_once_while_all_is_still_started(screen: Tmux) -> None:
    start(screen)
    screen.shows("Starting 3 engines ...")
    screen.press("C-c")
    ends(screen, 130)


def test_a_server_of_ours_that_is_killed_comes_back_and_the_match_goes_on(
    screen: Tmux, tmp_path: Path
) -> None:
    start(screen)
    screen.shows("YOUR TURN")
    server = server_pid(tmp_path / "scratch")
    assert server is not None
    os.kill(server, signal.SIGKILL)
    text = screen.shows("YOUR TURN", "goes on where it was")
    act(screen, text)
    leave(screen, "q")
    ends(screen, 0)


def test_the_keys_of_a_greek_keyboard_play_too(screen: Tmux) -> None:
    start(screen)
    screen.shows("YOUR TURN", "6 tiles · 25 pips")
    time.sleep(REACTION_S)
    screen.types("δ")
    screen.shows("your hand · 7 tiles")
    screen.types("λ")
    screen.shows("You draw")
    screen.press("Escape")
    leave(screen, ";")
    ends(screen, 0)


def test_who_waits_for_a_server_in_vain_is_told_so_and_can_leave(screen: Tmux) -> None:
    start(screen, "play localhost:1")
    screen.shows("Still trying", "q")
    screen.press("q")
    ends(screen, 0)


def test_without_a_terminal_that_can_draw_it_is_line_mode(screen: Tmux) -> None:
    screen.types("export TERM=dumb")
    screen.press("Enter")
    start(screen)
    text = screen.shows("Your turn.")
    assert "so this is line mode" in text
    assert screen.about("alternate_on") == ["0"]
    screen.types("quit")
    screen.press("Enter")
    ends(screen, 0)


@pytest.mark.parametrize("plain", [False, True])
def test_ctrl_z_gives_the_terminal_to_the_shell_until_fg(plain: bool, screen: Tmux) -> None:
    start(screen, f"{PLAY} --plain" if plain else PLAY)
    screen.shows("Your turn." if plain else "YOUR TURN")
    screen.press("C-z")
    screen.until(lambda: screen.about(*MODES) == ["0", "0", "1"])
    screen.types("echo the shell is here")
    screen.press("Enter")
    screen.shows("\nthe shell is here")
    screen.types("fg; echo code=$?")
    screen.press("Enter")
    if plain:
        screen.types("quit")
        screen.press("Enter")
    else:
        screen.shows("YOUR TURN")
        leave(screen, "q")
    ends(screen, 0)


def test_ctrl_c_leaves_the_shell_a_line_of_its_own(screen: Tmux) -> None:
    screen.types("export TERM=dumb")
    screen.press("Enter")
    start(screen)
    screen.shows("Your turn.")
    screen.press("C-c")
    assert "\ncode=130" in ends(screen, 130)
