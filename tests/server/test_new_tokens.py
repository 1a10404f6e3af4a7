"""Who came in by a token that is no more is out at the next start, with every seat."""

from typing import Final

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Invite, Refused, Role, Start
from passing_protocol.views import GameOptions, TableState
from passing_server.access import Access
from passing_server.core import Server
from tests.support.duel import PASS, Duel
from tests.support.lan import TOKENS, circumstances, counted_entropy
from tests.support.memory_store import MemoryStore
from tests.support.stored_lan import StoredLan

TWO: Final = GameOptions(seats=2)


class RenewedLan(StoredLan):
    """A LAN whose tokens of some roles are others after the first start."""

    def __init__(self, *roles: str) -> None:
        self.tokens = dict(TOKENS)
        super().__init__(MemoryStore())
        self.tokens |= {role: f"new {role}" for role in roles}

    def start(self) -> None:
        access = Access(dict(self.tokens))
        entropy = counted_entropy(f"life {self.now}")
        self.server = Server("den", access, entropy, 1, self.kept, **circumstances())
        assert self.server.recover(self.now) == []

    @property
    def roles(self) -> set[Role]:
        return {session.role for session in self.server.sessions.by_id.values()}


@pytest.mark.parametrize(
    ("renewed", "left"),
    [
        ((), {Role.PLAYER, Role.BOT, Role.ORGANISER}),
        (("bot",), {Role.PLAYER, Role.ORGANISER}),
        (("organiser",), {Role.PLAYER, Role.BOT}),
        (("bot", "organiser", "admin"), {Role.PLAYER}),
    ],
)
def test_sessions_of_a_role_end_with_its_token(renewed: tuple[str, ...], left: set[Role]) -> None:
    lan = RenewedLan(*renewed)
    for role in ("bot", "organiser", None):
        lan.client(f"a {role}", role)
    lan.start_anew()
    assert lan.roles == left
    lan.settle()
    lan.start_anew()
    assert lan.roles == left


def test_an_engine_that_is_shut_out_has_left_its_table_and_people_play_on() -> None:
    lan = RenewedLan("bot")
    engine = lan.client("greedy", "bot")
    anna = lan.client("anna")
    table = lan.table(anna, TWO)
    anna.send(Invite(0, table, "greedy"))
    anna.send(Start(0, table))
    room = lan.server.lobby.rooms[table]
    assert room.table.state is TableState.PLAYING
    lan.start_anew()
    room = lan.server.lobby.rooms[table]
    assert [session.name for session in room.players.values()] == ["anna"]
    lan.connect(anna)
    lan.connect(engine)
    refused = engine.messages[-1]
    assert isinstance(refused, Refused)
    assert refused.code is ErrorCode.BAD_CODE
    assert room.table.state is TableState.PLAYING


def test_people_keep_their_seats() -> None:
    lan = RenewedLan("bot", "organiser", "admin")
    duel = Duel(lan)
    lan.start_anew()
    for client in (duel.anna, duel.bob):
        lan.connect(client)
    duel.act(PASS)
