"""Every option of a table that is typed is read, or refused with what it may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from passing_client.table_options import InvalidOption, allowed_values, read_options
from passing_protocol.views import GameOptions, TableOptions
from tests.support.client_scene import Talk

NAMES = [field.encode_name for kind in (GameOptions, TableOptions) for field in fields(kind)]
ALLOWED = dict(allowed_values())


def words_of(allowed: str) -> list[str]:
    """Return the values that a text like `1 to 5, a or b` allows, of a span both ends."""
    return allowed.replace(" to ", ", ").replace(" or ", ", ").split(", ")


def test_every_option_has_its_values_and_the_help_lists_them() -> None:
    assert list(ALLOWED) == NAMES
    (line,) = [line for line in Talk().types("? new") if line.startswith("Options: ")]
    for name, allowed in ALLOWED.items():
        assert f"{name} {allowed}" in line


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_said_to_be_allowed_is_taken(name: str) -> None:
    for word in words_of(ALLOWED[name]):
        game, table = read_options({name: word})
        kept = game if name in GameOptions.__struct_fields__ else table
        assert str(getattr(kept, name)).lower() == word


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["-1", "100000000", "x", "1.5", "retry:100", "tru"])
def test_whatever_is_not_is_refused_with_the_option_the_value_and_what_is(
    name: str, value: str
) -> None:
    with pytest.raises(InvalidOption) as refused:
        read_options({"seats": "2", name: value})
    told = f"{name}: {value!r} cannot be; allowed is {ALLOWED[name]}."
    assert str(refused.value) == told


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=40), st.text(max_size=60)))
def test_any_words_are_read_or_refused_in_one_short_line(words: dict[str, str]) -> None:
    said = ""
    try:
        read_options(words)
    except InvalidOption as refused:
        said = str(refused)
    assert len(said) < 400
    assert said.isprintable()
    assert "Expected" not in said
