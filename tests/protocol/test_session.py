"""The states of both ends, and the client's session over good, bad and hostile connections."""

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from passing_protocol import session as sessions
from passing_protocol.codec import decode_client, decode_server, encode
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.limits import REPLAY_LENGTH
from passing_protocol.messages import (
    Act,
    Agent,
    Bye,
    Caps,
    Chat,
    ClientMessage,
    Error,
    Goodbye,
    Hello,
    Invited,
    Join,
    Leave,
    Lobby,
    Ok,
    Ping,
    Pong,
    Refused,
    Request,
    Resync,
    ServerMessage,
    Tables,
    Update,
    Watch,
)
from passing_protocol.session import AGAIN_AT_ONCE, ClientSession
from passing_protocol.session_states import (
    CLIENT_TYPES,
    NEWS_TYPES,
    REQUEST_TYPES,
    TRANSITIONS,
    ClientState,
    LocalProtocolError,
    RemoteProtocolError,
    ServerState,
    advance,
)
from tests.support.protocol.samples import PASS, PUBLIC, SERVER, WELCOME, batch

AGENT = Agent("test", "1.0")


def message_type(message: Struct) -> str:
    return str(message.__struct_config__.tag)


# --- the table of transitions -----------------------------------------------------------------

EVERY_TYPE = sorted(CLIENT_TYPES | {message_type(message) for message in SERVER.values()})


@pytest.mark.parametrize("kind", EVERY_TYPE)
@pytest.mark.parametrize("state", [*ClientState])
def test_a_client_goes_where_the_table_says_or_names_who_is_wrong(
    state: ClientState, kind: str
) -> None:
    following = TRANSITIONS[ClientState][state].get(kind)
    if following is not None:
        assert advance(state, kind) is following
    else:
        wrong = LocalProtocolError if kind in CLIENT_TYPES else RemoteProtocolError
        with pytest.raises(wrong, match=f"{kind} has no place in state {state}") as caught:
            advance(state, kind)
        assert caught.value.code is ErrorCode.MALFORMED


@pytest.mark.parametrize("kind", EVERY_TYPE)
@pytest.mark.parametrize("state", [*ServerState])
def test_a_server_goes_where_the_table_says_or_names_who_is_wrong(
    state: ServerState, kind: str
) -> None:
    following = TRANSITIONS[ServerState][state].get(kind)
    if following is not None:
        assert advance(state, kind) is following
    else:
        wrong = RemoteProtocolError if kind in CLIENT_TYPES else LocalProtocolError
        with pytest.raises(wrong, match=f"{kind} has no place in state {state}"):
            advance(state, kind)


@pytest.mark.parametrize("kind", sorted(REQUEST_TYPES))
def test_a_request_before_hello_is_not_admitted(kind: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        advance(ServerState.AWAITING, kind)
    assert caught.value.code is ErrorCode.NOT_ADMITTED


def test_every_state_can_be_reached_and_every_type_is_known() -> None:
    for end, first in ((ClientState, ClientState.IDLE), (ServerState, ServerState.AWAITING)):
        table = TRANSITIONS[end]
        reached = {first, *(after for row in table.values() for after in row.values())}
        assert reached == set(end)
        assert set(table) == set(end)
        assert {kind for row in table.values() for kind in row} <= set(EVERY_TYPE)
    assert not CLIENT_TYPES & NEWS_TYPES


# --- two ends over a link that the test holds in its hands ------------------------------------


class ServerEnd:
    """Keep the server's end of one session, over one connection after the other."""

    def __init__(self, epoch: int = 1) -> None:
        self.state = ServerState.AWAITING
        self.epoch = epoch
        self.seq = 0
        self.tokens = 0
        self.hello: Hello | None = None
        self.heard: list[ClientMessage] = []
        self.sent: deque[tuple[int, bytes]] = deque(maxlen=REPLAY_LENGTH)

    def new_connection(self) -> None:
        self.state = ServerState.AWAITING

    def receive(self, data: bytes) -> list[bytes]:
        message = decode_client(data)
        self.state = advance(self.state, message_type(message))
        self.heard.append(message)
        if isinstance(message, Hello):
            return self.greet(message)
        if isinstance(message, Resync):
            missed = self.after(message.seq)
            if message.seq == 0:
                missed += self.after(None)
            return [*missed, self.post(Ok(0, message.id))]
        return []

    def greet(self, hello: Hello) -> list[bytes]:
        self.hello = hello
        self.tokens += 1
        self.state = advance(self.state, "welcome")
        token = f"{self.tokens:032}"
        resumed = hello.resume is not None and hello.resume.token == f"{self.tokens - 1:032}"
        welcome = encode(replace(WELCOME, epoch=self.epoch, resume_token=token, resumed=resumed))
        if not resumed:
            self.seq = 0
            self.sent.clear()
            return [welcome]
        assert hello.resume is not None
        same = hello.resume.epoch == self.epoch
        return [welcome, *self.after(hello.resume.seq if same else None)]

    def after(self, seq: int | None) -> list[bytes]:
        """Return the messages after `seq`, or a snapshot where they are not all kept."""
        if seq is not None and self.seq - len(self.sent) <= seq:
            return [data for number, data in self.sent if number > seq]
        return [self.post(Update(0, "t1", 40, [], public=PUBLIC))]

    def post(self, message: Ok | Error | Update | Invited | Tables) -> bytes:
        """Give a message its number and keep it."""
        self.seq += 1
        self.state = advance(self.state, message_type(message))
        data = encode(replace(message, seq=self.seq))
        self.sent.append((self.seq, data))
        return data

    def news(self) -> bytes:
        return self.post(Update(0, "t1", self.seq, []))


class Pair:
    """Hold a client and a server's end; what is sent arrives at once unless the test drops it."""

    def __init__(self, caps: Caps | None = None, token: str | None = None) -> None:
        self.server = ServerEnd()
        self.client = ClientSession("Ann", AGENT, caps, token)
        self.handed_out: list[ServerMessage] = []

    def connect(self) -> None:
        self.server.new_connection()
        self.up(self.client.connect())

    def up(self, data: bytes) -> None:
        for answer in self.server.receive(data):
            self.down(answer)

    def down(self, data: bytes) -> None:
        self.handed_out += self.client.receive(data)
        for waiting in self.client.outgoing():
            self.up(waiting)

    def ask(self, request: Request) -> int:
        number, data = self.client.request(request)
        self.up(data)
        return number

    @property
    def seqs(self) -> list[int]:
        return [seq for m in self.handed_out if (seq := getattr(m, "seq", None)) is not None]


def for_each(take: Callable[[bytes], object], frames: list[bytes]) -> None:
    for data in frames:
        take(data)


@pytest.fixture
def pair() -> Pair:
    pair = Pair()
    pair.connect()
    return pair


# --- the handshake ----------------------------------------------------------------------------


def test_hello_says_who_the_client_is_and_welcome_opens_the_session() -> None:
    pair = Pair(Caps("on_join", 8), "0123456789abcdef")
    assert (pair.client.state, pair.client.epoch, pair.client.welcome) == ("idle", 0, None)
    pair.connect()
    assert pair.server.hello == Hello((0, 0), "Ann", AGENT, Caps("on_join", 8), "0123456789abcdef")
    assert (pair.client.state, pair.client.epoch, pair.client.seq) == ("open", 1, 0)
    assert pair.handed_out == [pair.client.welcome]


def test_a_client_without_caps_has_the_defaults(pair: Pair) -> None:
    assert pair.server.hello is not None
    assert pair.server.hello.caps == Caps()


def test_refused_closes_and_hello_may_be_said_again() -> None:
    client = ClientSession("Ann", AGENT)
    client.connect()
    refused = Refused(ErrorCode.DRAINING, "Come back later.", (0, 0))
    assert client.receive(encode(refused)) == [refused]
    assert client.state is ClientState.CLOSED
    assert decode_client(client.connect()) == Hello((0, 0), "Ann", AGENT)


def test_a_server_that_forgot_the_connection_hears_hello_with_the_session(pair: Pair) -> None:
    refused = Refused(ErrorCode.NOT_ADMITTED, "Say hello first.", (0, 0))
    pair.down(encode(refused))
    assert pair.client.state is ClientState.CLOSED
    pair.connect()
    assert pair.client.welcome is not None
    assert pair.client.welcome.resumed


# --- requests and answers ---------------------------------------------------------------------


def test_requests_get_the_ids_1_2_3(pair: Pair) -> None:
    assert [pair.ask(Join(0, "t1")), pair.ask(Lobby(0)), pair.ask(Ping(0))] == [1, 2, 3]
    assert pair.server.heard[1:] == [Join(1, "t1"), Lobby(2), Ping(3)]


def test_a_request_without_a_session_is_a_local_error() -> None:
    client = ClientSession("Ann", AGENT)
    with pytest.raises(LocalProtocolError, match="lobby has no place in state idle"):
        client.request(Lobby(0))
    client.connect()
    with pytest.raises(LocalProtocolError, match="lobby has no place in state greeting"):
        client.request(Lobby(0))
    assert client.unanswered == []


@pytest.mark.parametrize(
    "answer",
    [
        Ok(0, 1),
        Error(0, ErrorCode.FULL, MEANINGS[ErrorCode.FULL].sentence, True, re=1),
        Update(0, "t1", 1, [], re=1),
        Tables(0, 1, [], []),
    ],
    ids=message_type,
)
def test_an_answer_answers(pair: Pair, answer: Ok | Error | Update | Tables) -> None:
    pair.ask(Join(0, "t1"))
    assert pair.client.unanswered == [encode(Join(1, "t1"))]
    pair.down(pair.server.post(answer))
    assert pair.client.unanswered == []


def test_pong_answers_ping(pair: Pair) -> None:
    pair.ask(Ping(0))
    pair.down(encode(Pong(0, 1)))
    assert pair.handed_out[-1] == Pong(0, 1)
    assert pair.client.outgoing() == []


def test_an_answer_to_what_was_never_asked_is_a_remote_error(pair: Pair) -> None:
    with pytest.raises(RemoteProtocolError, match="re: 1: the last request is 0"):
        pair.down(pair.server.post(Ok(0, 1)))
    with pytest.raises(RemoteProtocolError, match="re: 7"):
        pair.down(encode(Pong(0, 7)))


UNASKED_NEWS = [
    "invited",
    "left, closed",
    "contribute",
    "tips",
    "link_wanted",
]


@pytest.mark.parametrize("name", UNASKED_NEWS)
def test_news_that_nobody_asked_for_is_handed_out_and_settles_nothing(
    pair: Pair, name: str
) -> None:
    pair.ask(Lobby(0))
    news = replace(SERVER[name], seq=1)
    pair.down(encode(news))
    assert pair.handed_out[-1] == news
    assert pair.client.seq == 1
    assert pair.client.unanswered == [encode(Lobby(1))]


def test_unasked_news_are_all_of_the_numbered_messages_without_re() -> None:
    assert {message_type(SERVER[name]) for name in UNASKED_NEWS} == {
        message_type(message)
        for message in SERVER.values()
        if "re" not in message.__struct_fields__ and "seq" in message.__struct_fields__
    }


def test_a_session_does_not_enrol() -> None:
    client = ClientSession("Ann", AGENT)
    client.connect()
    with pytest.raises(RemoteProtocolError, match="enrolled has no place in state greeting"):
        client.receive(encode(SERVER["enrolled as player"]))


def test_a_batch_is_handed_out_in_order(pair: Pair) -> None:
    frames = [pair.server.news(), pair.server.news(), encode(Pong(2, 0))]
    messages = [message for frame in frames for message in decode_server(frame)]
    pair.down(batch(*messages))
    assert pair.handed_out[1:] == messages
    assert pair.client.seq == 2


# --- gaps -------------------------------------------------------------------------------------


def test_a_repeated_message_is_dropped(pair: Pair) -> None:
    first, second = pair.server.news(), pair.server.news()
    for data in (first, second, first, second, second):
        pair.down(data)
    assert pair.seqs == [1, 2]


def test_a_gap_is_filled_by_a_resync_before_anything_later_is_handed_out(pair: Pair) -> None:
    frames = [pair.server.news() for _ in range(4)]
    pair.down(frames[0])
    assert pair.client.receive(frames[2]) == []
    assert pair.client.receive(frames[3]) == []
    (resync,) = pair.client.outgoing()
    assert decode_client(resync) == Resync(1, 1)
    pair.up(resync)
    assert pair.seqs == [1, 2, 3, 4, 5]
    assert pair.handed_out[-1] == Ok(5, 1)
    assert pair.client.outgoing() == []


def test_a_message_that_comes_late_fills_the_gap_by_itself(pair: Pair) -> None:
    one, two, three = pair.server.news(), pair.server.news(), pair.server.news()
    for data in (two, three, one):
        pair.handed_out += pair.client.receive(data)
    assert pair.seqs == [1, 2, 3]


def test_a_pong_shows_that_the_last_message_is_missing(pair: Pair) -> None:
    pair.server.news()
    pair.down(encode(Pong(1, 0)))
    assert pair.seqs[-3:] == [1, 2, 3]
    assert pair.server.heard[-1] == Resync(1, 0)


def test_what_the_server_keeps_no_more_is_covered_by_a_snapshot(pair: Pair) -> None:
    pair.down(pair.server.news())
    for _ in range(REPLAY_LENGTH + 5):
        pair.server.news()
    last = pair.server.news()
    pair.down(last)
    snapshot = pair.server.seq - 1
    assert pair.seqs == [1, snapshot - 1, snapshot, snapshot + 1]
    assert isinstance(pair.handed_out[-2], Update)
    assert pair.handed_out[-2].public == PUBLIC
    pair.down(pair.server.news())
    assert pair.seqs[-1] == pair.server.seq
    assert pair.client.outgoing() == []


def test_an_answer_lost_for_good_is_asked_for_again_by_its_request(pair: Pair) -> None:
    """The server keeps the answer under its old number."""
    pair.ask(Leave(0, "t1"))
    lost = pair.server.post(Ok(0, 1, "t1"))
    for _ in range(REPLAY_LENGTH + 5):
        pair.server.news()
    assert pair.client.receive(pair.server.news()) == []
    (resync,) = pair.client.outgoing()
    for data in pair.server.receive(resync):
        pair.client.receive(data)
    assert pair.client.outgoing() == [encode(Leave(1, "t1"))]
    seq = pair.client.seq
    assert pair.client.receive(lost) == [Ok(1, 1, "t1")]
    assert pair.client.receive(lost) == []
    assert (pair.client.seq, pair.client.unanswered) == (seq, [])


def test_a_snapshot_can_be_asked_for_at_any_time(pair: Pair) -> None:
    pair.down(pair.server.news())
    pair.ask(Resync(0, 0))
    assert pair.seqs == [1, 2, 3]


def test_a_refused_resync_is_asked_for_again_at_the_next_message(pair: Pair) -> None:
    pair.server.news()
    assert pair.client.receive(pair.server.news()) == []
    assert len(pair.client.outgoing()) == 1
    limited = Error(0, ErrorCode.RATE_LIMITED, "Too many messages.", True, re=1)
    assert pair.client.receive(pair.server.post(limited)) == []
    assert pair.client.outgoing() == []
    pair.down(pair.server.news())
    assert pair.seqs == [1, 2, 3, 4, 5, 6]
    assert pair.client.unanswered == []


def test_a_gap_that_is_never_filled_is_a_remote_error(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "HELD_LIMIT", 1_000)
    pair.server.news()
    frames = [pair.server.news() for _ in range(100)]
    with pytest.raises(RemoteProtocolError, match="A gap in seq was never filled"):
        for_each(pair.client.receive, frames)


def test_what_waits_in_a_gap_counts_with_its_own_bytes_and_once(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.server.news()
    frames = [pair.server.news() for _ in range(20)]
    monkeypatch.setattr(sessions, "HELD_LIMIT", sum(map(len, frames)))
    messages = [message for frame in frames for message in decode_server(frame)]
    for _ in range(3):
        assert pair.client.receive(batch(*messages)) == []
    with pytest.raises(RemoteProtocolError, match="A gap in seq was never filled"):
        pair.client.receive(pair.server.news())


def test_what_a_late_message_has_freed_counts_no_more(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [pair.server.news() for _ in range(40)]
    monkeypatch.setattr(sessions, "HELD_LIMIT", 2 * len(frames[-1]))
    for late, early in zip(frames[::2], frames[1::2], strict=True):
        pair.handed_out += pair.client.receive(early)
        pair.handed_out += pair.client.receive(late)
    assert pair.seqs == list(range(1, 41))


@given(st.lists(st.sampled_from(["pass", "drop", "twice", "swap"]), max_size=40))
def test_over_a_link_that_loses_repeats_and_reorders_every_message_comes_once(
    fates: list[str],
) -> None:
    pair = Pair()
    pair.connect()
    swapped: list[bytes] = []
    for fate in fates:
        data = pair.server.news()
        if fate == "swap":
            swapped.append(data)
            continue
        for _ in range({"pass": 1, "drop": 0, "twice": 2}[fate]):
            pair.down(data)
        while swapped:
            pair.down(swapped.pop())
    pair.down(pair.server.news())
    assert pair.seqs == list(range(1, pair.server.seq + 1))


# --- connections that are lost ----------------------------------------------------------------


def test_the_session_goes_on_where_it_was(pair: Pair) -> None:
    pair.down(pair.server.news())
    pair.server.news()
    lost = pair.client.request(Act(0, "t1", 3, PASS))
    pair.client.request(Ping(0))
    pair.connect()
    resume = pair.server.hello.resume if pair.server.hello else None
    assert resume is not None
    assert (resume.token, resume.epoch, resume.seq) == (f"{1:032}", 1, 1)
    assert pair.client.welcome is not None
    assert pair.client.welcome.resumed
    assert pair.seqs == [1, 2]
    assert pair.client.dropped == ()
    assert pair.client.unanswered == [lost[1]]
    assert pair.ask(Leave(0, "t1")) == 3


def test_what_was_not_answered_is_sent_again_in_portions_that_a_server_can_bear(
    pair: Pair,
) -> None:
    """A client that was cut for asking too much would else be cut for that again and again."""
    lost = [pair.client.request(Lobby(0)) for _ in range(AGAIN_AT_ONCE + 40)]
    numbers = [number for number, _ in lost]
    pair.server.heard.clear()
    pair.connect()
    assert [m.id for m in pair.server.heard[1:] if isinstance(m, Lobby)] == numbers[:AGAIN_AT_ONCE]
    pair.server.heard.clear()
    pair.down(pair.server.post(Tables(0, numbers[0], [], [])))
    pair.down(pair.server.post(Tables(0, numbers[AGAIN_AT_ONCE + 1], [], [])))
    again = [m.id for m in pair.server.heard if isinstance(m, Lobby)]
    assert again == [numbers[AGAIN_AT_ONCE], numbers[AGAIN_AT_ONCE + 2]]


def test_what_was_not_answered_is_sent_again_from_the_first_on_another_connection(
    pair: Pair,
) -> None:
    lost = [pair.client.request(Lobby(0))[0] for _ in range(AGAIN_AT_ONCE + 1)]
    pair.connect()
    pair.server.heard.clear()
    pair.connect()
    assert [m.id for m in pair.server.heard[1:] if isinstance(m, Lobby)] == lost[:AGAIN_AT_ONCE]


def test_nothing_is_sent_again_that_an_answer_has_come_for_meanwhile(pair: Pair) -> None:
    lost = [pair.client.request(Lobby(0))[0] for _ in range(AGAIN_AT_ONCE + 2)]
    pair.connect()
    pair.server.heard.clear()
    late = [pair.server.post(Tables(0, n, [], [])) for n in (lost[-1], lost[-2], lost[0])]
    for_each(pair.down, late)
    assert [m.id for m in pair.server.heard if isinstance(m, Lobby)] == [lost[-2]]


def test_c26_an_answer_that_was_lost_comes_with_the_resumed_session(pair: Pair) -> None:
    """The action counted, its answer was lost: it is not asked for again."""
    pair.ask(Act(0, "t1", 3, PASS))
    answer = pair.server.post(Update(0, "t1", 9, [], re=1))
    pair.connect()
    assert pair.handed_out[-1] == decode_server(answer)[0]
    assert pair.client.unanswered == []


def test_each_welcome_brings_a_new_token(pair: Pair) -> None:
    pair.connect()
    pair.connect()
    resume = pair.server.hello.resume if pair.server.hello else None
    assert resume is not None
    assert resume.token == f"{2:032}"


def test_a_connection_lost_before_welcome_names_the_same_session_again(pair: Pair) -> None:
    first, second = pair.client.connect(), pair.client.connect()
    assert first == second


def test_a_new_session_drops_and_reports_what_was_not_answered(pair: Pair) -> None:
    pair.down(pair.server.news())
    pair.client.request(Join(0, "t1"))
    pair.client.request(Watch(0, "t2"))
    pair.server = ServerEnd(epoch=2)
    pair.connect()
    assert pair.client.dropped == (1, 2)
    assert pair.client.unanswered == []
    assert (pair.client.seq, pair.client.epoch) == (0, 2)
    pair.down(pair.server.news())
    assert pair.seqs == [1, 1]
    assert pair.ask(Lobby(0)) == 3


def test_in_another_life_of_the_server_the_session_goes_on_with_new_numbers(pair: Pair) -> None:
    pair.down(pair.server.news())
    unanswered = pair.client.request(Join(0, "t1"))[1]
    pair.server.epoch, pair.server.seq = 2, 0
    pair.connect()
    assert pair.client.dropped == ()
    assert pair.client.unanswered == [unanswered]
    assert pair.seqs == [1, 1]
    assert pair.client.epoch == 2


def test_a_resync_that_was_under_way_is_forgotten_with_its_connection(pair: Pair) -> None:
    pair.server.news()
    assert pair.client.receive(pair.server.news()) == []
    pair.connect()
    assert pair.client.outgoing() == []
    assert pair.seqs == [1, 2]
    pair.server.news()
    pair.down(pair.server.news())
    assert pair.seqs == [1, 2, 3, 4, 5]


# --- the end ----------------------------------------------------------------------------------


def test_bye_is_answered_and_ends_the_session(pair: Pair) -> None:
    pair.ask(Bye(0))
    pair.down(encode(Goodbye(re=1)))
    assert pair.client.state is ClientState.CLOSED
    assert pair.client.unanswered == []
    pair.connect()
    assert pair.server.hello is not None
    assert pair.server.hello.resume is None


def test_a_superseded_session_does_not_fight_for_its_seat(pair: Pair) -> None:
    pair.down(encode(Goodbye(ErrorCode.SUPERSEDED, "A newer connection took over.")))
    assert pair.client.state is ClientState.CLOSED
    assert decode_client(pair.client.connect()) == Hello((0, 0), "Ann", AGENT)


def test_after_a_server_that_stops_the_session_may_go_on(pair: Pair) -> None:
    pair.down(encode(Goodbye(ErrorCode.DRAINING, "The server has been stopped.")))
    pair.connect()
    assert pair.client.welcome is not None
    assert pair.client.welcome.resumed


# --- hostile servers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", ErrorCode.MALFORMED),
        (b"\xc1", ErrorCode.MALFORMED),
        (bytes(70_000), ErrorCode.TOO_LARGE),
        (encode(WELCOME), ErrorCode.MALFORMED),
    ],
    ids=["empty", "no msgpack", "too large", "a second welcome"],
)
def test_what_a_server_may_not_send_is_a_remote_error(
    pair: Pair, data: bytes, code: ErrorCode
) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        pair.client.receive(data)
    assert caught.value.code is code
    assert str(caught.value) == f"{code}: {caught.value.detail}"


def test_a_version_that_was_not_offered_is_a_remote_error() -> None:
    client = ClientSession("Ann", AGENT)
    client.connect()
    with pytest.raises(RemoteProtocolError, match="protocol: 1: only 0 was offered"):
        client.receive(encode(replace(WELCOME, protocol=1)))


def test_resumed_without_a_session_is_a_remote_error() -> None:
    client = ClientSession("Ann", AGENT)
    client.connect()
    with pytest.raises(RemoteProtocolError, match="resumed: true: none was named"):
        client.receive(encode(replace(WELCOME, resumed=True)))


@given(st.lists(st.sampled_from(list(SERVER.values())), max_size=12))
def test_whatever_a_server_sends_is_handed_out_or_a_remote_error(
    messages: list[ServerMessage],
) -> None:
    client = ClientSession("Ann", AGENT)
    client.connect()
    client.receive(encode(WELCOME))
    client.request(Chat(0, "t1", "Hello"))
    for message in messages:
        before = client.seq
        try:
            client.receive(encode(message))
        except RemoteProtocolError:
            break
        assert client.seq >= before
        for waiting in client.outgoing():
            assert isinstance(decode_client(waiting), Resync)
