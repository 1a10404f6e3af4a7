"""Every error code that a server of this version sends, brought about once."""

from collections.abc import Callable

import pytest

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Create,
    Error,
    GiveLink,
    Goodbye,
    Hello,
    Invite,
    Join,
    Ping,
    Ready,
    Refused,
    Request,
    Revoke,
    Start,
)
from passing_protocol.session import ClientSession
from passing_protocol.views import GameOptions, TableOptions
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, End, Play, Tile
from passing_server.access import Access
from passing_server.limits import LIMITS
from tests.support.duel import DRAW, PASS, Duel, error
from tests.support.guests import LOCAL, GuestBook
from tests.support.lan import AGENT, TOKENS, Lan, counted_entropy, new_server
from tests.support.memory_store import MemoryStore

LATER: frozenset[ErrorCode] = frozenset({ErrorCode.KEY_CHANGED, ErrorCode.DISK})
"""Codes of what this version has not: keys of clients, and a store."""

Scene = Callable[[], Error | Refused | Goodbye]
SCENES: dict[ErrorCode, Scene] = {}


def brings(code: ErrorCode) -> Callable[[Scene], Scene]:
    """Note what brings a code about."""

    def note(scene: Scene) -> Scene:
        SCENES[code] = scene
        return scene

    return note


def raw(lan: Lan, peer: bytes, data: bytes) -> Error | Refused:
    lan.server.receive(lan.now, peer, data)
    answer = decode_server(lan.server.flush(lan.now)[0].data)[0]
    assert isinstance(answer, Error | Refused)
    return answer


@pytest.mark.parametrize("code", [code for code in ErrorCode if code not in LATER])
def test_every_code_can_be_met_and_says_whether_to_try_again(code: ErrorCode) -> None:
    answer = SCENES[code]()
    assert answer.code is code
    assert answer.detail
    if isinstance(answer, Error):
        assert answer.retry is MEANINGS[code].retry


@brings(ErrorCode.MALFORMED)
def nil() -> Error | Refused:
    lan = Lan()
    return raw(lan, lan.client("anna").peer, b"\xc0")


@brings(ErrorCode.TOO_LARGE)
def long_frame() -> Error | Refused:
    lan = Lan()
    return raw(lan, lan.client("anna").peer, b"\x00" * 4_097)


@brings(ErrorCode.UNSUPPORTED)
def unknown_type() -> Error | Refused:
    lan = Lan()
    return raw(lan, lan.client("anna").peer, b"\x82\xa4type\xa1x\xa2id\x01")


@brings(ErrorCode.VERSION)
def other_version() -> Error | Refused:
    version = PROTOCOL_VERSION + 1
    return raw(Lan(), b"p", encode(Hello((version, version), "anna", AGENT)))


@brings(ErrorCode.NOT_ADMITTED)
def no_hello() -> Error | Refused:
    return raw(Lan(), b"p", encode(Ping(1)))


@brings(ErrorCode.BAD_CODE)
def wrong_token() -> Error | Refused:
    hello = Hello((PROTOCOL_VERSION, PROTOCOL_VERSION), "anna", AGENT, token="x" * 32)
    return raw(Lan(), b"p", encode(hello))


@brings(ErrorCode.SUPERSEDED)
def newer_connection() -> Goodbye:
    lan = Lan()
    anna = lan.client("anna")
    peer = anna.peer
    lan.server.receive(lan.now, b"new", anna.session.connect())
    frame = next(one for one in lan.server.flush(lan.now) if one.peer == peer)
    return goodbye(frame.data)


def goodbye(data: bytes) -> Goodbye:
    message = decode_server(data)[0]
    assert isinstance(message, Goodbye)
    return message


@brings(ErrorCode.DRAINING)
def server_ends() -> Goodbye:
    lan = Lan()
    lan.client("anna")
    lan.server.close(lan.now)
    return goodbye(lan.server.flush(lan.now)[0].data)


@brings(ErrorCode.RATE_LIMITED)
def flood() -> Error:
    anna = Lan().client("anna")
    for _ in range(LIMITS.burst):
        anna.send(Ping(0))
    return anna.refusal(Ping(0))


@brings(ErrorCode.FULL)
def fifth_table() -> Error:
    lan = Lan()
    anna = lan.client("anna")
    for _ in range(LIMITS.tables_each):
        lan.table(anna, GameOptions(seats=2))
    return anna.refusal(Create(0, "x"))


def at_annas_table(request: Request, name: str = "bob", *, filled: bool = False) -> Error:
    lan = Lan()
    anna = lan.client("anna")
    lan.table(anna, GameOptions(seats=2))
    if filled:
        lan.client("zoe").send(Join(0, "t1"))
    return (anna if name == "anna" else lan.client(name)).refusal(request)


@brings(ErrorCode.NO_SUCH_TABLE)
def no_table() -> Error:
    return at_annas_table(Join(0, "t2"))


@brings(ErrorCode.TABLE_FULL)
def full_table() -> Error:
    return at_annas_table(Join(0, "t1"), filled=True)


@brings(ErrorCode.TABLE_STATE)
def not_filled() -> Error:
    return at_annas_table(Start(0, "t1"), "anna")


@brings(ErrorCode.SEAT_TAKEN)
def taken() -> Error:
    return at_annas_table(Join(0, "t1", 0))


@brings(ErrorCode.NAME_TAKEN)
def same_name() -> Error:
    return at_annas_table(Join(0, "t1"), "ANNA")


@brings(ErrorCode.NO_SUCH_ENGINE)
def no_engine() -> Error:
    return at_annas_table(Invite(0, "t1", "deep"), "anna")


@brings(ErrorCode.NO_SUCH_CLIENT)
def no_client() -> Error:
    access = Access(dict(TOKENS), guests=GuestBook().guests)
    server = new_server("den", access, counted_entropy("guests"), 1, MemoryStore())
    server.recover(0)
    admin = ClientSession("op", AGENT, token=TOKENS["admin"])
    server.receive(0, b"p", admin.connect(), LOCAL)
    admin.receive(server.flush(0)[0].data)
    server.receive(0, b"p", admin.request(Revoke(0, "bo"))[1], LOCAL)
    answer = decode_server(server.flush(0)[0].data)[0]
    assert isinstance(answer, Error)
    return answer


@brings(ErrorCode.NO_SUCH_DEAL)
def no_deal() -> Error:
    return at_annas_table(GiveLink(0, "t1", "m1", 1, "ab" * 32), "anna")


@brings(ErrorCode.NOT_OWNER)
def not_owner() -> Error:
    return at_annas_table(Start(0, "t1"))


@brings(ErrorCode.NOT_SEATED)
def not_seated() -> Error:
    return at_annas_table(Ready(0, "t1"))


@brings(ErrorCode.NOT_YOUR_TURN)
def not_your_turn() -> Error:
    duel = Duel(Lan())
    return duel.other.refusal(Act(0, duel.table, duel.ask.turn, PASS))


@brings(ErrorCode.STALE_TURN)
def stale_turn() -> Error:
    duel = Duel(Lan())
    return duel.actor.refusal(Act(0, duel.table, duel.ask.turn + 1, PASS))


@brings(ErrorCode.TURN_DECIDED)
def turn_decided() -> Error:
    duel = Duel(Lan())
    actor, turn = duel.actor, duel.ask.turn
    duel.act(PASS)
    return actor.refusal(Act(0, duel.table, turn, DRAW))


@brings(ErrorCode.TOO_LATE)
def too_late() -> Error:
    duel = Duel(Lan(), TableOptions(turn_ms=100, bank_ms=0))
    actor, turn = duel.actor, duel.ask.turn
    duel.lan.pass_time(200)
    return actor.refusal(Act(0, duel.table, turn, PASS))


@brings(ErrorCode.ROUND_OVER)
def round_over() -> Error:
    duel = Duel(Lan())
    actor = duel.actor
    duel.act(PASS)
    duel.act(PASS)
    return actor.refusal(Act(0, duel.table, 3, PASS))


@brings(ErrorCode.NOT_IN_HAND)
def not_in_hand() -> Error:
    duel = Duel(Lan())
    foreign = next(tile for tile in ALL_TILES if str(tile) not in duel.hand(duel.actor))
    return error(duel.actor.act(duel.table, action_message(Play(foreign, None))))


@brings(ErrorCode.DOES_NOT_FIT)
def end_with_the_first_tile() -> Error:
    duel = Duel(Lan())
    tile = Tile.parse(duel.hand(duel.actor)[0])
    return error(duel.actor.act(duel.table, action_message(Play(tile, End.LEFT))))


@brings(ErrorCode.END_NEEDED)
def no_end_with_a_later_tile() -> Error:
    duel = Duel(Lan())
    duel.act(duel.ask.legal[0])
    tile = Tile.parse(duel.hand(duel.actor)[0])
    return error(duel.actor.act(duel.table, action_message(Play(tile, None))))


@brings(ErrorCode.BONEYARD_FLOOR)
def floor() -> Error:
    duel = Duel(Lan())
    while DRAW in duel.ask.legal:
        duel.act(DRAW)
    return error(duel.actor.act(duel.table, DRAW))
