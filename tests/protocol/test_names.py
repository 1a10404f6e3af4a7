"""Names and chat: whatever is sent, what is shown is one harmless line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from passing_protocol.names import (
    CHAT_CHARS,
    NAME_CHARS,
    NAME_COLUMNS,
    VERSION_CHARS,
    clean_chat,
    clean_name,
    name_key,
)

NASTY = st.sampled_from(
    ["\x1b", "\x1b[", "\x1b]0;", "\x07", "\x9b", "\x9d", "\r", "\n", "\u202e", "\u200b", "\u0336"]
)
TEXTS = st.lists(st.text(max_size=12) | NASTY, max_size=12).map("".join)

C48 = [
    ("Bo\x1b[2J", "Bo"),
    ("\x1b[31;1mBo\x1b[0m", "Bo"),
    ("\x1b]0;x\x07Bo", "Bo"),
    ("\x1b]52;c;cm0gLXJmIC8=\x1b\\Bo", "Bo"),
    ("\x1b]8;;http://example.org\x1b\\Bo\x1b]8;;\x1b\\", "Bo"),
    ("\x9b2JBo", "Bo"),
    ("\x9d0;x\x9cBo", "Bo"),
    ("\x1bPq#0\x1b\\Bo", "Bo"),
    ("\x1b_x\x1b\\Bo", "Bo"),
    ("\x1b(0Bo", "Bo"),
    ("\x1bcBo", "Bo"),
    ("Bo\x05", "Bo"),
    ("Bo\x07\x08\x00\x7f", "Bo"),
    ("Bo\x1b", "Bo"),
    ("Bo\x1b[", "Bo"),
    ("Bo\x1b]0;never ended", "Bo"),
    ("Bo\rServer: you lost", "Bo Server: you lost"),
    ("Bo\r\n\r\nServer: you lost", "Bo Server: you lost"),
    ("Bo\x85\u2028\u2029Server: hi", "Bo Server: hi"),
    ("\u202eoB\u202c", "oB"),
    ("\u2066Bo\u2069", "Bo"),
    ("B\u200b\u200d\u2060\ufeffo", "Bo"),
    ("Bo\u3164\u115f\u2800\ufe0f", "Bo"),
    ("\ue000Bo\U000e0041", "Bo"),
    ("\u00a0 Bo\u3000\u2003 Lee ", "Bo Lee"),
    ("Z\u0335\u0336\u0337\u0338o", "Z\u0335\u0336o"),
    ("\u0301\u0302\u0303Bo", "Bo"),
    ("\u0300\r0 \u0301", "0"),
    ("e\u0301", "\u00e9"),
    ("", ""),
    (" \t\n", ""),
    ("\u200b\u202e", ""),
]


@pytest.mark.parametrize(("text", "clean"), C48, ids=[ascii(text) for text, _ in C48])
def test_c48_what_a_terminal_obeys_or_nobody_sees_is_taken_out(text: str, clean: str) -> None:
    assert clean_name(text) == clean
    assert clean_chat(text) == clean


def assert_harmless(text: str) -> None:
    """Check that text is one line of characters that are seen and obeyed by nothing."""
    assert text == text.strip()
    assert "  " not in text
    for character in text:
        category = unicodedata.category(character)
        assert character == " " or category[0] in "LMNPS", ascii(character)


@given(TEXTS)
def test_a_name_is_one_harmless_line_of_24_columns(text: str) -> None:
    name = clean_name(text)
    assert_harmless(name)
    assert wcswidth(name) <= NAME_COLUMNS


@given(TEXTS | st.text(max_size=500))
def test_chat_is_one_harmless_line_of_200_characters(text: str) -> None:
    chat = clean_chat(text)
    assert_harmless(chat)
    assert len(chat) <= CHAT_CHARS


@given(TEXTS)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)
    assert clean_chat(clean_chat(text)) == clean_chat(text)


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"], codec="latin-1"), max_size=24))
def test_an_ordinary_name_stays_as_it_is(text: str) -> None:
    assert clean_name(text) == text


def test_a_name_is_cut_where_it_would_be_wider_than_24_columns() -> None:
    assert clean_name("a" * 30) == "a" * 24
    assert clean_name("\u5c71" * 13) == "\u5c71" * 12
    assert clean_name("a" + "\u5c71" * 13) == "a" + "\u5c71" * 11
    assert clean_name("a" * 23 + " b") == "a" * 23
    sign = "\U00011930"  # as wide as a letter where it follows one, though it has no width alone
    assert clean_name("0" * 10 + sign + "0" * 14) == "0" * 10 + sign + "0" * 13


GROWING = "\ufb2c"  # one character, but three when it is normalised


@pytest.mark.parametrize("limit", [VERSION_CHARS, NAME_CHARS])
def test_a_text_that_grows_is_cut_to_the_characters_of_its_field(limit: int) -> None:
    grown = unicodedata.normalize("NFC", GROWING * 24)
    assert len(grown) == 72
    assert clean_name(GROWING * 24, limit) == clean_chat(GROWING * 24, limit) == grown[:limit]


@given(TEXTS, st.integers(1, NAME_CHARS))
def test_no_text_has_more_characters_than_its_limit(text: str, limit: int) -> None:
    for clean in (clean_name(text, limit), clean_chat(text, limit)):
        assert len(clean) <= limit
        assert_harmless(clean)


def test_chat_is_cut_after_200_characters() -> None:
    assert clean_chat("x" * 201) == "x" * 200
    assert clean_chat("x" * 199 + " y") == "x" * 199


SAME = [
    ("Bo", "bo"),
    ("Bo", "\u0412\u043e"),  # Cyrillic
    ("BO", "\u0392\u039f"),  # Greek capitals
    ("vox", "\u03bd\u03bf\u03c7"),  # Greek small letters
    ("Nina", "\u039dina"),
    ("Bo", "B0"),
    ("Bo", "\uff22\uff4f"),  # full width
    ("Bill", "B1ll"),
    ("Bill", "BiIl"),
    ("Al", "AI"),
    ("paypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"),
    ("Stra\u00dfe", "STRASSE"),
    ("caf\u00e9", "cafe\u0301"),
    ("Bo", "B\u200bo"),
    ("Ann Lee", "Ann\u00a0 Lee"),
    ("\u0130stanbul", "i\u0307stanbul"),
]
DIFFERENT = [("Bo", "Ro"), ("Ann", "Anne"), ("jose", "jos\u00e9"), ("Bo", "Bo 2"), ("", "x")]


@pytest.mark.parametrize(("one", "other"), SAME, ids=ascii)
def test_names_that_read_the_same_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=ascii)
def test_names_that_read_differently_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(TEXTS)
def test_a_name_reads_the_same_as_itself_when_shown(text: str) -> None:
    assert name_key(clean_name(text)) == name_key(text)
    assert name_key(text) == name_key(text.removesuffix("\u200b"))
