"""A person's turn: an action is sent once, for the turn that was shown, and never by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.settings import ConfirmPass
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act
from passing_protocol.views import Clock
from passing_protocol.wire import ActionMessage
from tests.support.client_scene import Talk, acted, after, ask, round_view, seated

ON_ITS_WAY = ["Your action is on its way."]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("02<", "02<"),
        ("20 <", "02<"),
        ("2-0 left", "02<"),
        ("[0|2]", "02<"),
        ("play 02", "02<"),
        ("64>", "46>"),
        ("46", "46>"),
        ("d", "d"),
        ("draw", "d"),
        ("+", "d"),
    ],
)
def test_what_is_typed_is_sent_for_this_turn(line: str, action: str) -> None:
    talk = seated()
    assert talk.types(line) == []
    (sent,) = talk.sent()
    assert isinstance(sent, Act)
    assert (sent.table, sent.turn, str(sent.action.action)) == ("t1", 25, action)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("66", "You do not hold 6-6."),
        ("13", "1-3 fits neither the left end (0) nor the right end (6)."),
        ("02>", "0-2 does not fit the right end (6), only the left end (0)."),
        ("play", "A tile is two numbers from 0 to 6, then < or > where both ends fit: 64>"),
        ("play 7", "A tile is two numbers from 0 to 6, then < or > where both ends fit: 64>"),
        ("77", "'77' is no command and no tile; type ? for help."),
        ("/play 7", "A tile is two numbers from 0 to 6, then < or > where both ends fit: 64>"),
        ("/", "'/' is no command and no tile; type ? for help."),
        ("<", "Type a tile first, then < or > for its end."),
        ("left", "'left' is no command and no tile; type ? for help."),
    ],
)
def test_what_cannot_be_played_is_explained_and_not_sent(line: str, said: str) -> None:
    talk = seated()
    assert talk.types(line) == [said]
    assert talk.sent() == []


def test_r2_3_a_draw_from_the_last_two_is_explained() -> None:
    talk = Talk()
    view = replace(after(round_view(leader=0)), boneyard=2, drawable=0)
    talk.sits(view, hand="02 13", ask=ask(20, "02 13 -", no_draw=True))
    assert talk.types("d") == ["No tile can be drawn: the last 2 stay in the boneyard."]
    assert talk.acts() == []


def test_a_reason_that_this_client_does_not_know_is_told_in_general() -> None:
    talk = Talk()
    question = replace(ask(20, "02 13 -"), refused={"draw": "draws_are_used_up"})
    talk.sits(round_view(leader=0), hand="02 13", ask=question)
    assert talk.types("d") == ["That cannot be done at this point."]
    assert talk.acts() == []


# --- which end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "action"), [("<", "06<"), ("l", "06<"), (" right ", "06>")])
def test_the_end_is_asked_for_where_both_fit(answer: str, action: str) -> None:
    talk = seated("06< 06> d -", hand="06 13")
    assert talk.types("60") == ["0-6 fits both: < for the left end (0), > for the right end (6)?"]
    assert talk.acts() == []
    assert talk.types(answer) == []
    assert talk.acts() == [action]


def test_another_command_drops_the_question() -> None:
    talk = seated("06< 06> d -", hand="06 13")
    talk.types("60")
    talk.types("ends")
    assert talk.types("<") == ["Type a tile first, then < or > for its end."]
    assert talk.acts() == []


def test_letters_mean_an_end_only_where_one_was_asked_for() -> None:
    talk = seated("06< 06> d -", hand="06 13")
    assert talk.types("l") == ["Nobody has done anything in this round yet."]
    talk.types("60")
    talk.types("l")
    assert talk.acts() == ["06<"]


def test_an_end_typed_after_the_turn_is_over_plays_nothing() -> None:
    talk = seated("06< 06> d -", hand="06 13")
    talk.types("60")
    talk.update(acted(0, 25, "-", timed_out=True))
    assert talk.types("<") == ["Type a tile first, then < or > for its end."]
    assert talk.acts() == []


@pytest.mark.parametrize("line", ["02", "02<", "20>", "13 left"])
def test_c8_for_the_first_tile_no_end_is_asked_and_none_is_sent(line: str) -> None:
    talk = Talk()
    talk.sits(round_view(leader=0), hand="02 13", ask=ask(20, "02 13 d -"))
    assert talk.types(line) == []
    (sent,) = talk.sent()
    assert isinstance(sent, Act)
    assert sent.action == ActionMessage(play="02" if "2" in line else "13")


# --- passing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["p", "pass", "-"])
def test_a_pass_while_a_tile_fits_is_said_twice(word: str) -> None:
    talk = seated()
    assert talk.types(word) == ["0-2, 0-4 and 4-6 fit. p again passes."]
    assert talk.acts() == []
    assert talk.types(word) == []
    assert talk.acts() == ["-"]


def test_one_tile_fits_and_two_fit() -> None:
    talk = seated("46> d -")
    assert talk.types("p") == ["4-6 fits. p again passes."]


def test_a_pass_where_nothing_fits_is_sent_at_once() -> None:
    talk = seated("d -")
    assert talk.types("p") == []
    assert talk.acts() == ["-"]


def test_anything_between_asks_again() -> None:
    talk = seated()
    talk.types("p")
    talk.types("hand")
    assert talk.types("p") == ["0-2, 0-4 and 4-6 fit. p again passes."]
    assert talk.acts() == []


def test_a_pass_asked_about_is_not_confirmed_in_another_turn() -> None:
    talk = seated()
    talk.types("p")
    talk.update(acted(0, 25, "-", timed_out=True))
    view = replace(after(round_view(leader=0), "06", "-", "-", "-"), turn=29)
    talk.update(public=view, hand="02 46", ask=ask(29, "02< 46> d -"))
    assert talk.types("p") == ["0-2 and 4-6 fit. p again passes."]
    assert talk.acts() == []


def test_the_setting_never_asks() -> None:
    talk = Talk(confirm_pass=ConfirmPass.NEVER)
    view = replace(after(round_view(leader=0)), turn=20)
    talk.sits(view, hand="02 13", ask=ask(20, "02 13 d -"))
    assert talk.types("p") == []
    assert talk.acts() == ["-"]


def test_the_setting_can_be_changed_at_the_table() -> None:
    talk = seated()
    assert talk.types("confirm") == ["A pass while a tile fits is asked about."]
    assert talk.types("confirm never") == ["A pass while a tile fits is never asked about."]
    assert talk.types("p") == []
    assert talk.acts() == ["-"]
    assert talk.types("confirm perhaps") == ["confirm: 'perhaps' is not ask or never."]
    assert talk.types("confirm ask") == ["A pass while a tile fits is asked about."]


# --- one action for one turn --------------------------------------------------------------------


def test_c24_an_action_on_its_way_is_not_sent_again() -> None:
    talk = seated()
    talk.types("02<")
    for line in ("02<", "46>", "d", "+", "p", "p"):
        talk.types(line)
    assert talk.acts() == ["02<"]


def test_c24_a_second_action_is_answered() -> None:
    talk = seated()
    talk.types("d")
    assert talk.types("46>") == ON_ITS_WAY
    assert talk.types("turn") == [
        "Your turn. Ends 0 left, 6 right. You can play 0-2 left, 0-4 left, 4-6 right, "
        "draw, or pass."
    ]


def test_a_premature_key_never_plays_later() -> None:
    talk = Talk()
    view = after(round_view(), "06", "d")
    talk.sits(view, hand="02 46")
    assert talk.types("02<") == ["Not your turn: Emil to play."]
    assert talk.types("d") == ["Not your turn: Emil to play."]
    assert talk.types("p") == ["Not your turn: Emil to play."]
    talk.update(acted(3, 22, "00<"), public=after(view, "00<"), ask=ask(23, "02< 46> d -"))
    assert talk.acts() == []


@given(st.sampled_from(["02<", "46", "d", "+", "-", "p"]), st.sampled_from([0, 21, 24, 26]))
def test_what_was_typed_under_another_question_does_not_count(line: str, shown: int) -> None:
    talk = seated()
    talk.types(line, shown=shown)
    talk.types(line, shown=shown)
    assert talk.acts() == []


def test_a_stale_line_is_told_so() -> None:
    talk = seated()
    assert talk.types("02<", shown=21) == [
        "That was typed before this turn was shown, so it does not count."
    ]


def test_between_rounds_nothing_is_played() -> None:
    talk = Talk()
    talk.sits(replace(round_view(), to_act=None), hand="02")
    assert talk.types("02") == ["No round is being played."]
    assert talk.types("d") == ["No round is being played."]
    assert talk.acts() == []


@given(st.lists(st.sampled_from(["acted", "ask", "noise", "round"]), max_size=12))
def test_r2_6_nothing_is_ever_sent_that_was_not_typed(script: list[str]) -> None:
    """No automatic pass, no draw, no hint: the client is silent whatever it holds."""
    talk = Talk()
    view = round_view(leader=0)
    talk.sits(view, hand="13")
    for step in script:
        assert view.to_act is not None
        if step == "acted":
            event = acted(view.to_act, view.turn, "-")
            view = after(view, "-")
            talk.update(event)
        elif step == "ask":
            talk.update(public=view, ask=ask(view.turn, "-", clock=Clock(1_000, 0)))
        elif step == "round":
            view = round_view(leader=0)
            talk.update(public=view, hand="13")
        else:
            talk.types("hand")
    assert talk.sent() == []


# --- refused by the server ----------------------------------------------------------------------


def test_a_refused_action_is_explained_and_another_can_be_sent() -> None:
    talk = seated()
    talk.types("02<")
    assert talk.error(ErrorCode.DOES_NOT_FIT) == ["That tile does not fit there."]
    talk.types("46>")
    assert talk.acts() == ["02<", "46>"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (ErrorCode.STALE_TURN, "That came too late: the turn is over."),
        (ErrorCode.TOO_LATE, "Your time was up before that arrived."),
        (ErrorCode.TURN_DECIDED, "You have already decided this turn."),
        (ErrorCode.RATE_LIMITED, "Too much at once; wait a moment and try again."),
    ],
)
def test_refusals_are_sentences(code: ErrorCode, said: str) -> None:
    talk = seated()
    talk.types("d")
    assert talk.error(code) == [said]


def test_an_answered_action_makes_room_for_the_next_turn() -> None:
    talk = seated()
    talk.types("02<")
    said = talk.update(acted(0, 25, "02<"), re=talk.answers_last())
    assert said == ["You play 0-2, left. Ends 2 and 6. You have 3 tiles."]
    assert talk.conversation.desk.acted is None


def test_nothing_is_kept_for_later_while_the_connection_is_down() -> None:
    talk = seated()
    talk.link.down = True
    assert talk.types("02<") == ["The connection is down: that was not sent."]
    talk.link.down = False
    assert talk.acts() == []
    talk.types("02<")
    assert talk.acts() == ["02<"]


def test_after_the_end_of_the_link_nothing_is_sent() -> None:
    talk = seated()
    talk.link.ended = True
    assert talk.types("d") == ["den.local has ended the session."]
    assert talk.acts() == []
