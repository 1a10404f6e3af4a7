"""What both ends must keep to: the limits of the protocol, and those that `welcome` announces."""

from typing import Annotated

from msgspec import Meta, Struct

from passing_protocol.wire import Count, Milliseconds

CLIENT_FRAME_LIMIT = 4_096
"""The most bytes a server takes in one frame."""

SERVER_FRAME_LIMIT = 65_536
"""The most bytes a client must take in one frame."""

REPLAY_LENGTH = 64
"""How many messages of a session the server keeps for `resync` and `resume`."""


class Limits(Struct, frozen=True):
    """Announce every limit that a client can run into."""

    frame_in: Count
    frame_out: Count
    sessions: Count
    tables: Count
    tables_each: Count
    watchers: Count
    messages_per_s: Count
    burst: Count
    chat_chars: Count
    chat_count: Count
    chat_window_ms: Milliseconds
    name_columns: Count


HeartbeatMilliseconds = Annotated[int, Meta(ge=100, le=86_400_000)]
"""At 0 a client would do nothing else."""


class Heartbeat(Struct, frozen=True):
    """Say how often a client must be heard, and after how long a silence it counts as away."""

    interval_ms: HeartbeatMilliseconds
    timeout_ms: HeartbeatMilliseconds
