"""The environment by which programs are told of a server: whole, or refused without a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.connection_file import ConnectionFile
from passing_link.environment import (
    CLIENT_SECRET_VARIABLE,
    SERVER_KEY_VARIABLE,
    InvalidEnvironment,
    environment_for,
    security_from,
)
from passing_link.keys import KeyPair, Security

SERVER, OWN = KeyPair.new(), KeyPair.new()
TOKEN = "b" * 32


def test_what_a_program_is_told_is_what_it_finds() -> None:
    file = ConnectionFile("127.0.0.1:4000", SERVER.public, 1, {}, OWN.secret)
    told = environment_for(file, TOKEN)
    assert told["PASSING_ADDRESS"] == "127.0.0.1:4000"
    assert told["PASSING_TOKEN"] == TOKEN
    assert security_from(told) == file.security == Security(SERVER.public, OWN)


def test_of_a_server_that_encrypts_nothing_no_key_is_told() -> None:
    told = environment_for(ConnectionFile("127.0.0.1:4000", None, 1, {}), TOKEN)
    assert set(told) == {"PASSING_ADDRESS", "PASSING_TOKEN"}
    assert security_from(told) is None
    assert security_from({SERVER_KEY_VARIABLE: "", CLIENT_SECRET_VARIABLE: ""}) is None


@given(st.sampled_from([SERVER_KEY_VARIABLE, CLIENT_SECRET_VARIABLE]), st.text(max_size=45))
def test_one_that_is_missing_or_no_key_is_named_and_not_shown(name: str, value: str) -> None:
    both = {SERVER_KEY_VARIABLE: SERVER.public, CLIENT_SECRET_VARIABLE: OWN.secret}
    with pytest.raises(InvalidEnvironment) as refused:
        security_from(both | {name: f"~{value}" if value else ""})
    assert str(refused.value).startswith(name)
    assert OWN.secret not in str(refused.value)
    assert len(value) < 8 or value not in str(refused.value)
