"""Messages to frames: all that one connection gets in a turn of the loop travels together."""

from msgspec import Raw

from passing_protocol.codec import encode
from passing_protocol.limits import SERVER_FRAME_LIMIT
from passing_protocol.messages import Batch

BATCH_ROOM = 64
"""Bytes kept free in a frame for the batch around its items."""


def frames_of(items: list[bytes]) -> list[bytes]:
    """Pack messages for one connection into as few frames as the limit allows."""
    if len(items) == 1:
        return items
    frames: list[bytes] = []
    group: list[bytes] = []
    size = BATCH_ROOM
    for item in items:
        if group and size + len(item) > SERVER_FRAME_LIMIT:
            frames.append(_batch(group))
            group, size = [], BATCH_ROOM
        group.append(item)
        size += len(item)
    frames.append(_batch(group))
    return frames


def _batch(items: list[bytes]) -> bytes:
    return items[0] if len(items) == 1 else encode(Batch([Raw(item) for item in items]))
