"""What a server says of itself is cleaned before the link repeats it to a person or a log."""

import pytest

from passing_link import words
from passing_link.news import RequestFailed, TurnedAway
from passing_protocol.codec import CodecError
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Error, Refused
from passing_protocol.session_states import (
    RemoteProtocolError,
)
from tests.support.hostile_text import HOSTILE, harm

each_text = pytest.mark.parametrize("text", HOSTILE, ids=ascii)


@each_text
def test_c48_reasons_of_a_server_are_one_harmless_line(text: str) -> None:
    said = [
        words.refused(text),
        words.closed("den.local", text),
        str(TurnedAway(Refused(ErrorCode.FULL, text, (0, 0)))),
        str(RequestFailed(Error(1, ErrorCode.FULL, text, retry=True))),
        str(CodecError(ErrorCode.MALFORMED, text)),
        RequestRefused(ErrorCode.FULL, text).detail,
        words.nonsense("den.local", CodecError(ErrorCode.MALFORMED, text).detail),
    ]
    assert [(line, found) for line in said if (found := harm(line))] == []


def test_a_server_that_says_nothing_readable_is_said_to() -> None:
    assert words.refused("\u200b") == "The server does not say why."
    assert words.closed("den.local", "\u200b") == "den.local has ended the session."


def test_a_remote_error_repeats_what_the_codec_has_cleaned() -> None:
    error = CodecError(ErrorCode.MALFORMED, "type: \x1b[2J")
    assert RemoteProtocolError(error.code, error.detail).detail == "type:"
