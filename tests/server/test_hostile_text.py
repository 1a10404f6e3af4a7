"""Whatever texts come in, none that could do harm goes out again, to anybody, or into the log."""

import io
import json
from collections.abc import Iterator

import msgpack
import pytest

from passing_protocol.codec import encode
from passing_protocol.messages import (
    Agent,
    Caps,
    Chat,
    ClientMessage,
    Create,
    Invite,
    Join,
    Lobby,
    Remove,
    Resync,
    Watch,
)
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    ClientState,
)
from passing_protocol.views import GameOptions
from passing_server.log import Log
from tests.support.hostile_text import HOSTILE, harm_in, with_text
from tests.support.lan import TOKENS, Lan, LanClient
from tests.support.protocol.samples import CLIENT


def enter(lan: Lan, name: str, text: str, role: str | None = None) -> LanClient | None:
    """Connect somebody whose program tells that text of itself; None when they are refused."""
    agent = Agent(text[:64], text[:32], text[:64], text[:64])
    token = TOKENS[role] if role else None
    caps = Caps(tables=4 if role == "bot" else 0)
    client = LanClient(lan, ClientSession(name, agent, caps, token), b"")
    lan.connect(client)
    return client if client.session.state is ClientState.OPEN else None


def sent(lan: Lan) -> Iterator[tuple[str, object]]:
    """Yield all that anybody was sent, as maps."""
    for client in lan.connected():
        for frame in client.frames:
            yield (
                client.session.welcome.name if client.session.welcome else "",
                msgpack.unpackb(frame),
            )


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_c48_names_titles_engines_and_chat_are_harmless_to_all(text: str) -> None:
    lan = Lan()
    anna = lan.client("anna")
    evil = enter(lan, f"x{text}"[:64], text)
    assert evil is not None
    enter(lan, f"b{text}"[:64], text, "bot")
    made = evil.ask(Create(0, f"k{text}"[:64], GameOptions(seats=3)))
    assert harm_in(made) == []
    (table,) = lan.server.lobby.rooms
    anna.ask(Join(0, table))
    evil.ask(Chat(0, table, f"hi {text}"[:400]))
    evil.ask(Invite(0, table, f"b{text}"[:64]))
    bob = lan.client("bob")
    bob.ask(Lobby(0))
    bob.ask(Watch(0, table))
    bob.ask(Chat(0, table, text[:400]))
    anna.ask(Resync(0, 0))
    lan.settle()
    assert [(name, found) for name, message in sent(lan) if (found := harm_in(message))] == []


@pytest.mark.parametrize(
    "name", [name for name in CLIENT if not name.startswith(("hello", "enrol"))]
)
def test_an_answer_repeats_no_text_that_could_do_harm(name: str) -> None:
    lan = Lan()
    admin = lan.client("root", "admin")
    anna = lan.client("anna")
    anna.ask(Create(0, "kitchen", GameOptions(seats=2)))
    for number, text in enumerate(HOSTILE, start=1_000):
        message: ClientMessage = with_text(CLIENT[name], text)
        raw = msgpack.unpackb(encode(message)) | {"id": number}
        for client in (admin, anna):
            lan.server.receive(lan.now, client.peer, msgpack.packb(raw))
        for frame in lan.server.flush(lan.now):
            told = msgpack.unpackb(frame.data)
            if told.get("table") == text[:64]:
                del told["table"]  # the asker's own word, back to the asker alone
            assert harm_in(told) == []
        lan.now += 2_000


def test_an_error_about_a_field_repeats_no_text_that_could_do_harm() -> None:
    lan = Lan()
    anna = lan.client("anna")
    for number, text in enumerate(HOSTILE, start=1_000):
        for raw in (
            {"type": text, "id": number},
            {"type": "act", "id": number, "table": "t1", "turn": text},
            {"type": "act", "id": number, "table": "t1", "turn": 1, "action": {"play": text}},
            {"type": "ping", "id": number, text: 0.5},
            {"type": "create", "id": number, "name": "x", "game": {"lead": text}},
        ):
            lan.server.receive(lan.now, anna.peer, msgpack.packb(raw))
            (frame,) = lan.server.flush(lan.now)
            assert harm_in(msgpack.unpackb(frame.data)) == []
            lan.now += 2_000


@pytest.mark.parametrize("as_json", [False, True], ids=["lines", "json"])
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_line_of_the_log_is_one_line_and_harmless(text: str, as_json: bool) -> None:
    stream = io.StringIO()
    log = Log(stream, as_json=as_json)
    log.tell("hostile", f"It said: {text}", address=text)
    log.show(text)
    lines = stream.getvalue().removesuffix("\n").split("\n")
    assert len(lines) == 1 + (0 if as_json else len(text.splitlines()))
    assert all(line.isprintable() for line in lines)
    if as_json:
        assert json.loads(lines[0])["event"] == "hostile"


def test_remove_names_nobody_by_a_text_that_reads_the_same() -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    anna.ask(Create(0, "kitchen", GameOptions(seats=2)))
    (table,) = lan.server.lobby.rooms
    bob.ask(Watch(0, table))
    answer = anna.ask(Remove(0, table, watcher="bob\x1b[2J"))
    assert harm_in(answer) == []
