"""Every role and every request: what one may do follows from how one was admitted."""

import re
from typing import get_args

import pytest

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    Act,
    Bye,
    Chat,
    Clients,
    Create,
    Decline,
    Drain,
    Error,
    GiveLink,
    Hello,
    Invite,
    Join,
    JoinCode,
    Leave,
    Lobby,
    Ping,
    Ready,
    Remove,
    Request,
    Resync,
    Revoke,
    RevokeAll,
    Role,
    ShowTip,
    Start,
    Status,
    TipsOk,
    Update,
    Watch,
)
from passing_protocol.tokens import token_for
from passing_protocol.views import GameOptions, TableOptions
from passing_server.access import Access
from tests.support.duel import PASS, Duel
from tests.support.lan import TOKENS, Lan, LanClient, counted_entropy, new_server
from tests.support.memory_store import MemoryStore

REQUESTS: dict[str, Request] = {
    "lobby": Lobby(0),
    "create": Create(0, "x", GameOptions(seats=2)),
    "join": Join(0, "t1"),
    "watch": Watch(0, "t1"),
    "leave": Leave(0, "t1"),
    "ready": Ready(0, "t1"),
    "start": Start(0, "t1"),
    "invite": Invite(0, "t1", "greedy"),
    "decline": Decline(0, "t1"),
    "remove": Remove(0, "t1", 0),
    "act": Act(0, "t1", 1, PASS),
    "chat": Chat(0, "t1", "hi"),
    "resync": Resync(0, 0),
    "ping": Ping(0),
    "bye": Bye(0),
    "status": Status(0),
    "drain": Drain(0, 0),
    "tip": ShowTip(0, "t1", "m1", 0, "ab" * 32),
    "tips_ok": TipsOk(0, "t1", "m1", 1, "ab" * 32),
    "link": GiveLink(0, "t1", "m1", 1, "ab" * 32),
    "join_code": JoinCode(0, "player"),
    "clients": Clients(0),
    "revoke": Revoke(0, "bo"),
    "revoke_all": RevokeAll(0),
}
RUN_TABLES = {"create", "start", "invite", "remove"}
RUN_THE_SERVER = {"status", "drain", "join_code", "clients", "revoke", "revoke_all"}
NOT_ADMITTED: dict[Role, set[str]] = {
    Role.PLAYER: {*RUN_THE_SERVER, "decline"},
    Role.SPECTATOR: {*RUN_TABLES, *RUN_THE_SERVER, "join", "decline"},
    Role.BOT: {*RUN_TABLES, *RUN_THE_SERVER},
    Role.ORGANISER: {*RUN_THE_SERVER, "decline"},
    Role.ADMIN: {*RUN_TABLES, "join", "decline"},
}


def lan_with(role: Role) -> tuple[Lan, LanClient]:
    """A LAN with an open table of somebody else's, and a client of that role."""
    lan = Lan(default=Role.SPECTATOR if role is Role.SPECTATOR else Role.PLAYER)
    lan.table(lan.client("org", "organiser"), GameOptions(seats=2))
    return lan, lan.client("zoe", None if role in (Role.PLAYER, Role.SPECTATOR) else role.value)


@pytest.mark.parametrize("name", list(REQUESTS))
@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_send_just_what_it_may(role: Role, name: str) -> None:
    _, client = lan_with(role)
    answer = client.ask(REQUESTS[name])
    refused = isinstance(answer, Error) and answer.code is ErrorCode.NOT_ADMITTED
    assert refused == (name in NOT_ADMITTED[role])
    if isinstance(answer, Error) and refused:
        assert re.fullmatch(r"As (an?|the) \w+ you cannot [a-z ,]+\.", answer.detail)


def test_every_request_is_tried() -> None:
    assert {str(one.__struct_config__.tag) for one in REQUESTS.values()} == set(REQUESTS)
    assert len(REQUESTS) == len(get_args(Request))


def test_only_an_organiser_fixes_the_deals() -> None:
    lan = Lan()
    seeded = Create(0, "x", GameOptions(seats=2), seed="0" * 32)
    assert lan.client("anna").refusal(seeded).code is ErrorCode.NOT_ADMITTED
    assert isinstance(lan.client("org", "organiser").ask(seeded), Update)


def test_an_engine_does_not_talk() -> None:
    lan = Lan()
    table = lan.table(lan.client("anna"), GameOptions(seats=2))
    engine = lan.client("greedy", "bot")
    engine.send(Join(0, table))
    assert engine.refusal(Chat(0, table, "hi")).code is ErrorCode.NOT_ADMITTED


@pytest.mark.parametrize(
    "request_", [Start(0, "t1"), Invite(0, "t1", "greedy"), Remove(0, "t1", 0)], ids=str
)
@pytest.mark.parametrize("who", ["player", "watcher", "stranger", "organiser"])
def test_only_the_owner_runs_a_table(request_: Request, who: str) -> None:
    lan = Lan()
    anna = lan.client("anna")
    lan.table(anna, GameOptions(seats=3))
    clients = {
        "player": lan.client("bob"),
        "watcher": lan.client("cyd"),
        "stranger": lan.client("dan"),
        "organiser": lan.client("org", "organiser"),
    }
    clients["player"].send(Join(0, "t1"))
    clients["watcher"].send(Watch(0, "t1"))
    assert clients[who].refusal(request_).code is ErrorCode.NOT_OWNER


def test_who_is_not_at_a_table_does_nothing_there() -> None:
    lan = Lan()
    Duel(lan)
    zoe = lan.client("zoe")
    for request in (Leave(0, "t1"), Ready(0, "t1"), Act(0, "t1", 1, PASS), Chat(0, "t1", "hi")):
        assert zoe.refusal(request).code is ErrorCode.NOT_SEATED


def test_a_watcher_holds_no_seat() -> None:
    lan = Lan()
    duel = Duel(lan)
    zoe = lan.watcher("zoe", duel.table)
    for request in (Ready(0, "t1"), Act(0, "t1", duel.ask.turn, PASS)):
        assert zoe.refusal(request).code is ErrorCode.NOT_SEATED
    assert zoe.tables["t1"].mine is None


def test_a_role_claimed_in_a_name_or_an_agent_is_worth_nothing() -> None:
    lan = Lan()
    welcome = lan.client("admin").session.welcome
    assert welcome is not None
    assert welcome.role is Role.PLAYER
    assert "role" not in Hello.__struct_fields__


def test_a_server_may_admit_unknown_clients_as_spectators_only() -> None:
    server = new_server("den", Access({}, Role.SPECTATOR), counted_entropy("x"), 1, MemoryStore())
    assert server.lobby.rooms == {}
    assert Access({}, Role.SPECTATOR).role(None, "x") is Role.SPECTATOR


def test_a_table_may_be_watched_by_every_role() -> None:
    for role in Role:
        _, client = lan_with(role)
        assert isinstance(client.ask(Watch(0, "t1")), Update)


def test_an_unowned_table_is_run_by_who_made_it() -> None:
    lan = Lan()
    maker = lan.client("anna")
    lan.client("greedy", "bot", caps=None)
    table = lan.table(maker, GameOptions(seats=2), TableOptions(), sit=False)
    assert maker.ask(Invite(0, table, "greedy"))
    assert lan.client("bob").refusal(Invite(0, table, "greedy")).code is ErrorCode.NOT_OWNER


def test_a_token_for_one_name_admits_an_engine_under_that_name_alone() -> None:
    access = Access(dict(TOKENS))
    own = token_for(TOKENS["bot"], "greedy.1")
    assert access.role(own, "greedy.1") is Role.BOT
    for name in ("greedy.2", "greedy", "Greedy.1", ""):
        with pytest.raises(RequestRefused) as refused:
            access.role(own, name)
        assert refused.value.code is ErrorCode.BAD_CODE
    with pytest.raises(RequestRefused):
        Access({"organiser": TOKENS["organiser"]}).role(own, "greedy.1")


@pytest.mark.parametrize("token", ["\u00e5" * 16, "\ud7ff" * 16])
def test_a_token_that_is_no_ascii_is_refused_as_any_other(token: str) -> None:
    with pytest.raises(RequestRefused):
        Access(dict(TOKENS)).role(token, "greedy.1")
