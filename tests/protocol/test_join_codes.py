"""Join codes and links: what people type is read as it is meant, or refused with the reason."""

import hashlib
import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from passing_link.keys import KeyPair, key_text
from passing_protocol.join_codes import (
    CODE_CHARS,
    FINGERPRINT_CHARS,
    TOKEN_CHARS,
    InvalidCode,
    Invitation,
    JoinCode,
    fingerprint,
    join_secret,
    parse_code,
)
from passing_protocol.spoken import ALPHABET
from tests.support.protocol.document import ROOT
from tests.support.protocol.join_code_vectors import Vector

KEY = bytes(range(32))
SLOW = settings(max_examples=3)
"""For what takes 60 ms by intention."""


def texts(length: int) -> st.SearchStrategy[str]:
    return st.text(ALPHABET, min_size=length, max_size=length)


codes = st.builds(JoinCode, texts(FINGERPRINT_CHARS), texts(TOKEN_CHARS))
keys = st.binary(min_size=32, max_size=32)
hosts = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(str),
    st.from_regex(r"[A-Za-z0-9-]{1,20}(\.[a-z]{2,8}){0,2}", fullmatch=True),
    st.just("fe80::1%eth0"),
)
invitations = st.builds(Invitation, hosts, st.integers(1, 65_535), keys, texts(TOKEN_CHARS))


# --- codes ------------------------------------------------------------------------------------


@given(codes)
def test_a_code_is_written_in_four_groups_of_five_and_read_back(code: JoinCode) -> None:
    assert [len(group) for group in str(code).split("-")] == [5, 5, 5, 5]
    assert JoinCode.parse(str(code)) == code


@given(codes, st.data())
def test_case_spaces_dashes_and_look_alikes_are_forgiven(
    code: JoinCode, data: st.DataObject
) -> None:
    written = ""
    for character in str(code).replace("-", ""):
        alike = {"1": "1IiLl", "0": "0Oo"}.get(character, character + character.lower())
        written += data.draw(st.sampled_from(alike))
        written += data.draw(st.sampled_from(["", "", " ", "-", " - ", "\u2013", "\n", "\xa0"]))
    assert JoinCode.parse(written) == code


def is_forgiven(character: str) -> bool:
    return character.isascii() and (character.isspace() or character.upper() in f"{ALPHABET}ILO-")


@given(codes, st.integers(0, CODE_CHARS - 1), st.characters(categories=["L", "N", "P", "S", "Cc"]))
def test_a_character_that_is_in_no_code_is_named(code: JoinCode, place: int, wrong: str) -> None:
    assume(not is_forgiven(wrong) and wrong not in "\u2010\u2011\u2012\u2013\u2014")
    text = code.fingerprint + code.token
    with pytest.raises(InvalidCode) as refused:
        JoinCode.parse(text[:place] + wrong + text[place + 1 :])
    named = wrong.upper() if wrong.isascii() else wrong
    assert f"{named!r} is in no code" in str(refused.value)


@given(st.text(ALPHABET, max_size=40).filter(lambda text: len(text) != CODE_CHARS))
def test_a_code_of_another_length_is_told_how_long_it_is(text: str) -> None:
    with pytest.raises(InvalidCode, match=rf"has {len(text)} characters?, a whole code has 20"):
        JoinCode.parse(text)


@given(st.text(max_size=60))
def test_any_text_is_a_code_or_is_refused(text: str) -> None:
    try:
        code = JoinCode.parse(text)
    except InvalidCode:
        return
    assert JoinCode.parse(str(code)) == code


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (("0" * 11, "0" * 8), "This fingerprint has 11 characters"),
        (("0" * 12, "0" * 9), "This token has 9 characters"),
        (("0" * 11 + "U", "0" * 8), "'U' is in no fingerprint"),
        (("0" * 12, "0" * 7 + "l"), "'l' is in no token"),
    ],
)
def test_a_code_cannot_be_made_of_other_parts(parts: tuple[str, str], said: str) -> None:
    with pytest.raises(InvalidCode, match=said):
        JoinCode(*parts)


# --- keys -------------------------------------------------------------------------------------


@SLOW
@given(keys)
def test_a_fingerprint_is_60_bits_in_the_characters_of_a_code(key: bytes) -> None:
    slow = hashlib.scrypt(key, salt=b"passing-game fingerprint", n=16384, r=8, p=1, dklen=64)
    bits = "".join(f"{byte:08b}" for byte in slow)[:60]
    expected = "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, 60, 5))
    assert fingerprint(key) == expected
    assert JoinCode(expected, "0" * 8).fits(key)


def test_a_code_fits_no_other_key() -> None:
    code = JoinCode(fingerprint(KEY), "0" * 8)
    assert not code.fits(KEY[:-1] + b"\x20")


@SLOW
@given(keys, keys, texts(TOKEN_CHARS), texts(TOKEN_CHARS))
def test_a_token_stands_for_another_secret_at_every_server(
    key: bytes, other: bytes, token: str, another: str
) -> None:
    secret = join_secret(token, key)
    assert len(secret) == 32
    assert (join_secret(token, other) == secret) is (key == other)
    assert (join_secret(another, key) == secret) is (token == another)


# --- links ------------------------------------------------------------------------------------


@given(invitations)
def test_a_link_is_read_back_as_it_was(invitation: Invitation) -> None:
    link = str(invitation)
    assert link.startswith("passing://")
    assert Invitation.parse(f"  {link}\n") == invitation
    assert parse_code(link) == invitation


def test_a_link_holds_the_address_the_key_and_the_token() -> None:
    invitation = Invitation("192.168.1.20", 28066, KEY, "ABCDEFGH")
    assert str(invitation) == (
        "passing://192.168.1.20:28066/#AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8.ABCDEFGH"
    )
    assert str(Invitation("::1", 1, KEY, "ABCDEFGH")).startswith("passing://[::1]:1/#")


def test_what_is_forgiven_in_a_code_is_forgiven_in_the_token_of_a_link() -> None:
    link = str(Invitation("table", 28066, KEY, "10ABCDEF"))
    assert Invitation.parse(link.replace("10ABCDEF", "lo-abcd-ef")).token == "10ABCDEF"
    assert Invitation.parse(link.replace("passing", "PASSING").replace("/#", "#")).host == "table"


GOOD = str(Invitation("table", 28066, KEY, "ABCDEFGH"))


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("http://table:28066/", "is not passing://HOST:PORT/#KEY.TOKEN"),
        ("passing://table:28066/", "is not passing://HOST:PORT/#KEY.TOKEN"),
        (GOOD.replace(":28066", ""), "is not passing://HOST:PORT/#KEY.TOKEN"),
        (GOOD.replace("table", "ta ble"), "is not passing://HOST:PORT/#KEY.TOKEN"),
        (GOOD.replace("table", "me@table"), "is not passing://HOST:PORT/#KEY.TOKEN"),
        (GOOD.replace("28066", "0"), "port 0 is not from 1 to 65535"),
        (GOOD.replace("28066", "65536"), "port 65536 is not from 1 to 65535"),
        (GOOD.replace("Hh8.", "Hh9."), "no key of 32 bytes in base64url"),
        (GOOD.replace("Hh8.", "Hh8A."), "no key of 32 bytes in base64url"),
        (GOOD.replace("AAEC", "AAEC" * 8), "no key of 32 bytes in base64url"),
        (GOOD.replace("Hh8.", "Hh."), "no key of 32 bytes in base64url"),
        (GOOD.replace("Hh8.", "H."), "no key of 32 bytes in base64url"),
        (GOOD + "A", "This token has 9 characters"),
        (GOOD.replace("ABCDEFGH", "ABCDEFGU"), "'U' is in no token"),
    ],
)
def test_a_link_that_is_none_is_refused_with_the_reason(link: str, said: str) -> None:
    with pytest.raises(InvalidCode) as refused:
        Invitation.parse(link)
    assert said in str(refused.value)


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_a_code_a_link_or_refused(text: str, linked: bool) -> None:
    try:
        found = parse_code("passing://" + text if linked else text)
    except InvalidCode:
        return
    assert parse_code(str(found)) == found


@given(st.binary(max_size=40).filter(lambda data: len(data) != 32))
def test_a_link_holds_no_key_of_another_length(data: bytes) -> None:
    with pytest.raises(InvalidCode, match=f"link's key has {len(data)} bytes, not 32"):
        Invitation("table", 1, data, "ABCDEFGH")


def test_the_code_of_a_link_is_good_for_the_same() -> None:
    invitation = Invitation("table", 28066, KEY, "ABCDEFGH")
    assert invitation.code == JoinCode(fingerprint(KEY), "ABCDEFGH")


def test_a_token_is_not_shown() -> None:
    token = "ZYXWVTSR"
    invitation = Invitation("table", 1, KEY, token)
    assert token not in f"{invitation!r} {JoinCode('0' * 12, token)!r}"


# --- vectors ----------------------------------------------------------------------------------

VECTORS: list[Vector] = json.loads((ROOT / "vectors" / "protocol" / "join_codes.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_of_join_codes(vector: Vector) -> None:
    match vector:
        case {"name": "code", "typed": typed, "code": None}:
            with pytest.raises(InvalidCode):
                JoinCode.parse(typed)
        case {"name": "code", "typed": typed, "fingerprint": prefix, "token": token, "code": text}:
            assert JoinCode.parse(typed) == JoinCode(prefix, token)
            assert str(JoinCode.parse(typed)) == text
        case {"name": "fingerprint", "server_key": key, "fingerprint": expected}:
            assert fingerprint(bytes.fromhex(key)) == expected
        case {"name": "join", "server_key": key, "token": token, "secret": secret}:
            assert join_secret(token, bytes.fromhex(key)).hex() == secret
            assert KeyPair.of_secret(bytes.fromhex(secret)).public == vector["public_z85"]
            assert key_text(bytes.fromhex(key)) == vector["server_key_z85"]
        case _:
            assert vector["name"] == "link"
            expected = Invitation(
                vector["host"], vector["port"], bytes.fromhex(vector["server_key"]), vector["token"]
            )
            assert Invitation.parse(vector["link"]) == expected
            assert str(expected) == vector["link"]


@pytest.mark.parametrize("host", ["\x00den", "den\x1b[2J", "d\u202een", "den\x7f", "den\u200b"])
def test_a_link_to_a_machine_that_cannot_be_shown_is_none(host: str) -> None:
    link = str(Invitation("den", 1, KEY, "7H3GAMES")).replace("den", host)
    with pytest.raises(InvalidCode, match="link") as caught:
        Invitation.parse(link)
    assert str(caught.value).isprintable()
