"""A server that tells of a table what cannot be is left with one sentence, and nothing worse."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client import going
from passing_client.conversation import Conversation
from passing_client.repertoire import COMMANDS
from passing_client.screen.drawing import draw
from passing_client.screen.scene import Overlay
from passing_client.screen.title import title
from passing_client.settings import Settings
from passing_client.verifying import ImpossibleTable
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews
from passing_protocol.events import Event, MatchEnded, OwnerChanged, RoundBegan, SeatChanged
from passing_protocol.messages import Join, Update
from passing_protocol.views import DealKind, PublicView, TableState
from tests.client.hostile import updates
from tests.support.client_scene import (
    TABLE,
    FakeLink,
    acted,
    after,
    ask,
    full_view,
    round_ended,
    round_view,
    seated,
    taken,
    train,
)
from tests.support.screen_talk import ScreenTalk

ROUND = round_view()
PLAYED = after(ROUND, "06")

VIEWS: dict[str, PublicView] = {
    "too few scores": replace(ROUND, scores=[]),
    "too many scores": replace(round_view(partners=True), scores=[0, 0, 0, 0]),
    "too few hands": replace(ROUND, hands=[3]),
    "too few seats": replace(ROUND, seats=ROUND.seats[:2]),
    "no seats": replace(ROUND, seats=[]),
    "turn of nobody": replace(round_view(2), to_act=3),
    "owner that is nobody": replace(round_view(2), owner=2),
    "leader that is nobody": replace(round_view(3), leader=3),
    "action of nobody": replace(round_view(2), actions=[acted(3, 20, "-")]),
    "actions without hands": replace(ROUND, hands=[], actions=[acted(3, 20, "-")]),
    "ends without a train": replace(ROUND, ends=(1, 2)),
    "a train without ends": replace(ROUND, train=train("06")),
    "a train that is broken": replace(ROUND, train=train("06 12"), ends=(0, 2)),
    "ends of another train": replace(ROUND, train=train("06 16"), ends=(0, 6)),
    "partners at three": replace(round_view(3), game=replace(ROUND.game, seats=3, partners=True)),
}

EVENTS: dict[str, Event] = {
    "an action of nobody": acted(3, 21, "-"),
    "a tile where it cannot lie": acted(2, 21, "46"),
    "a seat that is not there": SeatChanged(3, taken("Emil")),
    "an owner that is nobody": OwnerChanged(3),
    "hands of too many": RoundBegan(4, 0, DealKind.SERVER, [6] * 4, 4, 2),
    "no hands at all": RoundBegan(4, 0, DealKind.SERVER, [], 4, 2),
    "scores of too few": MatchEnded("target", [1], 0),
    "a winner that is nobody": MatchEnded("target", [1, 2, 3], 3),
    "pips of too few": round_ended("blocked", ["01"], [37, 12, 44], winners=[0], points=6),
    "winners that are nobody": round_ended("blocked", ["01"] * 3, [1, 2, 3], winners=[3]),
    "a side that is none": round_ended("blocked", ["01"] * 3, [1, 2, 3], winners=[0], side=3),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_whose_parts_do_not_go_together_is_not_taken(name: str) -> None:
    with pytest.raises(ImpossibleTable):
        seated().update(public=VIEWS[name])
    talk = ScreenTalk()
    with pytest.raises(ImpossibleTable):
        talk.sits(VIEWS[name])


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_that_cannot_follow_is_not_taken(name: str) -> None:
    talk = ScreenTalk()
    talk.sits(after(round_view(3), "06"), hand="02")
    with pytest.raises(ImpossibleTable):
        talk.update(EVENTS[name])


def test_nobody_goes_out_before_anybody_has_played() -> None:
    talk = ScreenTalk()
    talk.sits(ROUND, hand="02")
    with pytest.raises(ImpossibleTable, match="nobody has played"):
        talk.update(round_ended("out", ["", "01", "02", "03"], [37, 12, 44, 26], winners=[0]))


def test_no_tile_comes_from_where_none_is() -> None:
    for view, action in (
        (replace(PLAYED, boneyard=0), "d"),
        (replace(PLAYED, hands=[0] * 4), "02<"),
    ):
        talk = ScreenTalk()
        talk.sits(view, hand="02")
        with pytest.raises(ImpossibleTable):
            talk.update(acted(2, 21, action))


def test_a_table_keeps_its_seats() -> None:
    with pytest.raises(ImpossibleTable, match="not those of before"):
        seated().update(public=round_view(2))


def test_a_hand_belongs_to_a_seat_and_has_a_tile_once() -> None:
    for seat, hand in ((3, "02"), (0, "02 02")):
        talk = ScreenTalk()
        with pytest.raises(ImpossibleTable):
            talk.sits(round_view(3), hand=hand, seat=seat)


def test_a_question_goes_to_a_seat_and_with_the_train() -> None:
    for hand, legal in ((None, "02< d -"), ("02", "02 d -")):
        talk = ScreenTalk()
        with pytest.raises(ImpossibleTable):
            talk.sits(PLAYED, hand=hand, ask=ask(21, legal))


def test_what_does_not_follow_after_messages_were_missed_waits_for_the_snapshot() -> None:
    talk = seated()
    talk.update(acted(0, 25, "d"), digest="0" * 16)
    talk.update(round_ended("blocked", ["01"], [1], winners=[0]), ask=ask(26, "02 d -"))
    table = talk.conversation.desk.table
    assert table is not None
    assert table.ask is None
    assert talk.over is None


def test_what_a_snapshot_overtakes_need_not_follow() -> None:
    talk = seated()
    talk.update(acted(3, 25, "46"), public=PLAYED)
    table = talk.conversation.desk.table
    assert table is not None
    assert table.view == PLAYED


# --- whatever comes ------------------------------------------------------------------------------

SIZES = ((60, 12), (80, 24), (300, 80))
LOOKS = [command.name for command in COMMANDS if command.name not in ("leave", "quit", "rules")]


def look_at_everything(talk: ScreenTalk) -> None:
    """Draw every page and text, ask about all there is, and look at the rounds again."""
    for put_away in (True, False):
        talk.scene.put_away = put_away
        for size in SIZES:
            draw(talk.scene, *size)
    for overlay in Overlay:
        talk.scene.overlay = overlay
        draw(talk.scene, 80, 24)
    talk.scene.overlay = None
    title(talk.scene)
    for look in LOOKS:
        talk.conversation.type(look, talk.conversation.desk.shown_turn)
    talk.press("tab", "right", "left", "tab", "0", "2", "right", "enter", "d", "p", "escape")
    talk.press("r")
    if talk.scene.replay is not None:
        draw(talk.scene, 80, 24)
        talk.press("end", "escape")


@given(updates(shown=True), st.lists(updates(), max_size=4))
@settings(max_examples=40, deadline=None)
def test_nothing_else_goes_wrong_whatever_a_server_tells(
    first: Update, later: list[Update]
) -> None:
    talk = ScreenTalk()
    talk.conversation.desk.send(Join(0, TABLE))
    try:
        talk.hears(replace(first, re=talk.answers_last()))
        look_at_everything(talk)
        for update in later:
            talk.hears(update)
            look_at_everything(talk)
    except ImpossibleTable:
        pass


# --- how it ends -------------------------------------------------------------------------------


@dataclass
class Nonsense:
    """An errand to a server that shows a table which cannot be."""

    server = "den.local"
    starting = "Connecting ..."
    private = to_the_end = False
    wanted: str | None = None

    def begin(self) -> None:
        pass

    def end(self) -> None:
        pass

    async def run(
        self, stay: going.Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        link = FakeLink(
            script=[Update(1, TABLE, 0, [], public=replace(full_view(), scores=[]), re=1)]
        )

        def begin(conversation: Conversation) -> None:
            conversation.desk.send(Join(0, TABLE))

        return await stay(link, begin)


def test_it_ends_with_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandFailed) as caught:
        going.go(Nonsense(), Settings(plain=True))
    assert caught.value.code is ExitCode.UNREACHABLE
    assert caught.value.sentence == (
        "den.local tells of a table what cannot be (scores: 0 where there can only be 4), so you"
        " have left."
    )
    assert capsys.readouterr().err == ""


def test_the_state_is_shown_after_the_last_that_could_be() -> None:
    talk = seated()
    with pytest.raises(ImpossibleTable):
        talk.update(round_ended("blocked", ["01"], [1], winners=[0]))
    table = talk.conversation.desk.table
    assert table is not None
    assert table.view.state is TableState.PLAYING
