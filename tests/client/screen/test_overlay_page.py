"""Texts over a page: help, log, scores, passes, answers, each with a position in it."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_client.repertoire import COMMANDS, help_here, help_me
from passing_client.screen.keys import KEYS
from passing_client.screen.pages import overlay
from passing_client.screen.scene import LOG_LINES, Overlay, Scene
from passing_client.screen.skin import ASCII
from passing_client.vocabulary import Place
from passing_protocol.messages import Role
from tests.client.screen.endings import SIZES, check_size, picture_ending, texts
from tests.client.screen.tables import four, scene_of

OVERLAYS = list(Overlay)
SEATED = ("play", "draw", "pass", "hand", "ready", "confirm")


@dataclass
class Listener:
    """Note what line mode would say."""

    said: list[str]

    def say(self, line: str) -> None:
        self.said.append(line)

    def ring(self) -> None:
        raise AssertionError


def scene_over(shown: Overlay, me: int | None = 3) -> Scene:
    player = four(me)
    scene = scene_of(player.table, said=player.said)
    scene.overlay = shown
    return scene


def lines(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(overlay.draw(scene, columns, rows))]


def whole(scene: Scene, columns: int = 80) -> str:
    """Return the whole text of an overlay as words."""
    return " ".join(" ".join(lines(scene, columns, 200)[2:-3]).split())


# --- reading -----------------------------------------------------------------------------------


def test_the_position_is_told_and_the_text_scrolls() -> None:
    scene = scene_over(Overlay.HELP)
    first = lines(scene)
    assert first[1].startswith("── keys and commands ──")
    assert " 1 to 19 of " in first[1]
    scene.scroll = 5
    later = lines(scene)
    assert later[2:10] == first[7:15]
    assert " 6 to 24 of " in later[1]


def test_the_scroll_does_not_pass_the_last_line() -> None:
    scene = scene_over(Overlay.HELP)
    scene.scroll = 10_000
    last = overlay.settled(scene, 80, 24)
    end = lines(scene)
    scene.scroll = last
    assert lines(scene) == end
    assert end[-4].split()
    scene.scroll = last - 1
    assert lines(scene) != end
    scene.overlay = None
    assert overlay.settled(scene, 80, 24) == 0


def test_the_position_counts_every_line_once() -> None:
    scene = scene_over(Overlay.HELP)
    tall = lines(scene, 80, 300)
    seen: list[str] = []
    for scroll in range(0, 300, 19):
        scene.scroll = scroll
        if overlay.settled(scene, 80, 24) == scroll:
            seen += lines(scene)[2:21]
    rest = overlay.settled(scene, 80, 24)
    scene.scroll = rest
    seen = [*seen[:rest], *lines(scene)[2:21]]
    assert seen == tall[2 : 2 + len(seen)]
    assert not any(tall[2 + len(seen) : -3])


def test_the_cursor_is_at_the_first_line_of_the_text() -> None:
    assert overlay.draw(scene_over(Overlay.SCORES), 80, 24).cursor == (2, 1)


def test_esc_is_among_the_keys() -> None:
    for shown in Overlay:
        assert "Esc back" in lines(scene_over(shown), 60, 12)[-1]


# --- the table in sight ------------------------------------------------------------------------


def test_ends_and_turn_stay_in_sight() -> None:
    assert lines(scene_over(Overlay.HELP))[-3] == " open ends 5 and 0 · YOUR TURN"
    assert lines(scene_over(Overlay.HELP, me=None))[-3] == " open ends 5 and 0 · Dana to play."


def test_without_a_round_there_is_no_turn() -> None:
    scene = picture_ending()
    scene.overlay = Overlay.SCORES
    assert "to play" not in lines(scene)[-3]
    lobby = scene_of(None)
    lobby.overlay = Overlay.HELP
    assert lines(lobby)[-3] == ""
    assert lines(lobby)[0] == " Passing Game · tables at den.local"


# --- the texts ---------------------------------------------------------------------------------


def test_help_names_every_key_that_has_help() -> None:
    text = whole(scene_over(Overlay.HELP), 100)
    for action in KEYS:
        if action.help:
            assert " ".join(action.help.split()) in text
    for key in ("F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10"):
        assert f" {key} " in text


@pytest.mark.parametrize("place", [Place.LOBBY, Place.TABLE])
def test_help_lists_every_command_of_the_place(place: Place) -> None:
    scene = scene_over(Overlay.HELP) if place is Place.TABLE else scene_of(None)
    scene.overlay = Overlay.HELP
    text = whole(scene, 130)
    for command in COMMANDS:
        if command.fits(place):
            assert command.help in text


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR, Role.BOT])
@pytest.mark.parametrize("me", [None, 3])
@pytest.mark.parametrize("place", [Place.LOBBY, Place.TABLE])
def test_help_lists_the_commands_that_line_mode_lists(
    role: Role, me: int | None, place: Place
) -> None:
    scene = scene_over(Overlay.HELP, me) if place is Place.TABLE else scene_of(None)
    scene.overlay = Overlay.HELP
    scene.desk.role = role
    shown = [text.strip() for text in lines(scene, 200, 200)]
    heading = shown.index("What can be typed after /:")
    said: list[str] = []
    scene.desk.face = Listener(said)
    help_me(scene.desk, "")
    assert [text.strip() for text in said] == [text for text in shown[heading + 1 : -3] if text]


@pytest.mark.parametrize(
    ("role", "me", "closed"),
    [
        (Role.PLAYER, 3, set[str]()),
        (Role.PLAYER, None, {*SEATED, "start", "invite", "remove"}),
        (Role.SPECTATOR, None, {*SEATED, "start", "invite", "remove"}),
        (Role.BOT, 3, {"start", "invite", "remove"}),
    ],
)
def test_who_watches_is_told_of_no_command_that_needs_a_seat(
    role: Role, me: int | None, closed: set[str]
) -> None:
    scene = scene_over(Overlay.HELP, me)
    scene.desk.role = role
    listed = help_here(scene.desk)
    for command in COMMANDS:
        is_there = any(line.endswith(f"  {command.help}") for line in listed)
        assert is_there == (command.fits(Place.TABLE) and command.name not in closed), command.name


def test_the_log_holds_what_was_said() -> None:
    scene = scene_over(Overlay.LOG)
    assert whole(scene) == " ".join(" ".join(scene.log).split())
    scene.log.clear()
    assert whole(scene) == "There is nothing here yet."


def test_scores_name_everybody_in_full() -> None:
    text = whole(scene_over(Overlay.SCORES))
    assert "Caro (careful), seat 2" in text
    assert "Dana (you), seat 4" in text
    assert "to 61" in text


def test_passes_are_told_with_their_ends() -> None:
    shown = lines(scene_over(Overlay.PASSES))
    assert [text.split() for text in shown[2:6]] == [
        ["Bo", "-"],
        ["Caro", "passed", "at", "5/3"],
        ["Emil", "passed", "at", "6/4"],
        ["you", "(Dana)", "drew", "at", "the", "start,", "drew", "at", "2/2"],
    ]


def test_what_is_still_out_is_for_watchers() -> None:
    assert "not seen yet" not in whole(scene_over(Overlay.PASSES))
    assert "not seen yet: 16 tiles" in whole(scene_over(Overlay.PASSES, me=None))


def test_an_answer_is_shown_as_it_was_given() -> None:
    scene = scene_over(Overlay.ANSWER)
    scene.answer = ["Your hand, 2 tiles, 9 pips: 0-2, 1-6.", "None of them fits."]
    shown = lines(scene)
    assert shown[2:4] == [f"   {text}" for text in scene.answer]


def test_ascii_has_nothing_else() -> None:
    for shown in Overlay:
        scene = scene_over(shown)
        scene.skin = ASCII
        assert "".join(texts(overlay.draw(scene, 80, 24))).isascii()


# --- every size --------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", OVERLAYS)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_picture_fills_every_screen(shown: Overlay, columns: int, rows: int) -> None:
    check_size(overlay.draw(scene_over(shown, me=None), columns, rows), columns, rows)


TEXTS = st.text(st.characters(exclude_categories=["C", "Z", "M"]) | st.just(" "), max_size=300)


@settings(max_examples=30)
@given(
    st.lists(TEXTS, max_size=LOG_LINES // 10),
    st.sampled_from([Overlay.LOG, Overlay.ANSWER]),
    st.integers(0, 500),
    st.integers(60, 130),
    st.integers(12, 40),
)
def test_every_text_fits(
    said: list[str], shown: Overlay, scroll: int, columns: int, rows: int
) -> None:
    scene = scene_over(shown)
    scene.log.clear()
    scene.log.extend(said)
    scene.answer = said
    scene.scroll = scroll
    check_size(overlay.draw(scene, columns, rows), columns, rows)
