"""Whatever bytes come, each reader returns a value or raises the one exception that it names.

`python -m pytest tests/protocol/test_fuzz.py tests/link/test_fuzz.py tests/server/test_fuzz.py
--hypothesis-profile=fuzz -n 0 --timeout=0` looks far longer.
"""

from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.codec import CodecError, decode_client, decode_server, encode
from passing_protocol.discovery import InvalidDatagram, answer, query, read_answer, read_query
from passing_protocol.join_codes import InvalidCode, parse_code
from passing_protocol.limits import CLIENT_FRAME_LIMIT
from passing_protocol.messages import Agent, Chat, Hello, Lobby
from passing_protocol.names import clean_chat, clean_name
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    RemoteProtocolError,
)
from tests.support.mutations import THOROUGH, mutated, mutated_text, outcome
from tests.support.protocol.bad_frames import BAD_FRAMES
from tests.support.protocol.discovery_vectors import (
    ANSWERS,
    NO_ANSWERS,
    NO_QUERIES,
    NONCE,
    QUERIES,
)
from tests.support.protocol.join_code_vectors import LINKS, TYPED
from tests.support.protocol.samples import CLIENT, SERVER, WELCOME, batch

BAD = [bad.data for bad in BAD_FRAMES]
FROM_CLIENTS = [*map(encode, CLIENT.values()), *BAD]
FROM_SERVERS = [*map(encode, SERVER.values()), batch(*SERVER.values()), *BAD]
DATAGRAMS = [
    *map(query, QUERIES.values()),
    *map(answer, ANSWERS.values()),
    *NO_QUERIES.values(),
    *NO_ANSWERS.values(),
]
CODES = [*TYPED, *map(str, LINKS)]


@THOROUGH
@given(mutated(FROM_CLIENTS))
def test_a_server_reads_a_message_or_tells_what_is_wrong(data: bytes) -> None:
    message, error = outcome(decode_client, CodecError, data)
    if error is None:
        assert message is not None
        assert decode_client(encode(message)) == message
    else:
        assert 0 < len(error.detail.encode()) < CLIENT_FRAME_LIMIT
        assert error.field is None or len(error.field) < CLIENT_FRAME_LIMIT


@THOROUGH
@given(mutated(FROM_SERVERS))
def test_a_client_reads_messages_or_tells_what_is_wrong(data: bytes) -> None:
    messages, error = outcome(decode_server, CodecError, data)
    if error is None:
        assert messages is not None
        assert [decode_server(encode(message)) for message in messages] == [[m] for m in messages]
    else:
        assert error.detail


@THOROUGH
@given(st.lists(mutated(FROM_SERVERS), max_size=8), st.booleans())
def test_a_client_s_session_hands_out_messages_or_blames_the_server(
    frames: list[bytes], welcomed: bool
) -> None:
    client = ClientSession("Ann", Agent("test", "1.0"))
    client.connect()
    if welcomed:
        client.receive(encode(WELCOME))
        client.request(Chat(0, "t1", "Hello"))
        client.request(Lobby(0))
    for data in frames:
        _, error = outcome(client.receive, RemoteProtocolError, data)
        assert all(decode_client(waiting) for waiting in client.outgoing())
        if error is not None:
            assert error.detail
            assert isinstance(decode_client(client.connect()), Hello)  # it may try again


@THOROUGH
@given(mutated(DATAGRAMS))
def test_a_datagram_is_a_query_an_answer_or_neither(data: bytes) -> None:
    asked, no_query = outcome(read_query, InvalidDatagram, data)
    here, no_answer = outcome(lambda data: read_answer(data, NONCE), InvalidDatagram, data)
    assert (asked is None) == (no_query is not None)
    assert here is None or (here.nonce, clean_name(here.name)) == (NONCE, here.name)
    assert no_query is not None or no_answer is not None


@THOROUGH
@given(mutated_text(CODES) | st.text(max_size=60))
def test_a_code_or_link_is_read_or_refused_with_the_reason(text: str) -> None:
    found, error = outcome(parse_code, InvalidCode, text)
    if error is None:
        assert found is not None
        assert parse_code(str(found)) == found
        assert str(found).isprintable()
    else:
        assert str(error).isprintable()


@THOROUGH
@given(st.text(max_size=80))
def test_cleaning_a_text_again_changes_nothing(text: str) -> None:
    for clean in (clean_name, clean_chat):
        assert clean(clean(text)) == clean(text)
