"""Real processes between somebody with a hostile name and who reads it: nothing does harm."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.processes import ServerProcess
from passing_protocol.codec import encode
from passing_protocol.join_codes import join_secret
from passing_protocol.messages import (
    Chat,
    Create,
    Enrol,
    Enrolled,
    JoinCode,
    JoinCodeReport,
    Ready,
)
from passing_protocol.views import GameOptions
from tests.e2e.garbage import ENCRYPTED
from tests.support.hostile_text import harm
from tests.support.line_client import LineClient
from tests.support.sockets import RawClient, running_server

NAME = "Ev\x1b]0;owned\x07il\u202e\u200b"
TITLE = "k\x1b[2Jit\x9b2Jchen\r"
SAID = (
    "one \x1b]52;c;cm0gLXJm\x07clip",
    "two a\nServer: you have won",
    "three \u202eevil\u200b\u2066",
    "four \x90q\x9c bell\x07 \x85 \u2028x",
    "five Z" + "\u0335\u0336\u0337\u0338" * 8,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("open") / "state", ["--log-json"]) as process:
        yield process


def ran(*words: str) -> str:
    """Return all that a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "passing_client", *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ | {"PASSING_PLAIN": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def harmless(text: str) -> bool:
    return [found for line in text.split("\n") for found in harm(line)] == []


def test_c48_a_person_reads_hostile_names_and_chat_as_one_harmless_line_each(
    server: ServerProcess,
) -> None:
    address = server.connection.address
    with RawClient(address) as evil:
        evil.hello(NAME)
        evil.request(Create(1, TITLE, GameOptions(seats=2)))
        table = evil.expect_answer(1).table
        with LineClient("play", address) as person:
            person.until("kitchen: Evil")
            person.type("join 1")
            person.until("Evil, seat 1")
            for number, text in enumerate(SAID, start=2):
                evil.request(Chat(number, table, text))
            person.until("five Z")
            evil.request(Ready(9, table))
            person.type("ready")
            person.until("tiles")
            person.type("seats")
            person.until("Evil, seat 1")
            person.type("quit")
            person.until("again")
            person.type("quit")
            person.ends()
    assert [line for line in person.lines if harm(line)] == []
    assert not [line for line in person.lines if line.startswith("Server:")]


def test_c48_the_log_and_the_status_of_that_server_hold_no_harm(server: ServerProcess) -> None:
    folder = server.connection_path.parent
    log = (folder / "server.log").read_text("utf-8")
    assert all(json.loads(line)["event"] for line in log.splitlines())
    assert harmless(log)
    assert "owned" not in log
    for form in ([], ["--json"]):
        assert harmless(ran("serve", "status", "--state", str(folder), *form))


def enrol(server: ServerProcess, name: str) -> str:
    """Enrol somebody of that name by the code for players, and return their name there."""
    file = server.connection
    assert file.server_key is not None
    with RawClient(file.address, security=file.security) as admin:
        admin.hello("root", token=file.tokens["admin"])
        admin.request(JoinCode(1, "player"))
        token = admin.expect(JoinCodeReport).token
    joining = KeyPair.of_secret(join_secret(token, key_bytes(file.server_key)))
    with RawClient(file.address, security=Security(file.server_key, joining)) as newcomer:
        newcomer.send(encode(Enrol((0, 0), KeyPair.new().public, name)))
        return newcomer.expect(Enrolled).name


def test_c48_remembered_clients_are_listed_and_revoked_by_harmless_names(tmp_path: Path) -> None:
    with running_server(tmp_path / "state", ENCRYPTED) as server:
        folder = str(server.connection_path.parent)
        names = [enrol(server, name) for name in (NAME, TITLE)]
        assert names == ["Evil", "kitchen"]
        for form in ([], ["--json"]):
            listed = ran("serve", "revoke", "--state", folder, *form)
            assert harmless(listed)
            assert all(name in listed for name in names)
        assert harmless(ran("serve", "status", "--state", folder))
        assert harmless(ran("serve", "revoke", "Evil", "--state", folder))
        assert harmless(ran("serve", "invite", "--state", folder))
        assert not re.search("owned", (Path(folder) / "server.log").read_text("utf-8"))
        assert "Evil" not in ran("serve", "revoke", "--state", folder)
