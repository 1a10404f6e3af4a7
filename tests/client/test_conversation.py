"""Transcripts: what a person reads and types from the lobby to the end of a match."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.lobbying import seat_number
from passing_link.exits import ExitCode
from passing_link.news import LinkEnded, LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    MatchBegan,
    MatchEnded,
    RoundBegan,
    Said,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.messages import (
    Chat,
    Create,
    Goodbye,
    Invite,
    Join,
    Leave,
    Left,
    Lobby,
    Ok,
    Ping,
    Pong,
    Ready,
    Remove,
    Request,
    Resync,
    Start,
    Update,
    Watch,
)
from passing_protocol.views import (
    Clock,
    DealKind,
    GameOptions,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
)
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    Talk,
    acted,
    after,
    ask,
    full_view,
    open_view,
    round_ended,
    round_view,
    seated,
    table_info,
    taken,
)

HINT = (
    "Type its number to sit down, watch and its number to watch, "
    "new to make a table of 4 seats, new NAME seats=2 for another, ? for help."
)
TWO = (
    table_info("kitchen", [taken("Bo"), EMPTY]),
    table_info("living room", [taken("Caro"), EMPTY, EMPTY], table="t2"),
)


def lobby() -> Talk:
    talk = Talk()
    talk.begins()
    talk.tables(*TWO, engines="careful greedy")
    talk.sent()
    return talk


# --- the lobby ----------------------------------------------------------------------------------


def test_the_lobby_is_shown_on_coming() -> None:
    talk = Talk()
    talk.begins()
    assert talk.conversation.busy
    assert talk.tables(*TWO, engines="careful") == [
        "2 tables:",
        "  1  kitchen: Bo; 1 seat free; 2 seats, to 101.",
        "  2  living room: Caro; 2 seats free; 3 seats, to 101.",
        "Engine waiting: careful.",
        HINT,
    ]
    assert not talk.conversation.busy


def test_a_table_that_is_shown_without_being_asked_for_is_ones_own() -> None:
    """The server knows the client by its key, and gives it the seat back that it has left."""
    talk = Talk()
    talk.begins()
    lines = talk.update(public=open_view())
    assert talk.conversation.desk.table is not None
    assert talk.conversation.desk.table.id == TABLE
    assert lines


def test_a_long_lobby_is_fetched_page_by_page() -> None:
    talk = Talk()
    talk.begins()
    assert talk.tables(TWO[0], more=True) == []
    assert talk.sent()[-1] == Lobby(0, "t1")
    lines = talk.tables(TWO[1])
    assert lines[0] == "2 tables:"
    assert [table.table for table in talk.conversation.desk.tables] == ["t1", "t2"]


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("tables", Lobby(0)),
        ("t", Lobby(0)),
        ("1", Join(0, "t1")),
        ("2", Join(0, "t2")),
        ("join 2", Join(0, "t2")),
        ("j 2 3", Join(0, "t2", 2)),
        ("join kitchen", Join(0, "t1")),
        ("join Living Room 2", Join(0, "t2", 1)),
        ("join t2", Join(0, "t2")),
        ("watch", Watch(0, "t1")),
        ("w 2", Watch(0, "t2")),
        ("watch living room", Watch(0, "t2")),
        ("new kitchen", Create(0, "kitchen")),
        ("new", Create(0, "table")),
        ("n my place seats=2", Create(0, "my place", GameOptions(seats=2))),
        (
            "new a partners target=30 turn_ms=0 chat=true memory=true",
            Create(
                0,
                "a",
                GameOptions(partners=True, target=30),
                TableOptions(turn_ms=0, chat=True, memory=True),
            ),
        ),
    ],
)
def test_what_is_typed_in_the_lobby(line: str, request_: Request) -> None:
    talk = lobby()
    assert talk.types(line) == []
    assert talk.sent() == [request_]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("join 1 0", "Say which seat of that table, 1 to 2."),
        ("join 1 9", "Say which seat of that table, 1 to 2."),
        ("2 4", "Say which seat of that table, 1 to 3."),
        ("join kitchen " + "9" * 5_000, "Say which seat of that table, 1 to 2."),
        ("new a colour=red", "There is no option 'colour'; there are seats, partners,"),
        ("new a seats=9", "seats: '9' cannot be; allowed is 2 to 4."),
        (
            "new a target=" + "9" * 5_000,
            f"target: '{'9' * 24}' cannot be; allowed is 1 to 9999.",
        ),
        ("new a seats=two", "seats: 'two' cannot be; allowed is 2 to 4."),
        ("new a seats=2 deal=seeded", "deal: 'seeded' cannot be; allowed is fair or server."),
        ("new a partners=x", "partners: 'x' cannot be; allowed is true or false."),
        ("new a absent=sleep", "absent: 'sleep' cannot be; allowed is engine, forfeit or pass."),
        (
            "new a faults=retry:100",
            "faults: 'retry:100' cannot be; allowed is retry:0 to retry:99, pass or forfeit.",
        ),
    ],
)
def test_what_the_lobby_cannot_do_is_explained(line: str, said: str) -> None:
    talk = lobby()
    (sentence,) = talk.types(line)
    assert sentence.startswith(said)
    assert talk.sent() == []


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("3", " '3'"),
        ("join", " to go to"),
        ("watch attic", " 'attic'"),
        ("join attic 9", " 'attic 9'"),
        ("9" * 5_000, f" '{'9' * 24}'"),
    ],
)
def test_a_table_that_is_not_there_is_looked_for_before_that_is_said(line: str, named: str) -> None:
    talk = lobby()
    assert talk.types(line) == []
    assert talk.sent() == [Lobby(0)]
    assert talk.conversation.busy
    told = f"There is no table{named}; type tables to see which there are."
    assert talk.tables(*TWO) == [told]
    assert talk.sent() == []
    assert talk.types("tables") == []
    assert len(talk.tables(*TWO)) > 1


def test_without_tables_there_is_nothing_to_watch() -> None:
    talk = Talk()
    talk.begins()
    talk.tables()
    talk.types("watch")
    assert talk.tables() == ["There is no table to go to; type tables to see which there are."]


def test_a_seat_that_is_gone_is_told() -> None:
    talk = lobby()
    talk.types("1")
    assert talk.error(ErrorCode.TABLE_FULL) == ["No place is free at that table."]
    assert not talk.conversation.busy


@given(st.text(), st.integers(1, 4))
def test_a_seat_is_one_digit_up_to_the_number_of_seats(text: str, seats: int) -> None:
    assert seat_number(text, seats) == {str(n + 1): n for n in range(seats)}.get(text)


@given(st.one_of(st.text(), st.text("0123456789 <>-\u0664\u00b2", max_size=30)), st.booleans())
def test_whatever_is_typed_is_taken_calmly(line: str, at_a_table: bool) -> None:
    talk = seated() if at_a_table else lobby()
    for word in ("", "join ", "watch ", "invite ", "remove ", "mute ", "unmute ", "log ", "new "):
        talk.types(word + line)
        talk.types(word + line + "9" * 5_000)


# --- before the match ---------------------------------------------------------------------------


def made() -> Talk:
    """Return a talk in which Dana has made a table."""
    talk = lobby()
    talk.types("new kitchen")
    talk.update(public=open_view(), hand="", re=talk.answers_last())
    talk.sent()
    return talk


def test_a_table_is_made_and_filled() -> None:
    talk = lobby()
    talk.types("new kitchen")
    assert talk.conversation.busy
    assert talk.update(public=open_view(), hand="", re=talk.answers_last()) == [
        "Table kitchen. You are Dana, seat 1 of 4. To 61 points.",
        "  Dana (you), seat 1: owns the table",
        "  seat 2, free",
        "  seat 3, free",
        "  seat 4, free",
        "Type invite to invite an engine that waits, or let others join.",
        "For another number of seats leave, and type new NAME seats=2.",
    ]
    assert not talk.conversation.busy
    assert talk.types("seats")[1] == "  seat 2, free"


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("invite", Lobby(0)),
        ("i greedy", Invite(0, TABLE, "greedy")),
        ("invite greedy 3", Invite(0, TABLE, "greedy", 2)),
        ("invite greedy 9", Invite(0, TABLE, "greedy 9")),
        ("invite " + "9" * 5_000, Invite(0, TABLE, "9" * 24)),
        ("start", Start(0, TABLE)),
        ("ready", Ready(0, TABLE)),
        ("r", Ready(0, TABLE)),
        ("remove 2", Remove(0, TABLE, 1)),
        ("remove Dana", Remove(0, TABLE, 0)),
        ("engines", Lobby(0)),
        ("c hello there", Chat(0, TABLE, "hello there")),
        ("say hello", Chat(0, TABLE, "hello")),
        ("leave", Leave(0, TABLE)),
    ],
)
def test_what_is_typed_before_the_match(line: str, request_: Request) -> None:
    talk = made()
    assert talk.types(line) == []
    assert talk.sent() == [request_]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("remove", "Say which seat, 1 to 4, or a name."),
        ("remove 5", "Say which seat, 1 to 4, or a name."),
        ("remove Zoe", "Say which seat, 1 to 4, or a name."),
        ("remove " + "9" * 5_000, "Say which seat, 1 to 4, or a name."),
        ("mute " + "9" * 5_000, f"Muted: {'9' * 24}."),
        ("c", "Type what you want to say after it: c well played"),
        ("d", "No round is being played."),
        ("turn", "No round is being played."),
    ],
)
def test_what_cannot_be_done_before_the_match(line: str, said: str) -> None:
    talk = made()
    assert talk.types(line) == [said]
    assert talk.sent() == []


@pytest.mark.parametrize(("line", "seat"), [("invite", None), ("i 4", 3)])
def test_the_first_engine_that_waits_now_and_is_not_at_the_table_is_invited(
    line: str, seat: int | None
) -> None:
    talk = made()
    talk.update(SeatChanged(1, taken("careful", "careful 1")))
    talk.types(line)
    assert talk.sent() == [Lobby(0)]
    assert talk.tables(engines="careful greedy") == []
    assert talk.sent() == [Invite(0, TABLE, "greedy", seat)]


@pytest.mark.parametrize(
    ("encrypted", "how"),
    [
        (
            True,
            "Any machine can run one: `passing bot run greedy HOST --code CODE`. Ask whoever "
            "runs the server for the code of `passing serve invite --role bot`.",
        ),
        (False, "Whoever runs the server can start one: `passing serve` has printed the command."),
    ],
)
def test_where_no_engine_waits_one_is_told_how_it_is_started(encrypted: bool, how: str) -> None:
    talk = made()
    talk.conversation.desk.encrypted = encrypted
    talk.types("invite")
    assert talk.tables() == [f"No engine is waiting. {how}"]


def test_the_engines_are_listed_at_the_table() -> None:
    talk = made()
    talk.types("engines")
    assert talk.tables(engines="random") == ["Engine waiting: random."]


def test_an_answer_without_news_is_silent() -> None:
    talk = made()
    talk.types("invite greedy")
    assert talk.ok() == []
    assert talk.conversation.desk.pending == {}


def test_the_match_begins_in_words() -> None:
    talk = made()
    talk.update(public=full_view(), hand="")
    events = (MatchBegan("m1", 61), RoundBegan(1, 0, DealKind.SERVER, [6] * 4, 4, 2))
    view = round_view(leader=0)
    assert talk.update(
        *events, public=view, hand="04 02 13 14 22 46", ask=ask(20, "02 04 13 14 22 46 d -")
    ) == [
        "The match begins: 4 seats, to 61 points.",
        "  Dana (you), seat 1",
        "  Bo (careful), seat 2",
        "  Caro, seat 3",
        "  Emil, seat 4",
        "Round 1. You lead. 6 tiles each, boneyard 4, 2 to draw. The server deals.",
        "Your hand, 6 tiles, 29 pips: 0-2, 0-4, 1-3, 1-4, 2-2, 4-6.",
        "Your turn. No tile lies on the table yet. You can play any tile, draw, or pass.",
    ]
    assert talk.face.rings == 1


# --- a round as in a transcript -----------------------------------------------------------------


def test_a_few_turns() -> None:
    talk = Talk()
    view = round_view()
    talk.sits(view, hand="02 04 13 14 22 46")
    assert talk.update(acted(1, 20, "06")) == ["Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles."]
    assert talk.update(acted(2, 21, "d")) == ["Caro draws. Boneyard 3, 1 to draw."]
    view = after(view, "06", "d", "00<")
    assert talk.update(
        acted(3, 22, "00<"),
        public=view,
        hand="02 04 13 14 22 46",
        ask=ask(23, "02< 04< 46> d -", clock=Clock(30_000, 0)),
    ) == [
        "Emil plays 0-0, left. Ends 0 and 6. Emil has 5 tiles.",
        "Your turn. Ends 0 left, 6 right. "
        "You can play 0-2 left, 0-4 left, 4-6 right, draw, or pass. 30 seconds.",
    ]
    assert talk.types("02") == []
    assert talk.update(acted(0, 23, "02<"), re=talk.answers_last()) == [
        "You play 0-2, left. Ends 2 and 6. You have 5 tiles."
    ]
    assert talk.types("p") == ["Not your turn: Bo to play."]
    assert talk.update(acted(1, 24, "16>")) == [
        "Bo plays 1-6, right. Ends 2 and 1. Bo has 4 tiles."
    ]
    assert talk.types("ends") == ["2 left, 1 right."]
    assert talk.types("who") == ["Bo 4 tiles, Caro 7, Emil 5, you 5. Caro to play."]
    assert talk.types("passes") == ["Passes: none. Draws: Caro once, at 0 and 6."]
    assert talk.types("l 2") == [
        "You play 0-2, left. Ends 2 and 6. You have 5 tiles.",
        "Bo plays 1-6, right. Ends 2 and 1. Bo has 4 tiles.",
    ]
    assert talk.types("t") == ["Train, 4 tiles: [2|0][0|0][0|6][6|1]. 2 left, 1 right."]
    assert talk.types("h") == [
        "Your hand, 5 tiles, 27 pips: 0-4, 1-3, 1-4, 2-2, 4-6.",
        "Fits: 1-3 right, 1-4 right, 2-2 left.",
    ]
    assert talk.types("s") == ["Scores: you 37, Bo 12, Caro 44, Emil 20. The match is to 61."]
    assert talk.types("b") == ["Boneyard 3, 1 to draw. The last 2 are never drawn."]


def test_a_round_ends_and_the_next_is_waited_for() -> None:
    talk = Talk()
    talk.sits(after(round_view(), "06", "-", "-"), hand="13")
    event = round_ended(
        "blocked", ["13", "66", "33", "11"], [37, 12, 44, 40], winners=[3], side=3, points=20
    )
    lines = talk.update(event, StateChanged(TableState.BETWEEN, 20_000))
    assert lines[0] == "Nobody can play any more: round 3 is over."
    assert lines[5] == "Emil wins the round: 4 + 12 + 6 - 2 = 20 points."
    assert lines[-1] == (
        "The next round begins when everybody is ready, or in 20 seconds. Press Enter when you are."
    )
    assert talk.types("") == []
    assert talk.sent() == [Ready(0, TABLE)]
    talk.update(SeatChanged(0, taken("Dana", ready=True)))
    assert talk.types("") == []
    assert talk.sent() == []


def test_enter_does_nothing_anywhere_else() -> None:
    over = Talk()
    over.sits(replace(round_view(), state=TableState.OVER, to_act=None), hand="")
    for talk in (lobby(), seated(), made(), over):
        assert talk.types("") == []
        assert talk.types("   ") == []
        assert talk.sent() == []


def test_a_match_ends_and_another_can_be_played() -> None:
    talk = Talk()
    talk.sits(after(round_view(), "06", "-", "-"), hand="13")
    out = round_ended(
        "out", ["", "66", "33", "11"], [61, 12, 44, 20], winners=[0], side=0, points=20
    )
    lines = talk.update(
        acted(0, 23, "-"), out, MatchEnded("target", [61, 12, 44, 20], 0),
        StateChanged(TableState.OVER, 600_000),
    )  # fmt: skip
    assert lines[-3:] == [
        "The match is over: you win with 61 points.",
        "Final scores: you 61, Bo 12, Caro 44, Emil 20.",
        "Type ready for another match, leave, or quit.",
    ]
    assert talk.over is None
    talk.types("ready")
    assert talk.sent() == [Ready(0, TABLE)]
    talk.ok()
    begun = talk.update(
        SeatChanged(0, taken("Dana", ready=True)),
        MatchBegan("m2", 61),
        RoundBegan(1, 2, DealKind.SERVER, [6] * 4, 4, 2),
        hand="02 04 13 14 22 46",
    )
    assert begun[:2] == ["You are ready.", "The match begins: 4 seats, to 61 points."]
    assert talk.types("s") == ["Scores: you 0, Bo 0, Caro 0, Emil 0. The match is to 61."]


# --- the clock ----------------------------------------------------------------------------------


def test_the_time_is_told_for_an_open_question_only() -> None:
    talk = Talk()
    view = replace(round_view(leader=0), turn=20)
    talk.sits(view, hand="13", ask=ask(20, "13 d -", clock=Clock(30_000, 20_000)))
    assert talk.conversation.time_left_ms() == 50_000
    talk.conversation.remind(20, 10)
    assert talk.said() == ["10 seconds left."]
    talk.conversation.remind(19, 10)
    assert talk.said() == []
    talk.types("d")
    talk.conversation.remind(20, 5)
    assert talk.said() == []


def test_without_a_clock_there_is_no_time_to_tell() -> None:
    assert seated().conversation.time_left_ms() is None
    assert Talk().conversation.time_left_ms() is None


# --- talking ------------------------------------------------------------------------------------


def test_somebody_can_be_muted_by_name_or_seat_and_heard_again() -> None:
    talk = seated()
    assert talk.update(Said("Bo", "hello", 1)) == ["Bo, seat 2: hello"]
    assert talk.types("mute 2") == ["Muted: Bo."]
    assert talk.update(Said("Bo", "hello?", 1)) == []
    assert talk.update(Said("Caro", "hi", 2)) == ["Caro, seat 3: hi"]
    assert talk.types("mute caro") == ["Muted: Bo, caro."]
    assert talk.update(Said("Caro", "hi", 2)) == []
    assert talk.types("unmute Bo") == ["Muted: caro."]
    assert talk.update(Said("Bo", "better", 1)) == ["Bo, seat 2: better"]
    assert talk.types("unmute") == ["Muted: nobody."]
    assert talk.types("mute") == ["Muted: nobody."]


def test_a_name_that_reads_the_same_is_muted_too() -> None:
    talk = seated()
    talk.types("mute Bo")
    assert talk.update(Said("B\u043e", "hello", None)) == []


def test_watchers_are_counted() -> None:
    talk = seated()
    assert talk.update(WatchersChanged(1)) == ["1 person watches."]


# --- going and coming ---------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["leave", "quit"])
def test_in_a_match_going_is_said_twice(word: str) -> None:
    talk = seated()
    assert talk.types(word) == [
        f"The match is not over, and your seat would be lost. {word} again leaves."
    ]
    talk.types("hand")
    assert len(talk.types(word)) == 1
    assert talk.types(word) == []
    if word == "leave":
        assert talk.sent() == [Leave(0, TABLE)]
        assert talk.over is None
    else:
        assert talk.over is ExitCode.DONE


@pytest.mark.parametrize("word", ["leave", "quit"])
@pytest.mark.parametrize("between", ["who", "02", "<", "", "hand", "46>", "nonsense"])
def test_the_first_word_of_going_does_not_outlive_another_line(word: str, between: str) -> None:
    talk = seated()
    talk.types(word)
    talk.types(between)
    talk.sent()
    assert talk.types(word) == [
        f"The match is not over, and your seat would be lost. {word} again leaves."
    ]
    assert talk.over is None
    assert talk.sent() == []


def test_after_leaving_one_is_in_the_lobby() -> None:
    talk = made()
    talk.types("leave")
    assert talk.ok() == []
    assert talk.sent() == [Leave(0, TABLE), Lobby(0)]
    assert talk.conversation.busy
    assert talk.tables(*TWO)[0] == "2 tables:"
    assert talk.update(Said("Bo", "bye", 1)) == []


def test_quitting_the_lobby_needs_no_second_word() -> None:
    talk = lobby()
    assert talk.types("q") == []
    assert talk.over is ExitCode.DONE


def test_a_watcher_goes_without_a_second_word() -> None:
    talk = Talk()
    talk.sits(round_view(), hand=None)
    assert talk.types("leave") == []
    assert talk.sent() == [Leave(0, TABLE)]


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (Left(1, TABLE, "removed"), "You have been removed from the table."),
        (Left(1, TABLE, "closed"), "The table is closed."),
        (
            Left(1, TABLE, "replaced"),
            "Your place at the table has gone to its player, who is back.",
        ),
    ],
)
def test_losing_a_place_is_told(left: Left, said: str) -> None:
    talk = seated()
    assert talk.hears(left) == [said]
    assert talk.sent() == [Lobby(0)]
    talk.tables()
    assert talk.types("02<") == []
    assert talk.tables() == ["There is no table '02<'; type tables to see which there are."]


def test_losing_a_place_at_another_table_is_not() -> None:
    talk = seated()
    assert talk.hears(Left(1, "t9", "closed")) == []
    assert talk.conversation.desk.table is not None


def test_the_end_of_the_input_and_ctrl_c() -> None:
    talk = seated()
    talk.conversation.end_of_input()
    assert talk.over is ExitCode.DONE
    assert talk.said() == ["The input is at its end and nothing more can be typed, so you leave."]
    talk = seated()
    talk.conversation.interrupt()
    assert talk.over is ExitCode.INTERRUPTED


# --- the link -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [NewsKind.LOST, NewsKind.TRYING, NewsKind.BACK])
def test_news_of_the_link_is_said_and_changes_nothing(kind: NewsKind) -> None:
    talk = seated()
    talk.types("d")
    assert talk.hears(LinkNews(kind, "The connection is as it is.")) == [
        "The connection is as it is."
    ]
    assert talk.over is None
    assert talk.types("46>") == ["Your action is on its way."]


def test_while_the_link_is_down_nothing_typed_waits_for_an_answer() -> None:
    talk = lobby()
    talk.types("1")
    assert talk.conversation.busy
    for kind, busy in (
        (NewsKind.LOST, False),
        (NewsKind.TRYING, False),
        (NewsKind.BACK, True),
        (NewsKind.LOST, False),
        (NewsKind.NEW_SESSION, True),
    ):
        talk.hears(LinkNews(kind, "The connection is as it is."))
        assert talk.conversation.busy is busy
    assert talk.sent()[-1] == Lobby(0)


@dataclass
class EndedLink:
    """A link that has ended with these news."""

    news: LinkNews

    def send(self, message: Request) -> int:
        raise LinkEnded(self.news)


def test_c48_the_end_of_the_link_is_told_harmlessly() -> None:
    talk = lobby()
    news = LinkNews(NewsKind.CLOSED, "den.local\x1b[2J\nhas ended the session.")
    talk.conversation.desk.link = EndedLink(news)
    assert talk.types("tables") == ["den.local has ended the session."]


def test_a_new_session_has_no_seat_and_no_questions() -> None:
    talk = seated()
    talk.types("d")
    said = talk.hears(LinkNews(NewsKind.NEW_SESSION, "den.local has forgotten us."))
    assert said == ["den.local has forgotten us."]
    assert talk.sent()[-1] == Lobby(0)
    assert talk.conversation.desk.table is None
    assert talk.conversation.desk.acted is None


RESTARTED = LinkNews(NewsKind.RESTARTED, "It was started again.")


def test_a_table_that_a_restarted_server_shows_goes_on() -> None:
    talk = seated()
    assert talk.hears(RESTARTED) == ["It was started again."]
    assert talk.sent()[-1] == Ping(0)
    assert talk.update(public=round_view(leader=0), hand="02 13", ask=ask(1, "02 d -"))
    assert talk.hears(Pong(2, len(talk.sent()))) == []
    assert talk.conversation.desk.table is not None


def test_a_place_that_a_restarted_server_does_not_show_is_no_more() -> None:
    talk = seated()
    talk.hears(RESTARTED)
    said = talk.hears(Pong(0, len(talk.sent())))
    assert said == ["You have no place at the table any more."]
    assert talk.conversation.desk.table is None
    assert talk.sent()[-1] == Lobby(0)


LOST = LinkNews(NewsKind.LOST, "It is lost.")
BACK = LinkNews(NewsKind.BACK, "It is back.")


def test_a_question_that_is_open_after_a_loss_is_asked_again_once_all_is_heard() -> None:
    talk = seated()
    question = talk.update(public=round_view(leader=0), hand="02 13", ask=ask(1, "02 d -"))[-1]
    assert question.startswith("Your turn. ")
    assert talk.hears(LOST, BACK) == ["It is lost.", "It is back."]
    assert talk.sent()[-1] == Ping(0)
    assert talk.hears(Pong(2, len(talk.sent()))) == [question]
    assert talk.hears(Pong(3, 1)) == []


def test_a_question_that_came_again_by_itself_after_a_loss_is_not_asked_twice() -> None:
    talk = seated()
    talk.update(public=round_view(leader=0), hand="02 13", ask=ask(1, "02 d -"))
    talk.hears(LOST, BACK)
    view = replace(after(round_view(leader=0), "02", "d"), turn=40, to_act=0)
    talk.update(public=view, hand="13", ask=ask(40, "d -"))
    assert talk.hears(Pong(2, len(talk.sent()))) == []


def test_who_is_not_asked_or_has_acted_is_not_asked_after_a_loss() -> None:
    talk = seated()
    talk.update(public=round_view(leader=0), hand="02 13", ask=ask(1, "02 d -"))
    talk.types("d")
    talk.hears(LOST, BACK)
    assert talk.hears(Pong(2, len(talk.sent()))) == []
    waiting = seated()
    waiting.update(public=round_view(leader=1), hand="02 13")
    waiting.hears(LOST, BACK)
    assert waiting.hears(Pong(2, len(waiting.sent()))) == []


def test_a_connection_that_ends_as_it_comes_back_is_told_of_by_its_news_alone() -> None:
    talk = seated()
    talk.conversation.desk.link = EndedLink(LinkNews(NewsKind.CLOSED, "It has ended."))
    assert talk.hears(BACK) == ["It is back."]
    assert not talk.conversation.desk.pending


def test_in_the_lobby_a_restart_is_only_told() -> None:
    talk = lobby()
    assert talk.hears(RESTARTED) == ["It was started again."]
    assert Ping(0) not in talk.sent()


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (NewsKind.CLOSED, ExitCode.UNREACHABLE),
        (NewsKind.REFUSED, ExitCode.REFUSED),
        (NewsKind.SUPERSEDED, ExitCode.REFUSED),
    ],
)
def test_the_end_of_the_link_is_the_end(kind: NewsKind, code: ExitCode) -> None:
    talk = seated()
    assert talk.hears(LinkNews(kind, "It is over.")) == ["It is over."]
    assert talk.over is code


def test_c48_a_sentence_of_the_link_is_harmless() -> None:
    talk = seated()
    (line,) = talk.hears(LinkNews(NewsKind.LOST, "gone\x1b[2J\nServer: hi"))
    assert line.isprintable()


def test_what_was_missed_comes_as_the_state_of_the_round() -> None:
    talk = seated()
    view = replace(after(round_view(leader=0), "06", "-", "d", "26>"), turn=40, to_act=0)
    lines = talk.update(public=view, hand="02 13", ask=ask(40, "02< d -"))
    assert lines == [
        "Round 3. Scores: you 37, Bo 12, Caro 44, Emil 20. The match is to 61.",
        "Train, 2 tiles: [0|6][6|2]. 0 left, 2 right.",
        "Bo 6 tiles, Caro 7, Emil 5, you 5. You to play.",
        "Your hand, 2 tiles, 6 pips: 0-2, 1-3.",
        "Your turn. Ends 0 left, 2 right. You can play 0-2 left, draw, or pass.",
    ]


def test_an_answer_that_is_given_again_is_not_told_again() -> None:
    talk = seated()
    event = acted(0, 25, "02<")
    assert talk.update(event, duplicate=True) == []


def test_an_update_older_than_what_is_known_is_not_told() -> None:
    talk = seated()
    view = replace(after(round_view(), "06", "d", "00<"), rev=9)
    talk.update(public=view, hand="02 13")
    assert talk.hears(Update(9, TABLE, 8, [acted(1, 20, "06")])) == []
    assert talk.conversation.desk.table is not None
    assert talk.conversation.desk.table.view == view
    assert talk.hears(Update(10, TABLE, 10, [acted(0, 23, "02<")])) != []


@pytest.mark.parametrize("rev", [8, 10])
def test_an_answer_to_join_replaces_no_newer_view(rev: int) -> None:
    talk = seated()
    known = replace(after(round_view(), "06", "d", "00<"), rev=9)
    talk.update(public=known, hand="02 13")
    talk.conversation.desk.send(Join(0, TABLE))
    answer = replace(round_view(), rev=rev)
    talk.hears(Update(9, TABLE, rev, [], re=talk.answers_last(), public=answer))
    assert talk.conversation.desk.table is not None
    assert talk.conversation.desk.table.view == (known if rev < known.rev else answer)
    assert talk.conversation.desk.pending == {}


def test_a_view_that_went_wrong_is_asked_for_anew() -> None:
    talk = seated()
    assert talk.update(acted(0, 25, "02<"), digest="0" * 16) == []
    assert talk.sent() == [Resync(0, 0)]


def test_messages_of_no_concern_are_let_be() -> None:
    talk = seated()
    assert talk.hears(Pong(1, 1), Goodbye(), Ok(9, 99)) == []
    assert Talk().update(acted(0, 1, "d")) == []


# --- watching -----------------------------------------------------------------------------------


def test_the_table_to_watch_is_found_in_the_lobby() -> None:
    talk = Talk(wanted="living room", to_the_end=True)
    talk.begins()
    assert talk.tables(*TWO) == []
    assert talk.sent()[-1] == Watch(0, "t2")
    lines = talk.update(public=round_view(), re=talk.answers_last())
    assert lines[0] == "Table kitchen. You are watching. To 61 points."
    assert talk.types("hand") == ["You are watching and hold no tiles."]
    assert talk.types("64>") == ["You are watching; Bo to play."]


def test_a_watcher_sees_no_hand_and_is_asked_nothing() -> None:
    talk = Talk()
    talk.sits(round_view(), hand=None)
    assert talk.update(acted(1, 20, "06")) == ["Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles."]
    said = talk.update(RoundBegan(4, 0, DealKind.SERVER, [6] * 4, 4, 2))
    assert said == ["Round 4. Dana leads. 6 tiles each, boneyard 4, 2 to draw. The server deals."]


def test_a_watcher_stays_to_the_end_without_a_keyboard() -> None:
    talk = Talk(wanted="", to_the_end=True)
    talk.sits(round_view(), hand=None)
    talk.conversation.end_of_input()
    assert talk.over is None
    talk.update(MatchEnded("target", [61, 0, 0, 0], 0))
    assert talk.over is ExitCode.DONE


def test_a_watcher_with_a_keyboard_may_see_another_match() -> None:
    talk = Talk(wanted="", to_the_end=True)
    talk.sits(round_view(), hand=None)
    talk.update(MatchEnded("target", [61, 0, 0, 0], 0))
    assert talk.over is None
    talk.conversation.end_of_input()
    assert talk.over is ExitCode.DONE


@pytest.mark.parametrize("wanted", ["attic", "3"])
def test_a_table_to_watch_that_is_not_there_is_the_end(wanted: str) -> None:
    talk = Talk(wanted=wanted, to_the_end=True)
    talk.begins()
    assert talk.tables(*TWO) == [f"There is no table {wanted!r} at this server."]
    assert talk.over is ExitCode.REFUSED


def test_without_any_table_to_watch_nobody_is_told_to_type() -> None:
    talk = Talk(wanted="", to_the_end=True)
    talk.begins()
    assert talk.tables() == ["There is no table to go to at this server."]
    assert talk.over is ExitCode.REFUSED


def test_a_table_to_watch_that_cannot_be_asked_for_is_the_end() -> None:
    talk = Talk(wanted="kitchen", to_the_end=True)
    talk.begins()
    talk.link.down = True
    assert talk.tables(*TWO) == ["The connection is down: that was not sent."]
    assert talk.over is ExitCode.UNREACHABLE


def test_a_table_that_takes_no_watcher_is_the_end() -> None:
    talk = Talk(wanted="kitchen", to_the_end=True)
    talk.begins()
    talk.tables(*TWO)
    assert talk.error(ErrorCode.TABLE_FULL) == ["No place is free at that table."]
    assert talk.over is ExitCode.REFUSED


def test_a_watched_table_that_is_lost_or_closed_is_the_end() -> None:
    talk = Talk(to_the_end=True)
    talk.sits(round_view(), hand=None)
    talk.hears(LinkNews(NewsKind.NEW_SESSION, "It has forgotten us."))
    assert talk.over is ExitCode.UNREACHABLE
    talk = Talk(to_the_end=True)
    talk.sits(round_view(), hand=None)
    talk.hears(Left(1, TABLE, "closed"))
    assert talk.over is ExitCode.DONE


def test_what_comes_after_the_end_is_not_told() -> None:
    talk = Talk(to_the_end=True)
    talk.sits(round_view(), hand=None)
    talk.conversation.end_of_input()
    lines = talk.update(MatchEnded("target", [61, 0, 0, 0], 0), StateChanged(TableState.CLOSED))
    assert lines[-1].startswith("Final scores: ")


# --- private tables -----------------------------------------------------------------------------


def private(*, to_the_end: bool = False) -> Talk:
    talk = Talk(private=True, to_the_end=to_the_end)
    talk.conversation.desk.send(Create(0, "Private table"))
    hand = None if to_the_end else ""
    assert talk.update(public=open_view(2), hand=hand, re=talk.answers_last()) == []
    talk.sent()
    return talk


def test_a_private_table_is_quiet_until_its_seats_are_filled_and_then_starts() -> None:
    talk = private()
    assert talk.update(SeatChanged(1, SeatInfo(SeatState.INVITED, "Bo"))) == []
    assert talk.sent() == []
    sitting = SeatChanged(1, taken("Bo", "careful"))
    assert talk.update(sitting, StateChanged(TableState.STARTING)) == []
    assert talk.sent() == [Start(0, TABLE)]
    assert talk.update(WatchersChanged(0)) == []
    assert talk.sent() == []
    talk.ok()
    said = talk.update(
        MatchBegan("m", 101), RoundBegan(1, 1, DealKind.SEEDED, [7, 7], 14, 12), hand="01"
    )
    assert said == [
        "The match begins: 2 seats, to 101 points.",
        "  Dana (you), seat 1",
        "  Bo (careful), seat 2",
        "Round 1. Bo leads. 7 tiles each, boneyard 14, 12 to draw. The deal comes from a seed.",
        "Your hand, 1 tile, 1 pip: 0-1.",
    ]


def test_a_watched_private_table_begins_by_itself() -> None:
    talk = private(to_the_end=True)
    said = talk.update(
        SeatChanged(1, taken("Bo", "careful")),
        StateChanged(TableState.STARTING),
        MatchBegan("m", 101),
        RoundBegan(1, 1, DealKind.SEEDED, [7, 7], 14, 12),
    )
    assert said[0] == "The match begins: 2 seats, to 101 points."
    assert talk.sent() == []


@pytest.mark.parametrize("word", ["leave", "quit", "q"])
def test_a_private_table_is_left_at_once(word: str) -> None:
    talk = private()
    talk.update(MatchBegan("m", 101), RoundBegan(1, 1, DealKind.SEEDED, [7, 7], 14, 12), hand="01")
    assert talk.types(word) == []
    assert talk.over is ExitCode.DONE
    assert talk.sent() == []


def test_a_private_table_that_closes_is_the_end() -> None:
    talk = private()
    assert talk.hears(Left(1, TABLE, "closed")) == []
    assert talk.over is ExitCode.DONE


def test_rules_are_printed_whole_or_by_clause() -> None:
    talk = lobby()
    whole = talk.types("rules")
    assert whole[0] == "The rules of the Passing Game"
    clauses = talk.types("rules r3.3")
    assert clauses
    assert all("R3.3" in line for line in clauses)
    assert talk.types("rules R99") == ["No clause has 'R99' in it; type rules for all of them."]


def test_the_log_goes_back_as_far_as_is_asked() -> None:
    talk = Talk()
    talk.sits(after(round_view(), "06", "d", "00<"), hand="02 13")
    assert len(talk.types("log")) == len(talk.types("log 999")) == 3
    assert len(talk.types("log 2")) == 2
    for text in ("0", "000", "1000", "-1", "two", "9" * 5_000):
        assert talk.types(f"log {text}") == ["Say how many actions, 1 to 999: log 8"]
