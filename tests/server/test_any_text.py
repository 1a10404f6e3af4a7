"""Whatever clients call themselves and say, every message that goes out is one of the protocol."""

from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.codec import decode_server
from passing_protocol.messages import (
    Agent,
    Caps,
    Chat,
    Create,
    Invite,
    Join,
    Lobby,
    Ready,
    Remove,
    Start,
    Tables,
    Update,
    Watch,
    Welcome,
)
from passing_protocol.names import CHAT_CHARS, NAME_CHARS, VERSION_CHARS
from passing_protocol.session import ClientSession
from passing_protocol.views import GameOptions
from passing_server.access import Access
from tests.support.lan import TOKENS, Lan, LanClient, counted_entropy, new_server
from tests.support.memory_store import MemoryStore

# Some grow when they are normalised, some take marks, some are wide, some are not shown at all.
PIECES = st.sampled_from(["\ufb2c", "\U0001d160", "\u0344", "\u0958", "a\u0316\u0317", "\u5c71"])
SHOWN = st.sampled_from(["x", " ", "\x1b[2J", "\u200b", "'", "\\", "\U0001f468"])


def texts(limit: int, least: int = 0) -> st.SearchStrategy[str]:
    """Return texts that a client may send in a field of so many characters."""
    repeated = PIECES.map(lambda piece: (piece * limit)[:limit])
    mixed = st.lists(PIECES | SHOWN | st.characters(codec="utf-8"), min_size=least, max_size=limit)
    return repeated | mixed.map(lambda pieces: "".join(pieces)[:limit])


NAMES = texts(NAME_CHARS, least=1)
AGENTS = st.builds(
    Agent,
    name=NAMES,
    version=texts(VERSION_CHARS),
    author=st.none() | texts(NAME_CHARS),
    build=st.none() | texts(NAME_CHARS),
)


class Reader:
    """Decode all that anybody at a LAN was sent."""

    def __init__(self) -> None:
        """Start with a person who only looks on."""
        self.lan = Lan()
        self.anna = self.lan.client("anna")

    def enter(self, name: str, agent: Agent, role: str | None = None) -> LanClient | None:
        """Connect a client; None if it was refused for having no name that can be read."""
        caps = Caps(tables=4 if role == "bot" else 0)
        session = ClientSession(name, agent, caps, TOKENS[role] if role else None)
        client = LanClient(self.lan, session, b"")
        self.lan.connect(client)
        return client if session.welcome is not None else None

    def verify(self) -> None:
        """Check that everybody, at any table or none, can read all that came."""
        answer = self.anna.ask(Lobby(0))
        assert isinstance(answer, Tables)
        for client in self.lan.connected():
            for frame in client.frames:
                assert decode_server(frame)


@given(NAMES, AGENTS, NAMES, texts(2 * CHAT_CHARS, least=1))
@settings(max_examples=30)
def test_what_a_person_is_called_and_says_can_be_read_by_all(
    name: str, agent: Agent, title: str, text: str
) -> None:
    reader = Reader()
    person = reader.enter(name, agent)
    if person is not None:
        made = person.ask(Create(0, title, GameOptions(seats=2)))
        if isinstance(made, Update):
            reader.anna.ask(Watch(0, made.table))
            person.ask(Chat(0, made.table, text))
            person.ask(Remove(0, made.table, watcher=title))
            person.ask(Invite(0, made.table, title))
            reader.anna.ask(Chat(0, made.table, text))
    reader.verify()


@given(NAMES, AGENTS)
@settings(max_examples=30)
def test_what_an_engine_is_called_can_be_read_by_all(name: str, agent: Agent) -> None:
    reader = Reader()
    anna, lan = reader.anna, reader.lan
    engines = [reader.enter(name, agent, "bot") for _ in range(2)]
    waiting = anna.ask(Lobby(0))
    assert isinstance(waiting, Tables)
    table = lan.table(anna, GameOptions(seats=3))
    for waits in waiting.engines:
        anna.ask(Invite(0, table, waits.name))
    for engine in engines:
        if engine is not None:
            engine.ask(Join(0, table))  # both read the same, so one gets a number
    anna.ask(Start(0, table))
    anna.ask(Ready(0, table))
    reader.verify()


@given(texts(200))
@settings(max_examples=30)
def test_whatever_a_server_is_called_its_welcome_can_be_read(name: str) -> None:
    lan = Lan()
    lan.server = new_server(name, Access(dict(TOKENS)), counted_entropy("named"), 1, MemoryStore())
    welcome = lan.client("anna").session.welcome
    assert isinstance(welcome, Welcome)
    assert welcome.server
