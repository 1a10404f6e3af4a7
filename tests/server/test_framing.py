"""All that one connection gets at a time travels in as few frames as the limit allows."""

from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import SERVER_FRAME_LIMIT
from passing_protocol.messages import Error, Ok, ServerMessage
from passing_server.framing import frames_of


def message(seq: int, size: int) -> bytes:
    if size == 0:
        return encode(Ok(seq, seq))
    return encode(Error(seq, ErrorCode.MALFORMED, "x" * size, retry=False))


@given(st.lists(st.sampled_from((0, 0, 50, 5_000, 30_000, 65_000)), min_size=1, max_size=40))
def test_every_message_arrives_once_in_order_and_no_frame_is_too_long(sizes: list[int]) -> None:
    items = [message(seq, size) for seq, size in enumerate(sizes)]
    frames = frames_of(items)
    assert max(map(len, frames)) <= SERVER_FRAME_LIMIT
    arrived: list[ServerMessage] = [one for frame in frames for one in decode_server(frame)]
    assert arrived == [one for item in items for one in decode_server(item)]


def test_what_fits_travels_together() -> None:
    assert len(frames_of([message(seq, 500) for seq in range(100)])) == 1
    single = message(1, 50)
    assert frames_of([single]) == [single]
