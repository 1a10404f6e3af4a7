"""What messages do to the scene: the log, what is shown at once, and the times."""

import pytest

from passing_client.screen.scene import Overlay
from passing_link.exits import ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import (
    Fault,
    ForfeitKind,
    Said,
    SeatChanged,
    StateChanged,
)
from passing_protocol.messages import Join, Left, Tables
from passing_protocol.views import Clock, Gone, SeatInfo, SeatState, TableState
from tests.support.client_scene import (
    TABLE,
    acted,
    ask,
    full_view,
    taken,
)
from tests.support.screen_talk import ScreenTalk, lobby, on_turn

# --- what is heard and what is answered ----------------------------------------------------------


def test_what_happens_goes_to_the_log_and_what_is_asked_is_answered() -> None:
    talk = ScreenTalk()
    talk.waiting()
    said = talk.update(acted(1, 20, "06"))
    assert said == ["Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles."]
    assert talk.scene.flash == ""
    talk.commands("ends")
    assert talk.scene.flash == "0 left, 6 right."
    assert list(talk.scene.log)[-1] == said[0]


def test_a_table_that_is_looked_for_in_vain_is_told_of_on_the_page() -> None:
    talk = lobby()
    talk.commands("join cellar")
    request = next(reversed(talk.conversation.desk.pending))
    talk.hears(Tables(1, request, [], []))
    told = "There is no table 'cellar'; type tables to see which there are."
    assert talk.scene.flash == told
    assert told in talk.picture()
    assert list(talk.scene.log)[-1] == told


def test_an_answer_of_several_lines_is_read_over_the_page() -> None:
    talk = on_turn()
    talk.commands("seats")
    assert talk.scene.overlay is Overlay.ANSWER
    assert len(talk.scene.answer) == 4
    assert talk.scene.typed == ""
    talk.press("escape")
    assert talk.scene.overlay is None


def test_an_answer_of_one_line_that_does_not_fit_is_read_over_the_page() -> None:
    talk = on_turn(hand="01 02 03 04 05 11 12 13 14 15 16 22 23 24 25 26 33 34 35 46")
    talk.commands("options")
    assert talk.scene.overlay is None
    answer = talk.scene.flash
    talk.controller.resize(60, 12)
    talk.commands("options")
    assert talk.scene.answer == [answer]
    assert answer in talk.picture(60, 12)
    talk.press("escape")
    talk.commands("ends")
    assert talk.scene.overlay is None
    assert talk.scene.flash == "0 left, 6 right."


@pytest.mark.parametrize("size", [(80, 24), (60, 12), (100, 30), (300, 80)])
def test_what_others_say_is_to_be_seen_until_it_was_read(size: tuple[int, int]) -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.update(Said("Emil", "look out", 3))
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< 46>"))
    talk.press("?", "escape", "f8")
    assert "Emil, seat 4: look out" in talk.picture(*size)
    talk.update(Said("Bo", "now", 1))
    assert "(2 unread, l shows them) Bo, seat 2: now" in talk.picture(*size)
    talk.press("l")
    assert talk.scene.overlay is Overlay.LOG
    talk.press("escape")
    assert talk.scene.unread == []


def test_escape_puts_away_what_others_say_and_nobody_is_told_their_own_words() -> None:
    talk = on_turn()
    talk.update(Said("Bo", "hello", 1), Said("Dana", "hello yourself", 0))
    assert talk.scene.unread == ["Bo, seat 2: hello"]
    talk.press("escape")
    assert talk.scene.unread == []


def test_what_is_said_between_rounds_is_to_be_seen_too() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.update(Said("Bo", "good round", 1))
    talk.press("f8")
    assert "Bo, seat 2: good round" in talk.picture()


def test_what_a_muted_name_says_is_not_to_be_seen() -> None:
    talk = on_turn()
    talk.commands("mute Bo")
    assert talk.update(Said("Bo", "are you there?", 1)) == []
    assert talk.scene.unread == []


def test_what_was_said_at_a_table_is_over_when_it_was_left() -> None:
    talk = on_turn()
    talk.update(Said("Bo", "bye", 1))
    talk.hears(Left(talk.seq(), TABLE, "removed"))
    assert talk.scene.unread == []


def test_something_said_last_is_shown_once_before_the_match() -> None:
    talk = ScreenTalk()
    talk.before_the_match()
    talk.press("f9")
    assert talk.scene.flash
    assert talk.picture().count(talk.scene.flash) == 1


def test_news_of_the_link_are_seen_and_logged() -> None:
    talk = on_turn()
    lost = "The connection is lost; trying to get it back."
    assert talk.hears(LinkNews(NewsKind.LOST, lost)) == [lost]
    assert talk.picture().count(lost) == 1
    back = "The connection is back."
    assert talk.hears(LinkNews(NewsKind.BACK, back)) == [back]
    shown = talk.picture()
    assert shown.count(back) == 1
    assert lost not in shown
    assert "YOUR TURN type a tile" in shown
    talk.press("left")
    assert back not in talk.picture()


def test_the_end_of_a_link_is_the_farewell() -> None:
    talk = on_turn()
    talk.hears(LinkNews(NewsKind.CLOSED, "den.local has ended the session."))
    assert talk.over is ExitCode.UNREACHABLE
    assert talk.controller.farewell == "den.local has ended the session."


def test_one_who_leaves_needs_no_farewell() -> None:
    talk = lobby()
    talk.press("q")
    assert talk.over is ExitCode.DONE
    assert talk.controller.farewell == ""


# --- time ----------------------------------------------------------------------------------------


def test_the_time_of_a_question_is_known_until_it_is_answered() -> None:
    talk = ScreenTalk()
    talk.on_turn(question=ask(25, "02< d -", clock=Clock(30_000, 20_000)), seen=False)
    assert talk.scene.turn_at == talk.now
    assert talk.scene.clock_at == talk.now + 50_000
    talk.passes(1_000)
    assert talk.controller.tick()
    assert talk.scene.now == talk.now
    talk.update(acted(0, 25, "-"))
    assert talk.scene.clock_at is None
    assert not talk.controller.tick()


def test_it_is_known_since_when_somebody_is_away() -> None:
    talk = ScreenTalk()
    talk.waiting()
    gone = talk.now
    talk.update(SeatChanged(2, SeatInfo(SeatState.AWAY, "Caro")))
    talk.passes(3_000)
    talk.update(acted(1, 20, "06"))
    assert talk.scene.away_since == {2: gone}
    assert talk.controller.tick()
    talk.update(SeatChanged(2, taken("Caro")))
    assert talk.scene.away_since == {}


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            SeatChanged(1, SeatInfo(SeatState.AWAY, "Bo", ready=True, gone=Gone.LEFT)),
            "Bo has left the match for good.",
        ),
        (
            SeatChanged(
                1, SeatInfo(SeatState.FORFEITED, "Bo"), Fault("player", "left", 1, ForfeitKind.LEFT)
            ),
            "Bo has left for good and is out of the match.",
        ),
    ],
)
def test_that_somebody_has_left_for_good_is_on_the_screen_until_it_is_read(
    event: SeatChanged, told: str
) -> None:
    talk = on_turn()
    talk.update(event)
    assert told in talk.picture()
    assert told in talk.picture(60, 18)
    talk.update(acted(0, 25, "-", timed_out=True), hand="02 04 13 46")
    assert told in talk.picture()
    talk.press("escape")
    assert told not in talk.picture()


LEFT = SeatChanged(1, SeatInfo(SeatState.AWAY, "Bo", ready=True, gone=Gone.LEFT))
TAKEN_OVER = SeatChanged(
    1, SeatInfo(SeatState.SUBSTITUTE, "Robo", "greedy", ready=True, gone=Gone.LEFT)
)
WAITS = "An engine takes seat 2 if one waits"


@pytest.mark.parametrize(
    "end",
    [
        TAKEN_OVER,
        SeatChanged(1, SeatInfo(SeatState.EMPTY)),
        StateChanged(TableState.OVER),
    ],
)
def test_that_a_seat_waits_for_an_engine_is_shown_no_longer_than_it_does(
    end: SeatChanged | StateChanged,
) -> None:
    talk = on_turn()
    talk.update(Said("Emil", "oh", 3))
    talk.update(LEFT)
    assert WAITS in talk.picture(150, 30)
    talk.update(Said("Emil", "no", 3))
    assert len(talk.scene.unread) == 3
    talk.update(end)
    assert talk.scene.unread == ["Emil, seat 4: oh", "Emil, seat 4: no"]
    if isinstance(end, SeatChanged):  # the page of a match that is over shows the log
        assert WAITS not in talk.picture(150, 30)
    assert any(WAITS in line for line in talk.scene.log)


def test_where_an_engine_takes_the_seat_at_once_nothing_waits_to_be_read() -> None:
    talk = on_turn()
    talk.update(LEFT, TAKEN_OVER)
    assert talk.scene.unread == []


def test_one_departure_ends_without_another() -> None:
    talk = on_turn()
    talk.update(LEFT)
    talk.update(SeatChanged(3, SeatInfo(SeatState.AWAY, "Emil", ready=True, gone=Gone.LEFT)))
    talk.update(TAKEN_OVER)
    (line,) = talk.scene.unread
    assert line.startswith("Emil has left the match for good.")


def test_who_leaves_a_seat_that_is_not_there_is_not_told_of() -> None:
    talk = ScreenTalk()
    talk.scene.desk.send(Join(0, TABLE))
    gone = SeatChanged(3, SeatInfo(SeatState.AWAY, "Bo", gone=Gone.LEFT))
    talk.update(gone, public=full_view(2), hand="", re=talk.answers_last())
    assert talk.scene.unread == []


def test_one_who_is_only_away_takes_no_line() -> None:
    talk = on_turn()
    talk.update(SeatChanged(1, SeatInfo(SeatState.AWAY, "Bo")))
    assert talk.scene.unread == []
