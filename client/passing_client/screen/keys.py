"""Every key of the full screen in one table: the bindings, the bar of keys and the help.

A key is named as prompt_toolkit names it. What the bar of a page shows needs no letter and no
function key: with Tab the arrows and Enter do it, and where Tab is something else, Esc goes back.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from passing_client.language import mark
from passing_client.screen import filters as f
from passing_client.screen.scene import Overlay, Scene
from passing_rules import End

if TYPE_CHECKING:
    from collections.abc import Callable

    from passing_client.screen.controller import Controller

PAGE_LINES: Final = 10
"""By so many lines a text over the page is moved at once."""


@dataclass(frozen=True, slots=True)
class KeyAction:
    """Hold what some keys do: the first action of the table whose `when` holds is done.

    `keys` are those that do it, with the letters of other keyboards on the same keys; none where
    the text that is typed does it. `label` is how a person reads them, `hint` what they do in a
    word or two for the bar of keys, empty for those that are not shown there, and `help` the
    same in a sentence, empty for those that another action explains. All three are translated
    where they are shown. One that is `aside` does nothing else than what was asked about, so the
    question whether to leave stays open. One that `sends` is of no use while the connection is
    lost, so the bar does not show it then. Where the screen is too small for any page, nothing
    that is not `small` is done.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    hint: str
    help: str
    when: Callable[[Scene], bool]
    do: Callable[[Controller], object]
    aside: bool = False
    small: bool = False
    sends: bool = False


KEYS: Final[tuple[KeyAction, ...]] = (
    # Where the screen is too small to show what else a key would do.
    KeyAction("leave_unseen", ("q", ";", "f10"), "q", "", "", f.always,
              lambda c: c.places.leave(), aside=True, small=True),
    KeyAction("stay_unseen", ("escape",), mark("Esc"), "", "", f.always, lambda c: None,
              small=True),
    # While something is written, letters are text and these end it.
    KeyAction("send", ("enter",), mark("Enter"), mark("send"), "", f.is_chatting,
              lambda c: c.writing.submit(), aside=True, sends=True),
    KeyAction("go_to", ("enter",), mark("Enter"), mark("go there"), "", f.is_addressing,
              lambda c: c.servers.go_to_typed(), aside=True),
    KeyAction("obey", ("enter",), mark("Enter"), mark("do it"), "", f.is_commanding,
              lambda c: c.writing.submit(), aside=True),
    KeyAction("unwrite", ("escape",), mark("Esc"), mark("back"), "", f.is_writing,
              lambda c: c.writing.stop(), aside=True),
    KeyAction("erase", ("backspace",), mark("Backspace"), "", "", f.is_writing,
              lambda c: c.writing.erase(), aside=True),
    KeyAction("erase_all", ("c-u",), "Ctrl-U", "", "", f.is_writing,
              lambda c: c.writing.erase_all(), aside=True),
    # A text over the page.
    KeyAction("up", ("up", "k"), mark("Up"), mark("up"), "", f.is_overlaid,
              lambda c: c.overlays.scroll(-1)),
    KeyAction("down", ("down", "j"), mark("Down"), mark("down"), "", f.is_overlaid,
              lambda c: c.overlays.scroll(1)),
    KeyAction("page_up", ("pageup",), mark("PgUp"), "", "", f.is_overlaid,
              lambda c: c.overlays.scroll(-PAGE_LINES)),
    KeyAction("page_down", ("pagedown", " "), mark("PgDn"), "", "", f.is_overlaid,
              lambda c: c.overlays.scroll(PAGE_LINES)),
    KeyAction("first_line", ("home",), mark("Home"), "", "", f.is_overlaid,
              lambda c: c.overlays.go_to_start()),
    KeyAction("last_line", ("end",), mark("End"), "", "", f.is_overlaid,
              lambda c: c.overlays.go_to_end()),
    KeyAction("close", ("escape", "enter", "q", ";"), mark("Esc"), mark("back"),
              mark("close what is shown over the page"), f.is_overlaid,
              lambda c: c.overlays.close()),
    # Before there is a server.
    KeyAction("give_up", ("q", ";", "escape", "f10"), "q", mark("leave"), "", f.is_starting,
              lambda c: c.places.leave()),
    # The servers that were found.
    KeyAction("server_up", ("up", "k"), mark("Up"), "", "", f.in_servers,
              lambda c: c.servers.move(-1)),
    KeyAction("server_down", ("down", "j"), mark("Down"), "", "", f.in_servers,
              lambda c: c.servers.move(1)),
    KeyAction("go", ("enter",), mark("Enter"), mark("go there"),
              mark("in the list of servers: go to the chosen one"), f.on_a_server,
              lambda c: c.servers.go()),
    KeyAction("private", ("n", "ν"), "n", mark("private table"),
              mark("in the list of servers: play with engines instead"), f.in_servers,
              lambda c: c.servers.play_privately()),
    KeyAction("address", ("/",), "/", mark("address"),
              mark("in the list of servers: type an address, HOST or HOST:PORT"), f.in_servers,
              lambda c: c.writing.begin("/"), aside=True),
    # A replay.
    KeyAction("step_back", ("left", "up", "k"), mark("Left"), mark("back"),
              mark("in a replay: one step back"), f.in_replay, lambda c: c.replays.go(-1)),
    KeyAction("step_on", ("right", "down", "j", " ", "enter"), mark("Right"), mark("on"),
              mark("in a replay: one step on"), f.in_replay, lambda c: c.replays.go(1)),
    KeyAction("round_back", ("pageup",), mark("PgUp"), mark("round"),
              mark("in a replay: the round before"), f.in_replay,
              lambda c: c.replays.previous_round()),
    KeyAction("round_on", ("pagedown",), mark("PgDn"), "",
              mark("in a replay: the next round"), f.in_replay, lambda c: c.replays.next_round()),
    KeyAction("first_step", ("home",), mark("Home"), "",
              mark("in a replay: the beginning"), f.in_replay,
              lambda c: c.replays.go(-sys.maxsize)),
    KeyAction("last_step", ("end",), mark("End"), "", mark("in a replay: the end"), f.in_replay,
              lambda c: c.replays.go(sys.maxsize)),
    KeyAction("eyes", ("tab",), mark("Tab"), mark("whose hands"),
              mark("in a replay: see all hands, those of one seat, or none"), f.in_replay,
              lambda c: c.replays.turn_eyes(1)),
    KeyAction("eyes_back", ("s-tab",), mark("Tab"), "", "", f.in_replay,
              lambda c: c.replays.turn_eyes(-1)),
    KeyAction("end_replay", ("q", ";", "escape", "f10"), "q", mark("leave"), "", f.in_replay,
              lambda c: c.replays.end()),
    # The bar of keys itself.
    KeyAction("previous_key", ("left", "up"), mark("Left"), "", "", f.in_keys,
              lambda c: c.bar.move(-1), aside=True),
    KeyAction("next_key", ("right", "down"), mark("Right"), "", "", f.in_keys,
              lambda c: c.bar.move(1), aside=True),
    KeyAction("do_key", ("enter",), mark("Enter"), "", "", f.in_keys, lambda c: c.do_key(),
              aside=True),
    # A turn.
    KeyAction("tile", (), "64", "",
              mark("choose a tile by its two numbers"), f.holds_hand, lambda c: None),
    KeyAction("choose_left", ("left",), mark("Left"), "", mark("choose the tile before"),
              f.in_hand, lambda c: c.choice.move(-1)),
    KeyAction("choose_right", ("right",), mark("Right"), "", mark("choose the next tile"),
              f.in_hand, lambda c: c.choice.move(1)),
    KeyAction("end_left", ("up",), mark("Up"), "",
              mark("put the chosen tile to the left end"), f.has_chosen,
              lambda c: c.choice.choose_end(End.LEFT)),
    KeyAction("end_right", ("down",), mark("Down"), "",
              mark("put the chosen tile to the right end"), f.has_chosen,
              lambda c: c.choice.choose_end(End.RIGHT)),
    KeyAction("play", ("enter",), mark("Enter"), mark("play"),
              mark("play the chosen tile"), f.can_play, lambda c: c.turns.play(), sends=True),
    KeyAction("no_play", ("enter",), mark("Enter"), "", "", f.has_chosen,
              lambda c: c.turns.play()),
    KeyAction("play_left", ("<", ","), "<", "",
              mark("play the chosen tile at the left end, at once"), f.has_chosen,
              lambda c: c.turns.play(End.LEFT)),
    KeyAction("play_right", (">", "."), ">", "",
              mark("play the chosen tile at the right end, at once"), f.has_chosen,
              lambda c: c.turns.play(End.RIGHT)),
    KeyAction("undo", ("escape",), mark("Esc"), "", mark("take back what is chosen"),
              f.can_undo, lambda c: c.go_back()),
    KeyAction("undo_digit", ("backspace",), mark("Backspace"), "", "", f.has_typed,
              lambda c: c.writing.erase()),
    KeyAction("draw", ("d", "δ", "f5", "+"), "d", mark("draw"), mark("draw a tile"),
              f.can_draw, lambda c: c.turns.draw(), sends=True),
    KeyAction("no_draw", ("d", "δ", "f5", "+"), "d", "", "", f.playing_now,
              lambda c: c.turns.draw()),
    KeyAction("pass", ("p", "π", "-", "f6"), "p", mark("pass"),
              mark("pass; a second press says yes while a tile fits"), f.my_turn,
              lambda c: c.turns.pass_turn(), sends=True),
    KeyAction("no_pass", ("p", "π", "-", "f6"), "p", "", "", f.playing_now,
              lambda c: c.turns.pass_turn()),
    # Between rounds and matches, and before them.
    KeyAction("start", ("enter",), mark("Enter"), mark("start"), mark("begin the match (owner)"),
              f.can_start, lambda c: c.places.start(), sends=True),
    KeyAction("ready", ("enter",), mark("Enter"), mark("ready"),
              mark("say that you are ready for the match or the next round"), f.can_be_ready,
              lambda c: c.places.ready(), sends=True),
    KeyAction("not_ready", ("enter",), mark("Enter"), "", "", f.lacks_players,
              lambda c: c.places.tell_free()),
    KeyAction("look", ("v", "ω"), "v", mark("look at the table"),
              mark("look at the table, or at the ending again, between rounds"), f.is_ended,
              lambda c: c.put_away()),
    KeyAction("unlook", ("v", "ω"), "v", mark("summary"), "", f.is_put_away,
              lambda c: c.put_away()),
    KeyAction("replay", ("r", "ρ"), "r", mark("replay"),
              mark("look at the rounds again, step by step, between rounds"), f.can_replay,
              lambda c: c.replays.start()),
    KeyAction("invite", ("b", "β"), "b", mark("add an engine"),
              mark("add an engine that waits (owner)"), f.can_invite,
              lambda c: c.places.invite(), sends=True),
    # The list of tables.
    KeyAction("row_up", ("up", "k"), mark("Up"), "", mark("choose the table before"),
              f.in_lobby, lambda c: c.rows.move(-1)),
    KeyAction("row_down", ("down", "j"), mark("Down"), "", mark("choose the next table"),
              f.in_lobby, lambda c: c.rows.move(1)),
    KeyAction("sit", ("enter",), mark("Enter"), mark("sit down"),
              mark("sit down at the chosen table"), f.can_sit,
              lambda c: c.places.sit_down(), sends=True),
    KeyAction("watch", ("w", "ς"), "w", mark("watch"), mark("watch the chosen table"),
              f.on_a_row, lambda c: c.places.watch(), sends=True),
    KeyAction("new", ("n", "ν"), "n", mark("new table"),
              mark("make a table: its name and perhaps options"), f.can_make,
              lambda c: c.writing.begin("/new "), sends=True),
    # Everywhere.
    KeyAction("help", ("?", "f1"), "?", mark("help"), mark("what the keys do"), f.is_there,
              lambda c: c.overlays.show(Overlay.HELP)),
    KeyAction("leave", ("q", ";", "f10"), "q", mark("leave"),
              mark("leave the table, and from the list of tables the server"), f.is_ready_to_write,
              lambda c: c.places.leave(), aside=True),
    KeyAction("log", ("l", "λ", "f2"), "l", mark("log"), mark("what has happened and was said"),
              f.at_table_reading, lambda c: c.overlays.show(Overlay.LOG)),
    KeyAction("scores", ("s", "σ", "f3"), "s", mark("scores"), mark("the scores"),
              f.at_table_reading, lambda c: c.overlays.show(Overlay.SCORES)),
    KeyAction("passes", ("x", "χ", "f4"), "x", mark("passes"),
              mark("who passed or drew this round, and at which ends"), f.at_table_reading,
              lambda c: c.overlays.show(Overlay.PASSES)),
    KeyAction("chat", ("c", "ψ", "f7", '"'), "c", mark("chat"), mark("say something to the table"),
              f.at_table, lambda c: c.writing.begin('"'), aside=True, sends=True),
    KeyAction("command", ("/",), "/", mark("command"),
              mark("type a command of line mode; /help lists them"), f.has_server,
              lambda c: c.writing.begin("/"), aside=True),
    KeyAction("keys", ("tab", "s-tab"), "Tab", "",
              mark("go to the bar of keys and back; arrows and Enter use it"), f.is_ready_to_write,
              lambda c: c.bar.turn_focus(), aside=True),
    KeyAction("ascii", ("f8",), "F8", "", mark("draw with plain characters, or not"), f.always,
              lambda c: c.turn_skin(), aside=True),
    KeyAction("mouse", ("f9",), "F9", "",
              mark("use the mouse, or not; hold Shift to select text meanwhile"), f.always,
              lambda c: c.turn_mouse(), aside=True),
)  # fmt: skip
"""The actions in the order in which a key looks for its own, and in which the help lists them."""


def hints(scene: Scene) -> list[KeyAction]:
    """Return the actions of the bar of keys, in its order."""
    if scene.small:
        return []
    down = scene.desk.down
    return [each for each in KEYS if each.hint and each.when(scene) and not (down and each.sends)]


def action_of(key: str, scene: Scene) -> KeyAction | None:
    """Return what a key does now; None for nothing. Capital letters count as small ones."""
    named = key.lower() if len(key) == 1 else key
    for action in KEYS:
        if named in action.keys and action.small == scene.small and action.when(scene):
            return action
    return None
