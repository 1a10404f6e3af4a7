"""The line: one session over connections that come and go, on a clock that the test moves."""

import itertools
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link import words
from passing_link.denials import (
    AccessDenied,
    KeyChanged,
    NotAdmitted,
)
from passing_link.line import (
    DIAL_S,
    FIRST_PAUSE_S,
    HELLO_S,
    LONGEST_PAUSE_S,
    STEADY_S,
    TELL_EVERY_S,
    Line,
    Phase,
)
from passing_link.news import (
    Item,
    LinkDown,
    LinkEnded,
    LinkNews,
    NewsKind,
    RequestFailed,
    RequestLost,
)
from passing_link.sentences import sentence
from passing_link.transport import Sign
from passing_protocol.codec import decode_client, encode
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.limits import Heartbeat
from passing_protocol.messages import (
    Act,
    Agent,
    Batch,
    Bye,
    ClientMessage,
    Error,
    Goodbye,
    Hello,
    Invited,
    Lobby,
    Ok,
    Ping,
    Pong,
    Ready,
    Resync,
    ServerMessage,
)
from passing_protocol.session import ClientSession
from passing_protocol.wire import ActionMessage
from tests.support.fake_server import HEARTBEAT, TOKEN, refused, welcome

PLACE = "table:28066"


class Bench:
    """Hold a line and play its socket, its server and its clock."""

    def __init__(self, choices: int = 1, *, secured: bool = False) -> None:
        self.now = 1000.0
        session = ClientSession("Ann", Agent("test", "1"))
        self.line = Line(session, PLACE, self.now, choices, secured=secured)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.line.tick(self.now)

    def wait_due(self) -> None:
        due = self.line.due
        assert due is not None
        self.now = max(self.now, due)
        self.line.tick(self.now)

    def sign(self, *signs: Sign) -> None:
        for sign in signs:
            self.line.notice(sign, self.now)

    def get(self, *messages: ServerMessage) -> None:
        for message in messages:
            self.line.take(encode(message), self.now)

    def sent(self) -> list[ClientMessage]:
        frames = list(self.line.outbox)
        self.line.outbox.clear()
        return [decode_client(frame) for frame in frames]

    def inbox(self) -> list[Item]:
        items = list(self.line.inbox)
        self.line.inbox.clear()
        return items

    def news(self) -> list[LinkNews]:
        return [item for item in self.inbox() if isinstance(item, LinkNews)]

    def kinds(self) -> list[NewsKind]:
        return [news.kind for news in self.news()]

    def dial(self) -> None:
        """Go from a pause to a hello that is sent."""
        self.expect(Phase.RESTING)
        self.wait_due()
        self.expect(Phase.DIALLING)
        self.sign(Sign.REACHED, Sign.AGREED)

    def open(
        self, *, resumed: bool = False, epoch: int = 1, heartbeat: Heartbeat = HEARTBEAT
    ) -> Hello:
        self.dial()
        (hello,) = self.sent()
        assert isinstance(hello, Hello)
        self.get(welcome(resumed=resumed, epoch=epoch, heartbeat=heartbeat))
        assert self.line.phase is Phase.OPEN
        return hello

    def expect(self, phase: Phase) -> None:
        assert self.line.phase is phase

    def lose(self) -> None:
        self.sign(Sign.CLOSED)
        assert self.line.phase is Phase.RESTING


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def opened(bench: Bench) -> Bench:
    bench.open()
    bench.inbox()
    return bench


# --- the first connection ----------------------------------------------------------------------


def test_the_first_attempt_is_due_at_once(bench: Bench) -> None:
    assert bench.line.due == bench.now
    bench.wait(0)
    assert bench.line.phase is Phase.DIALLING


def test_hello_goes_out_when_the_transport_agrees_and_not_before(bench: Bench) -> None:
    bench.wait(0)
    bench.sign(Sign.REACHED)
    assert bench.sent() == []
    bench.sign(Sign.AGREED)
    (hello,) = bench.sent()
    assert isinstance(hello, Hello)
    assert hello.resume is None
    assert bench.line.phase is Phase.GREETING


def test_the_first_welcome_opens_without_news(bench: Bench) -> None:
    bench.open()
    assert bench.inbox() == []


def test_nobody_listening_is_told_and_tried_again(bench: Bench) -> None:
    bench.wait(0)
    bench.sign(Sign.CLOSED)
    (news,) = bench.inbox()
    assert isinstance(news, LinkNews)
    assert news.kind is NewsKind.TRYING
    assert news.sentence.startswith(f"Nobody is listening at {PLACE}. Still trying")
    bench.open()


def test_a_server_that_stands_still_does_not_answer_and_is_tried_again(bench: Bench) -> None:
    bench.wait(0)
    bench.sign(Sign.REACHED, Sign.SILENT)
    (news,) = bench.inbox()
    assert isinstance(news, LinkNews)
    assert news.kind is NewsKind.TRYING
    assert news.sentence.startswith(f"{PLACE} takes the connection, but does not answer.")
    bench.open()


@pytest.mark.parametrize(
    ("signs", "words"),
    [
        ([Sign.REACHED, Sign.AGREED, Sign.CLOSED], "not a Passing Game server"),
    ],
)
def test_what_trying_again_cannot_mend_ends_a_line_that_was_never_open(
    bench: Bench, signs: Sequence[Sign], words: str
) -> None:
    bench.wait(0)
    bench.sign(*signs)
    assert bench.line.phase is Phase.ENDED
    assert bench.line.last_news is not None
    assert words in bench.line.last_news.sentence
    assert bench.line.due is None


@pytest.mark.parametrize("was_open", [False, True])
def test_a_server_that_does_not_let_us_in_ends_every_line(was_open: bool) -> None:
    bench = Bench(secured=True)
    if was_open:
        bench.open()
        bench.lose()
        bench.inbox()
    bench.wait_due()
    bench.sign(Sign.REACHED, Sign.NOT_LET_IN, Sign.CLOSED)
    assert bench.line.phase is Phase.ENDED
    assert isinstance(bench.line.denial, NotAdmitted)
    assert bench.sent() == []
    told = LinkNews(NewsKind.REFUSED, str(NotAdmitted(PLACE)), NotAdmitted.code)
    assert bench.inbox() == [told]


@pytest.mark.parametrize("was_open", [False, True])
def test_a_server_that_hangs_up_on_our_key_for_it_is_tried_with_pauses(was_open: bool) -> None:
    bench = Bench(secured=True)
    if was_open:
        bench.open()
        bench.lose()
        bench.inbox()
    began = bench.now
    for attempt in range(40):
        bench.wait_due()
        bench.sign(Sign.REACHED, Sign.NOT_ZMTP, Sign.CLOSED)
        bench.expect(Phase.RESTING)
        if attempt == 0:  # first it is looked into
            assert bench.inbox() == []
    assert set(bench.kinds()) == {NewsKind.TRYING}
    assert bench.now - began > 40  # s: a round a second at most, in the long run
    assert bench.line.trouble == bench.line.doubt == words.unproven(PLACE)
    bench.open(resumed=was_open)
    assert bench.line.doubt is None


HANG_UPS = [
    (Sign.NOT_ZMTP, False, "it is not a Passing Game server"),
    (Sign.CLOSED, False, "it is not a Passing Game server"),
    (Sign.OTHER_SECURITY, False, "it is not a Passing Game server"),
    (Sign.OTHER_SECURITY, True, "not as the server whose key is known here"),
    (Sign.NOT_ZMTP, True, "not as the server whose key is known here"),
    (Sign.CLOSED, True, "not as the server whose key is known here"),
]


@pytest.mark.parametrize(("sign", "secured", "said"), HANG_UPS)
def test_a_hang_up_that_nothing_explains_ends_a_line_that_was_never_open(
    sign: Sign, secured: bool, said: str
) -> None:
    bench = Bench(choices=2, secured=secured)
    bench.wait(0)
    bench.sign(Sign.REACHED, sign)
    bench.expect(Phase.RESTING)
    bench.wait(0)
    bench.sign(Sign.CLOSED)  # nobody is listening at the next number
    bench.line.settle(None)
    bench.expect(Phase.ENDED)
    assert bench.line.denial is None
    assert said in bench.news()[-1].sentence


@pytest.mark.parametrize("denial", [None, KeyChanged(PLACE)])
def test_a_hang_up_is_explained_to_a_line_that_has_hung_up_and_to_no_other(
    opened: Bench, denial: AccessDenied | None
) -> None:
    opened.line.settle(denial)
    opened.expect(Phase.OPEN)
    opened.lose()
    opened.line.settle(denial)
    opened.expect(Phase.RESTING)
    opened.wait_due()
    opened.sign(Sign.REACHED, Sign.NOT_ZMTP)
    opened.line.settle(denial)
    opened.expect(Phase.RESTING if denial is None else Phase.ENDED)
    opened.line.settle(denial)
    assert opened.line.denial is denial


def test_a_doubt_is_over_when_the_next_attempt_agrees(opened: Bench) -> None:
    opened.lose()
    opened.wait_due()
    opened.sign(Sign.REACHED, Sign.NOT_ZMTP)
    opened.dial()
    opened.line.settle(KeyChanged(PLACE))
    opened.expect(Phase.GREETING)


def test_what_is_known_of_the_way_is_said_where_nobody_was_reached(bench: Bench) -> None:
    bench.line.hint = sentence("Mind the gap.")
    bench.wait(0)
    bench.sign(Sign.CLOSED)
    assert bench.line.trouble == f"Nobody is listening at {PLACE}. Mind the gap."
    bench.wait_due()
    bench.wait(DIAL_S)
    assert bench.line.trouble == f"{PLACE} does not answer at all. Mind the gap."
    bench.wait_due()
    bench.sign(Sign.REACHED, Sign.SILENT)
    assert "gap" not in bench.line.trouble


def test_a_machine_that_does_not_answer_is_given_up_after_the_time_for_dialling(
    bench: Bench,
) -> None:
    bench.wait(0)
    bench.wait(DIAL_S - 0.01)
    bench.expect(Phase.DIALLING)
    bench.wait(0.01)
    bench.expect(Phase.RESTING)
    assert bench.line.trouble == f"{PLACE} does not answer at all."


def test_a_server_that_never_greets_is_none(bench: Bench) -> None:
    bench.dial()
    bench.wait(HELLO_S)
    assert bench.line.phase is Phase.ENDED
    assert "does not greet us" in bench.line.trouble


def test_a_server_that_sends_nonsense_is_none(bench: Bench) -> None:
    bench.dial()
    bench.line.take(b"\xc1nonsense", bench.now)
    assert bench.line.phase is Phase.ENDED
    assert "no message of this game" in bench.line.trouble


def test_a_refusal_ends_the_line_and_is_kept(bench: Bench) -> None:
    bench.dial()
    answer = refused(ErrorCode.VERSION, "This server speaks 7.")
    bench.get(answer)
    assert bench.line.phase is Phase.ENDED
    assert bench.line.refusal == answer
    assert bench.kinds() == [NewsKind.REFUSED]


def test_every_number_of_a_name_is_tried_before_there_is_a_pause() -> None:
    bench = Bench(choices=3)
    for _ in range(2):
        bench.wait(0)
        bench.sign(Sign.CLOSED)
        assert bench.line.due == bench.now
        assert bench.inbox() == []
    bench.wait(0)
    bench.sign(Sign.CLOSED)
    assert bench.line.due is not None
    assert bench.line.due > bench.now
    assert bench.kinds() == [NewsKind.TRYING]


# --- pauses --------------------------------------------------------------------------------------


@given(st.integers(1, 40))
def test_pauses_double_from_the_first_to_the_longest_and_are_jittered(failures: int) -> None:
    bench = Bench()
    for _ in range(failures):
        bench.wait_due()
        bench.sign(Sign.CLOSED)
    due = bench.line.due
    assert due is not None
    whole = min(FIRST_PAUSE_S * 2 ** (failures - 1), LONGEST_PAUSE_S)
    assert whole / 2 - 1e-6 <= due - bench.now <= whole + 1e-6


def test_jitter_differs() -> None:
    pauses: set[float] = set()
    for _ in range(8):
        bench = Bench()
        bench.wait(0)
        bench.sign(Sign.CLOSED)
        assert bench.line.due is not None
        pauses.add(bench.line.due)
    assert len(pauses) > 1


def test_after_a_connection_that_stood_pauses_are_short_again(bench: Bench) -> None:
    for _ in range(10):
        bench.wait_due()
        bench.sign(Sign.CLOSED)
    bench.open()
    bench.wait(STEADY_S)
    bench.lose()
    assert bench.line.due is not None
    assert bench.line.due - bench.now <= FIRST_PAUSE_S


def test_a_server_that_cuts_us_each_time_is_asked_with_longer_and_longer_pauses(
    bench: Bench,
) -> None:
    for _ in range(10):
        bench.open()
        bench.lose()
    assert bench.line.due is not None
    assert bench.line.due - bench.now >= LONGEST_PAUSE_S / 2


def test_clients_are_back_within_three_seconds_of_the_server() -> None:
    assert LONGEST_PAUSE_S < 3


@given(st.integers(20, 60))
def test_it_is_told_now_and_then_that_the_line_is_trying(failures: int) -> None:
    bench = Bench()
    told: list[float] = []
    for _ in range(failures):
        bench.wait_due()
        bench.sign(Sign.CLOSED)
        told += [bench.now for _ in bench.kinds()]
    assert told[0] == 1000.0
    gaps = [later - earlier for earlier, later in itertools.pairwise(told)]
    assert all(gap >= TELL_EVERY_S for gap in gaps)
    assert bench.now - told[-1] < TELL_EVERY_S + LONGEST_PAUSE_S


# --- pings ---------------------------------------------------------------------------------------


@given(st.integers(100, 60_000))
def test_a_silent_client_is_heard_within_every_heartbeat_interval(interval_ms: int) -> None:
    bench = Bench()
    bench.open(heartbeat=Heartbeat(interval_ms, interval_ms * 3))
    last = bench.now
    for _ in range(10):
        bench.wait_due()
        (ping,) = bench.sent()
        assert isinstance(ping, Ping)
        assert bench.now - last < interval_ms / 1000
        last = bench.now
        bench.get(Pong(0, ping.id))
    assert bench.inbox() == []


def test_requests_count_as_a_sign_of_life(opened: Bench) -> None:
    due = opened.line.due
    assert due is not None
    opened.now = due - 0.1
    opened.line.send(Lobby(0), opened.now)
    assert opened.line.due is not None
    assert opened.line.due > due


def test_a_pong_to_a_ping_of_the_users_is_the_users(opened: Bench) -> None:
    number = opened.line.send(Ping(0), opened.now)
    opened.get(Pong(0, number))
    assert opened.inbox() == [Pong(0, number)]


def test_a_server_that_falls_silent_is_lost(opened: Bench) -> None:
    heartbeat = 10.0
    start = opened.now
    while opened.line.phase is Phase.OPEN:
        opened.wait_due()
        assert opened.now <= start + heartbeat
    assert opened.now == start + heartbeat
    (news,) = opened.inbox()
    assert isinstance(news, LinkNews)
    assert (news.kind, "silent" in news.sentence) == (NewsKind.LOST, True)


# --- requests ------------------------------------------------------------------------------------


def test_an_answer_that_is_waited_for_is_not_in_the_inbox(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    (ready,) = opened.sent()
    assert isinstance(ready, Ready)
    assert ready.id == number
    assert opened.line.answer(number) is None
    opened.get(Ok(1, number))
    assert opened.line.answer(number) == Ok(1, number)
    assert opened.inbox() == []


def test_an_error_is_raised_with_the_servers_words(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.get(Error(1, ErrorCode.NOT_SEATED, "You have no place here.", False, re=number))
    with pytest.raises(RequestFailed, match=r"You have no place here\.") as failed:
        opened.line.answer(number)
    assert failed.value.code is ErrorCode.NOT_SEATED


def test_a_forgotten_answer_goes_to_the_inbox(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.line.forget(number)
    opened.get(Ok(1, number))
    assert opened.inbox() == [Ok(1, number)]


def test_what_nobody_waits_for_goes_to_the_inbox_in_order(opened: Bench) -> None:
    number = opened.line.send(Ready(0, "t1"), opened.now)
    opened.get(Invited(1, "t2", 0, 10_000), Ok(2, number))
    assert opened.inbox() == [Invited(1, "t2", 0, 10_000), Ok(2, number)]


def test_a_gap_is_closed_by_the_line_itself(opened: Bench) -> None:
    opened.get(Invited(1, "t1", 0, 10_000), Invited(3, "t3", 0, 10_000))
    assert opened.inbox() == [Invited(1, "t1", 0, 10_000)]
    (resync,) = opened.sent()
    assert isinstance(resync, Resync)
    assert resync.seq == 1
    opened.get(Invited(2, "t2", 0, 10_000))
    assert [m for m in opened.inbox() if isinstance(m, Invited)] == [
        Invited(2, "t2", 0, 10_000),
        Invited(3, "t3", 0, 10_000),
    ]


def test_nothing_is_taken_while_the_connection_is_down(opened: Bench) -> None:
    opened.lose()
    with pytest.raises(LinkDown, match="nothing was sent"):
        opened.line.send(Ready(0, "t1"), opened.now)
    with pytest.raises(LinkDown):
        opened.line.ask(Ready(0, "t1"), opened.now)
    opened.open(resumed=True)
    assert opened.sent() == []


# --- a lost connection ---------------------------------------------------------------------------


def test_c26_an_unanswered_request_is_sent_again_with_its_own_id(opened: Bench) -> None:
    act = Act(0, "t1", 7, ActionMessage(play="46", end="left"))
    number = opened.line.ask(act, opened.now)
    first = opened.sent()
    opened.lose()
    hello = opened.open(resumed=True)
    assert hello.resume is not None
    assert hello.resume.token == TOKEN
    assert opened.sent() == first
    opened.get(Ok(1, number))
    assert opened.line.answer(number) == Ok(1, number)


def test_a_time_is_told_only_when_it_lasted() -> None:
    assert words.trying("Nobody is there.", 0.4) == "Nobody is there. Still trying."
    assert words.trying("Nobody is there.", 7) == "Nobody is there. Still trying, for 7 s now."
    assert words.back("den", 0.9, restarted=False) == "The connection to den is back."
    assert words.back("den", 3.2, restarted=False) == "The connection to den is back after 3 s."


def test_a_resumed_session_is_told_as_back(opened: Bench) -> None:
    opened.lose()
    opened.open(resumed=True)
    assert opened.kinds() == [NewsKind.LOST, NewsKind.BACK]


def test_a_session_that_goes_on_in_another_life_of_the_server_is_told_as_such(
    opened: Bench,
) -> None:
    opened.lose()
    opened.open(resumed=True, epoch=2)
    lost, back = opened.news()
    assert (lost.kind, back.kind) == (NewsKind.LOST, NewsKind.RESTARTED)
    assert "was started again and goes on where it was" in back.sentence
    opened.lose()
    opened.open(resumed=True, epoch=2)
    assert opened.kinds() == [NewsKind.LOST, NewsKind.BACK]


def test_an_answered_request_is_not_sent_again(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.get(Ok(1, number))
    opened.sent()
    opened.lose()
    hello = opened.open(resumed=True)
    assert hello.resume is not None
    assert hello.resume.seq == 1
    assert opened.sent() == []


def test_a_new_session_loses_what_was_asked_in_the_old(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.sent()
    opened.lose()
    opened.open(resumed=False)
    assert opened.kinds() == [NewsKind.LOST, NewsKind.NEW_SESSION]
    assert opened.sent() == []
    with pytest.raises(RequestLost, match="nobody can tell"):
        opened.line.answer(number)


def test_an_answer_that_came_before_the_loss_is_not_lost(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.get(Ok(1, number))
    opened.lose()
    opened.open(resumed=False)
    assert opened.line.answer(number) == Ok(1, number)


def test_what_waits_to_be_sent_is_dropped_with_the_connection(opened: Bench) -> None:
    opened.line.send(Ready(0, "t1"), opened.now)
    opened.lose()
    assert opened.sent() == []


def test_an_open_line_goes_on_trying_whatever_answers_meanwhile(opened: Bench) -> None:
    opened.lose()
    for signs in ([Sign.REACHED, Sign.NOT_ZMTP], [Sign.REACHED, Sign.AGREED, Sign.CLOSED]):
        opened.wait_due()
        opened.sign(*signs)
        assert opened.line.phase is Phase.RESTING
    opened.open(resumed=True)


def test_nonsense_costs_an_open_line_its_connection_only(opened: Bench) -> None:
    opened.line.take(b"\xc1", opened.now)
    assert opened.line.phase is Phase.RESTING
    opened.open(resumed=True)
    assert opened.kinds() == [NewsKind.LOST, NewsKind.BACK]


def test_a_server_that_has_forgotten_the_connection_is_greeted_anew(opened: Bench) -> None:
    opened.get(refused(ErrorCode.NOT_ADMITTED, "Say hello first."))
    assert opened.line.phase is Phase.RESTING
    assert opened.open(resumed=True).resume is not None


@pytest.mark.parametrize("code", [code for code in ErrorCode if MEANINGS[code].retry])
def test_a_refusal_that_may_pass_is_tried_again_once_the_line_was_open(
    opened: Bench, code: ErrorCode
) -> None:
    opened.lose()
    opened.dial()
    opened.get(refused(code))
    assert opened.line.phase is Phase.RESTING
    opened.sent()
    opened.open(resumed=True)


@pytest.mark.parametrize("code", [ErrorCode.VERSION, ErrorCode.NOT_ADMITTED, ErrorCode.BAD_CODE])
def test_a_refusal_that_will_not_pass_ends_the_line(opened: Bench, code: ErrorCode) -> None:
    opened.lose()
    opened.dial()
    opened.get(refused(code))
    assert opened.line.phase is Phase.ENDED
    assert opened.kinds() == [NewsKind.LOST, NewsKind.REFUSED]


# --- the end -------------------------------------------------------------------------------------


def test_superseded_is_final(opened: Bench) -> None:
    number = opened.line.ask(Ready(0, "t1"), opened.now)
    opened.get(Goodbye(ErrorCode.SUPERSEDED, "A newer connection."))
    assert opened.line.phase is Phase.ENDED
    assert opened.kinds() == [NewsKind.SUPERSEDED]
    assert opened.line.due is None
    opened.wait(100)
    opened.sign(Sign.CLOSED)
    assert opened.line.phase is Phase.ENDED
    with pytest.raises(LinkEnded, match="another connection"):
        opened.line.answer(number)
    with pytest.raises(LinkEnded):
        opened.line.send(Ready(0, "t1"), opened.now)


@pytest.mark.parametrize("code", [ErrorCode.DRAINING, ErrorCode.DISK])
def test_a_server_that_has_said_goodbye_for_a_while_is_waited_for(
    opened: Bench, code: ErrorCode
) -> None:
    opened.get(Goodbye(code, "The server is stopped."))
    (news,) = opened.inbox()
    assert isinstance(news, LinkNews)
    assert (news.kind, news.code) == (NewsKind.LOST, code)
    assert "The server is stopped." in news.sentence
    assert opened.open(resumed=True).resume is not None


def test_the_answer_to_bye_ends_the_line(opened: Bench) -> None:
    number = opened.line.ask(Bye(0), opened.now)
    opened.get(Goodbye(re=number))
    assert opened.line.answer(number) == Goodbye(re=number)
    assert opened.kinds() == [NewsKind.CLOSED]


def test_what_stands_before_a_goodbye_in_one_frame_still_arrives(opened: Bench) -> None:
    items = [Invited(1, "t1", 0, 10_000), Goodbye(ErrorCode.SUPERSEDED)]
    opened.get(Batch([msgspec.Raw(encode(item)) for item in items]))
    first, news = opened.inbox()
    assert first == items[0]
    assert isinstance(news, LinkNews)
    assert news.kind.final


def test_frames_of_a_connection_that_is_given_up_are_not_taken(opened: Bench) -> None:
    opened.lose()
    opened.inbox()
    opened.get(Invited(1, "t1", 0, 10_000))
    assert opened.inbox() == []


# --- whatever happens ----------------------------------------------------------------------------

HAPPENINGS = st.sampled_from(
    ["due", "wait", "reached", "agreed", "closed", "not_zmtp", "welcome", "resumed", "pong",
     "draining", "nonsense", "send"]
)  # fmt: skip


def happen(bench: Bench, happening: str) -> None:
    match happening:
        case "due":
            bench.wait_due()
        case "wait":
            bench.wait(0.7)
        case "agreed" if bench.line.phase is not Phase.DIALLING:
            pass
        case "reached" | "agreed" | "closed" | "not_zmtp":
            bench.sign(Sign(happening))
        case "send" if bench.line.phase is Phase.OPEN:
            bench.line.send(Lobby(0), bench.now)
        case _:
            bench.line.take(FRAMES.get(happening, b""), bench.now)


FRAMES = {
    "welcome": encode(welcome()),
    "resumed": encode(welcome(resumed=True)),
    "pong": encode(Pong(0, 1)),
    "draining": encode(Goodbye(ErrorCode.DRAINING)),
    "nonsense": b"\xc1",
}


@given(st.lists(HAPPENINGS, max_size=60))
def test_whatever_happens_the_line_is_due_again_and_not_late(happenings: list[str]) -> None:
    bench = Bench()
    bench.open()
    for happening in happenings:
        happen(bench, happening)
        bench.sent()
        assert bench.line.phase is not Phase.ENDED
        assert bench.line.due is not None
        assert bench.line.due <= bench.now + 10
