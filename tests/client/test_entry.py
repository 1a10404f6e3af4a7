"""Where a person goes and what lets them in: addresses, links, codes and profiles, as typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.entry import CODE_VARIABLE, Entry, entry_of, place_named
from passing_client.language import use
from passing_client.words.links import bad_code_sentence
from passing_link.address import Address, InvalidAddress
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.join_codes import InvalidCode, Invitation, JoinCode
from tests.support.catalogues import TRANSLATED

CODE = JoinCode.parse("01234-56789-ABCDE-FGHJK")
LINK = Invitation("den.local", 4000, bytes(range(32)), "CDEFGHJK")
DEN = Address("den.local")


@pytest.mark.parametrize(
    ("host", "code", "environment", "entry"),
    [
        ("den.local", None, {}, Entry(DEN)),
        ("den.local:4000", None, {}, Entry(Address("den.local", 4000))),
        ("den.local", str(CODE).lower(), {}, Entry(DEN, CODE)),
        ("den.local", None, {CODE_VARIABLE: str(CODE)}, Entry(DEN, CODE)),
        ("den.local", str(CODE), {CODE_VARIABLE: "nonsense"}, Entry(DEN, CODE)),
        ("den.local", None, {CODE_VARIABLE: ""}, Entry(DEN)),
        ("den.local", str(LINK), {}, Entry(DEN, LINK)),
        (str(LINK), None, {}, Entry(Address("den.local", 4000), LINK)),
        (f" {LINK} ", None, {CODE_VARIABLE: "x"}, Entry(Address("den.local", 4000), LINK)),
    ],
)
def test_a_server_is_named_by_its_address_or_a_link_and_a_code_comes_as_flag_or_variable(
    host: str, code: str | None, environment: dict[str, str], entry: Entry
) -> None:
    assert entry_of(host, code, None, environment) == entry


def test_the_profile_goes_with_it() -> None:
    assert entry_of("den.local", None, "bo", {}) == Entry(DEN, profile="bo")


@pytest.mark.parametrize(
    ("host", "code", "sentence"),
    [
        ("den local", None, "address: "),
        ("", None, "address: "),
        ("passing://den.local", None, "This link is not passing://HOST:PORT/#KEY.TOKEN. A code "),
        ("den.local", "1234", "This code has 4 characters, a whole code has 20. A code has 20 "),
        ("den.local", "u" * 20, "'U' is in no code, "),
        (str(LINK), str(CODE), "The link holds a code already: leave --code out."),
    ],
)
def test_what_names_nothing_is_a_fault_of_usage_and_says_what_is_allowed(
    host: str, code: str | None, sentence: str
) -> None:
    with pytest.raises(CommandFailed) as failed:
        entry_of(host, code, None, {})
    assert failed.value.code is ExitCode.USAGE
    assert failed.value.sentence.startswith(sentence)


@given(st.text(max_size=90))
def test_any_text_is_a_place_or_none(text: str) -> None:
    try:
        place = place_named(text)
    except (InvalidAddress, InvalidCode):
        return
    assert place_named(str(place)) == place


@pytest.mark.parametrize("code", TRANSLATED)
def test_how_a_code_looks_is_told_in_every_language(code: str) -> None:
    use(code)
    sentence = bad_code_sentence(InvalidCode("This code has 4 characters"))
    assert "7K2M9-4X1T8-0H3V6-8R6C5" in sentence
    assert sentence.endswith("passing://.")
    assert "characters" not in sentence


def test_no_entry_shows_a_token() -> None:
    for code in (CODE, LINK):
        assert code.token not in repr(Entry(DEN, code))
