"""The one table of keys: what it must hold for bindings, bar and help to be made from it."""

import re

import pytest

from passing_client.replaying import Replay
from passing_client.screen import filters
from passing_client.screen.keys import KEYS, KeyAction, action_of, hints
from passing_client.screen.scene import Focus, Overlay, Page
from passing_client.server_board import ServerBoard
from passing_protocol.events import SeatChanged, StateChanged
from passing_protocol.records import parse
from passing_protocol.views import TableState
from tests.support.client_scene import ask, open_view, taken
from tests.support.records import WHOLE
from tests.support.screen_talk import ScreenTalk, lobby
from tests.support.servers_found import server_found

LETTERS = {"d": "δ", "p": "π", "l": "λ", "s": "σ", "c": "ψ", "v": "ω", "b": "β", "w": "ς",
           "n": "ν", "x": "χ", "q": ";", "r": "ρ"}  # fmt: skip
"""What the keys of these letters give under a Greek layout."""


def between(*, ready: bool = False, put_away: bool = False) -> ScreenTalk:
    talk = ScreenTalk()
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN, 20_000))
    if ready:
        talk.update(SeatChanged(0, taken("Dana", ready=True)))
    talk.scene.put_away = put_away
    return talk


def playing(**changes: object) -> ScreenTalk:
    talk = ScreenTalk()
    talk.on_turn(question=ask(25, "02< 46> d -"))
    for name, value in changes.items():
        setattr(talk.scene, name, value)
    return talk


def replaying() -> ScreenTalk:
    talk = between()
    talk.scene.replay = Replay(parse(WHOLE)[0])
    return talk


def finding() -> list[ScreenTalk]:
    """Return somebody who looks for servers, and types the address of one."""
    found, typing = (
        ScreenTalk(starting="Looking ...", board=ServerBoard([server_found("den")]))
        for _ in range(2)
    )
    typing.press("/", "d")
    return [found, typing]


def places() -> list[ScreenTalk]:
    """Return somebody wherever keys mean something else."""
    waiting, owner, open_, watching = (ScreenTalk() for _ in range(4))
    waiting.waiting()
    owner.before_the_match()
    open_.sits(open_view(), hand="")
    watching.sits(open_view(), hand=None)
    chosen, unfit, small = playing(), playing(), playing()
    chosen.press("4", "6")
    unfit.press("1", "3")
    small.controller.resize(30, 6)
    return [
        ScreenTalk(starting="Connecting ..."), lobby(), waiting, owner, open_, watching, chosen,
        playing(), between(), between(ready=True), between(put_away=True),
        playing(typed='"hello'), playing(typed="/who"), playing(typed="6"),
        playing(overlay=Overlay.HELP), playing(focus=Focus.KEYS), replaying(),
        unfit, small, *finding(),
    ]  # fmt: skip


def test_every_action_is_done_by_its_first_key_somewhere() -> None:
    found = {
        action.name
        for talk in places()
        for action in KEYS
        if action.keys and action_of(action.keys[0], talk.scene) is action
    }
    assert found == {action.name for action in KEYS if action.keys}


def test_what_the_bar_shows_is_what_its_key_does() -> None:
    for talk in places():
        for action in hints(talk.scene):
            for key in action.keys:
                done = action_of(key, talk.scene)
                # While the arrows move along the bar, they and Enter are the bar's.
                assert done is action or filters.in_keys(talk.scene), (action.name, key)


def test_names_are_unique_and_whatever_is_shown_has_a_label() -> None:
    names = [action.name for action in KEYS]
    assert len(set(names)) == len(names)
    assert all(action.label for action in KEYS)


@pytest.mark.parametrize("action", KEYS, ids=lambda action: action.name)
def test_an_action_of_a_letter_has_its_greek_one_and_another_way_or_the_bar(
    action: KeyAction,
) -> None:
    letters = [key for key in action.keys if re.fullmatch("[a-z]", key)]
    for letter in letters:
        if letter in LETTERS:
            assert LETTERS[letter] in action.keys
    others = [key for key in action.keys if not re.fullmatch(r"\w", key)]
    assert not letters or others or action.hint


NUMBERS = range(19)
"""The places of `places`."""


@pytest.mark.parametrize("number", NUMBERS)
def test_help_and_the_way_out_are_on_the_bar(number: int) -> None:
    talk = places()[number]
    is_covered = filters.is_writing(talk.scene) or talk.scene.overlay is not None
    if not is_covered and not talk.scene.small:
        names = {action.name for action in hints(talk.scene)}
        assert names & {"leave", "give_up", "end_replay"}


def outcome(talk: ScreenTalk) -> tuple[object, ...]:
    """Return what has come of keys: what was sent, asked and shown, but not where the focus is."""
    scene, desk = talk.scene, talk.scene.desk
    asked = (desk.leaving, desk.pass_asked, desk.which_end, talk.over)
    shown = (scene.page, scene.overlay, scene.typed, scene.chosen, scene.end, scene.row)
    return (talk.sent(), asked, shown, scene.flash, scene.skin, scene.mouse, scene.answer)


@pytest.mark.parametrize("number", NUMBERS)
def test_tab_arrows_and_enter_do_whatever_the_bar_shows(number: int) -> None:
    names = [action.name for action in hints(places()[number].scene)]
    for name in names:
        by_key, by_bar = places()[number], places()[number]
        if action_of("tab", by_bar.scene) is None or by_bar.scene.replay is not None:
            assert by_bar.scene.page in NO_TAB or is_covered(by_bar)
            continue
        action = next(each for each in KEYS if each.name == name)
        if by_bar.scene.focus is Focus.KEYS:
            by_bar.press("tab")
            by_key.press("tab")
        by_bar.on_the_bar(name)
        for _ in range(2):
            by_key.passes()
            by_bar.passes()
            by_key.press(action.keys[0])
            by_bar.press("enter")
            if action.name not in TWICE:
                break
        assert outcome(by_bar) == outcome(by_key), name


TWICE = ("leave", "pass")
"""What has to be asked for twice."""

NO_TAB = (Page.STARTING, Page.REPLAY)
"""Where Tab is something else; there Esc leaves."""


def is_covered(talk: ScreenTalk) -> bool:
    """Tell whether Esc leads back to where Tab leads to the bar."""
    return talk.scene.overlay is not None or filters.is_writing(talk.scene)


def test_a_key_that_is_none_does_nothing() -> None:
    for talk in places():
        for key in ("f12", "c-x", "é", "€", ""):
            assert action_of(key, talk.scene) is None
