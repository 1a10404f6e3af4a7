"""Bytes that are almost right: what is right, with a few things done to it."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st

Given = TypeVar("Given")
Read = TypeVar("Read")
Refusal = TypeVar("Refusal", bound=Exception)

TELLING = (b"", b"\x00", b"\xff", b"\xc0", b"\xc1", b"\xdf\xff\xff\xff\xff", b"\x91" * 900)
"""Bytes that have broken readers of msgpack: nothing, nil, the unused one, huge and deep ones."""

THOROUGH = settings(max_examples=4 * settings.default.max_examples if settings.default else 200)
"""More examples than most tests; `--hypothesis-profile=fuzz` makes them far more."""


@st.composite
def mutated(draw: st.DrawFn, corpus: Sequence[bytes]) -> bytes:
    """One of the corpus with up to four changes, of which each may undo another."""
    data = draw(st.sampled_from(corpus))
    for _ in range(draw(st.integers(0, 4))):
        data = _changed(draw, data, corpus)
    return data


def _changed(draw: st.DrawFn, data: bytes, corpus: Sequence[bytes]) -> bytes:
    """Flip a bit, cut a piece out, repeat one, put one in, or go on with another of the corpus."""
    start = draw(st.integers(0, len(data)))
    end = min(len(data), start + draw(st.integers(0, 12)))
    before, piece, after = data[:start], data[start:end], data[end:]
    match draw(st.integers(0, 5)):
        case 0 if piece:
            return before + bytes([piece[0] ^ 1 << draw(st.integers(0, 7))]) + piece[1:] + after
        case 1:
            return before + after
        case 2:
            return before + piece * draw(st.integers(2, 40)) + after
        case 3:
            return before + draw(st.sampled_from(TELLING) | st.binary(max_size=8)) + piece + after
        case 4:
            other = draw(st.sampled_from(corpus))
            return before + other[draw(st.integers(0, len(other))) :]
        case _:
            return before + piece


def mutated_text(corpus: Sequence[str]) -> st.SearchStrategy[str]:
    """One of the corpus with a few changes, as a text, bytes that are none replaced."""
    texts = mutated([text.encode() for text in corpus])
    return texts.map(lambda data: data.decode("utf-8", "replace"))


def outcome(
    read: Callable[[Given], Read], refusal: type[Refusal], data: Given
) -> tuple[Read, None] | tuple[None, Refusal]:
    """Return what was read and None, or None and why nothing was; anything else is raised."""
    try:
        return read(data), None
    except refusal as error:
        return None, error
