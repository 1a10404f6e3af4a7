"""Hello and what comes before it: versions, roles, names, limits, guessed tokens."""

import pytest

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Agent,
    Bye,
    Caps,
    Error,
    Goodbye,
    Hello,
    Lobby,
    Ping,
    Refused,
    Resume,
    Role,
    ServerMessage,
    Tables,
    Welcome,
)
from passing_server.limits import CONNECTIONS_KEPT, EXCESS_BURST, FORGET_MS, HEARTBEAT, LIMITS
from tests.support.lan import AGENT, TOKENS, Lan

V = PROTOCOL_VERSION


def say(lan: Lan, peer: bytes, message: Hello | Ping | bytes | None) -> list[ServerMessage]:
    """Send one frame as a connection of one's own and return what comes back to it."""
    data = message if isinstance(message, bytes | None) else encode(message)
    lan.server.receive(lan.now, peer, data)
    out = lan.server.flush(lan.now)
    return [one for frame in out if frame.peer == peer for one in decode_server(frame.data)]


def hello(
    name: str = "anna", token: str | None = None, resume: Resume | None = None, version: int = V
) -> Hello:
    return Hello((version, version), name, AGENT, Caps(), token, resume)


def refused(answers: list[ServerMessage]) -> ErrorCode:
    assert len(answers) == 1
    assert isinstance(answers[0], Refused)
    return answers[0].code


def welcomed(answers: list[ServerMessage]) -> Welcome:
    assert len(answers) == 1
    assert isinstance(answers[0], Welcome)
    return answers[0]


def test_a_client_is_welcomed_with_its_role_its_limits_and_a_token() -> None:
    welcome = welcomed(say(Lan(), b"p", hello()))
    assert (welcome.role, welcome.name, welcome.resumed) == (Role.PLAYER, "anna", False)
    assert (welcome.limits, welcome.heartbeat) == (LIMITS, HEARTBEAT)
    assert len(welcome.resume_token) == 64


def test_any_range_of_versions_that_holds_the_servers_is_welcome() -> None:
    message = Hello((0, V + 7), "anna", AGENT)
    assert welcomed(say(Lan(), b"p", message)).protocol == V


def test_a_client_of_another_version_is_told_which_are_supported() -> None:
    answer = say(Lan(), b"p", hello(version=V + 1))[0]
    assert isinstance(answer, Refused)
    assert (answer.code, answer.supported) == (ErrorCode.VERSION, (V, V))


@pytest.mark.parametrize("role", ["bot", "organiser", "admin"])
def test_a_role_comes_with_its_token(role: str) -> None:
    assert welcomed(say(Lan(), b"p", hello(token=TOKENS[role]))).role == role


def test_an_unknown_token_is_refused_and_opens_nothing() -> None:
    lan = Lan()
    assert refused(say(lan, b"p", hello(token="x" * 32))) is ErrorCode.BAD_CODE
    assert refused(say(lan, b"p", Ping(1))) is ErrorCode.NOT_ADMITTED
    assert not lan.server.sessions.by_id


@pytest.mark.parametrize("name", ["\x1b[2J", "\u200b\u202e", "  "])
def test_a_name_of_which_nothing_can_be_read_is_refused(name: str) -> None:
    assert refused(say(Lan(), b"p", hello(name))) is ErrorCode.MALFORMED


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("\x1b[2Janna", "anna"),
        ("anna\x1b]0;x\x07", "anna"),
        ("anna\r\nServer: you lost", "anna Server: you lost"),
        ("\u202eanna\u200b", "anna"),
        ("a" * 60, "a" * 24),
    ],
)
def test_a_name_is_shown_on_one_harmless_line(sent: str, shown: str) -> None:
    assert welcomed(say(Lan(), b"p", hello(sent))).name == shown


def test_a_name_with_many_accents_still_fits_what_clients_take() -> None:
    name = "\u1ee5\u0344" * 24
    welcome = welcomed(say(Lan(), b"p", hello(name[:64])))
    assert 0 < len(welcome.name) <= 64


def test_what_a_program_says_of_itself_is_cleaned_too() -> None:
    lan = Lan()
    agent = Agent("\x1b[2Jgreedy" + "y" * 40, "1\x07" + "0" * 20, "\u202eme", "b\x00")
    message = Hello((V, V), "greedy", agent, Caps(tables=1), TOKENS["bot"])
    welcomed(say(lan, b"p", message))
    tables = lan.client("anna").ask(Lobby(0))
    assert isinstance(tables, Tables)
    shown = tables.engines[0].agent
    assert shown == Agent("greedy" + "y" * 18, "1" + "0" * 20, "me", "b")


def test_who_has_not_said_hello_is_told_so() -> None:
    lan = Lan()
    assert refused(say(lan, b"p", Ping(1))) is ErrorCode.NOT_ADMITTED
    assert refused(say(lan, b"p", b"\xc0")) is ErrorCode.MALFORMED
    assert refused(say(lan, b"p", None)) is ErrorCode.MALFORMED
    assert refused(say(lan, b"p", b"\x81" * 5_000)) is ErrorCode.TOO_LARGE
    assert welcomed(say(lan, b"p", hello()))


def test_a_second_hello_in_a_session_is_an_error_and_changes_nothing() -> None:
    lan = Lan()
    anna = lan.client("anna")
    answers = say(lan, anna.peer, hello("bob"))
    assert isinstance(answers[0], Error)
    assert answers[0].code is ErrorCode.MALFORMED
    assert lan.server.sessions.by_peer[anna.peer].name == "anna"


def test_guessed_tokens_give_nothing_and_are_answered_no_faster_than_one_a_second() -> None:
    lan = Lan()
    codes: list[ErrorCode] = []
    for guess in range(10_000):
        for answer in say(lan, b"p", hello(token=f"{guess:032}")):
            assert isinstance(answer, Refused)
            codes.append(answer.code)
        lan.now += 1
    assert set(codes) == {ErrorCode.BAD_CODE, ErrorCode.RATE_LIMITED}
    assert codes.count(ErrorCode.BAD_CODE) <= 8 + 10
    assert not lan.server.sessions.by_id


def test_who_goes_on_far_beyond_the_limits_is_cut_and_heard_no_more() -> None:
    lan = Lan()
    for guess in range(EXCESS_BURST):
        assert say(lan, b"p", hello(token=f"{guess:032}"))
    assert lan.server.take_cuts() == []
    say(lan, b"p", hello())
    assert lan.server.take_cuts() == [b"p"]
    assert say(lan, b"p", hello()) == []
    assert lan.server.take_cuts() == []


def test_a_session_far_beyond_its_limits_is_cut_and_may_come_back() -> None:
    lan = Lan()
    anna = lan.client("anna")
    while not (cuts := lan.server.take_cuts()):
        anna.send(Ping(0))
    assert cuts == [anna.peer]
    lan.connect(anna)
    assert anna.session.welcome is not None
    assert anna.session.welcome.resumed


def test_guessed_resume_tokens_open_no_session_of_another() -> None:
    lan = Lan()
    lan.client("anna")
    sessions = {s.id for s in lan.server.sessions.by_id.values()}
    answers: list[Welcome | Refused] = []
    for guess in range(200):
        answer = say(lan, b"p", hello("thief", resume=Resume(f"{guess:064}", 1, 0)))[0]
        assert isinstance(answer, Welcome | Refused)
        answers.append(answer)
        if isinstance(answer, Welcome):
            say(lan, b"p", encode(Bye(1)))
    opened = [answer for answer in answers if isinstance(answer, Welcome)]
    assert len(opened) == 8
    assert not {welcome.session for welcome in opened} & sessions
    assert not any(welcome.resumed for welcome in opened)


def test_one_connections_guesses_cost_no_other_anything() -> None:
    lan = Lan()
    for _ in range(20):
        say(lan, b"p", hello(token="x" * 32))
    assert welcomed(say(lan, b"q", hello()))


def test_only_so_many_connections_are_remembered_for_their_guesses() -> None:
    lan = Lan()
    wrong = hello(token="x" * 32)
    codes = [refused(say(lan, b"p", wrong)) for _ in range(9)]
    assert codes[-1] is ErrorCode.RATE_LIMITED
    for number in range(CONNECTIONS_KEPT):
        say(lan, b"q%d" % number, wrong)
    assert refused(say(lan, b"p", wrong)) is ErrorCode.BAD_CODE


def test_when_as_many_as_are_allowed_are_there_a_further_one_is_refused() -> None:
    lan = Lan()
    for number in range(LIMITS.sessions):
        welcomed(say(lan, b"p%d" % number, hello()))
    assert refused(say(lan, b"late", hello())) is ErrorCode.FULL


def test_sessions_that_were_left_behind_make_room_for_new_ones() -> None:
    lan = Lan()
    for number in range(LIMITS.sessions):
        welcomed(say(lan, b"p%d" % number, hello()))
    lan.fall_silent(HEARTBEAT.timeout_ms + 4_000, step=1_000)
    assert welcomed(say(lan, b"late", hello()))
    assert len(lan.server.sessions.by_id) == LIMITS.sessions


def test_a_session_without_a_seat_is_forgotten_after_10_minutes_of_silence() -> None:
    lan = Lan()
    lan.client("anna")
    lan.fall_silent(FORGET_MS, step=3_000)
    assert len(lan.server.sessions.by_id) == 1
    lan.fall_silent(6_000, step=1_000)
    assert not lan.server.sessions.by_id


def test_bye_ends_the_session_for_good() -> None:
    lan = Lan()
    anna = lan.client("anna")
    welcome = anna.session.welcome
    assert welcome is not None
    assert anna.ask(Bye(0)) == Goodbye(re=1)
    assert refused(say(lan, anna.peer, Ping(2))) is ErrorCode.NOT_ADMITTED
    back = welcomed(say(lan, b"new", hello(resume=Resume(welcome.resume_token, 1, 0))))
    assert not back.resumed


def test_everybody_is_told_when_the_server_ends() -> None:
    lan = Lan()
    anna = lan.client("anna")
    lan.server.close(lan.now)
    lan.settle()
    last = anna.messages[-1]
    assert isinstance(last, Goodbye)
    assert last.code is ErrorCode.DRAINING
