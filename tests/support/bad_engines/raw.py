"""Misdeeds for which a proper connection is too well-behaved: a bare DEALER commits them."""

import itertools
from typing import Final, NoReturn

import msgpack

from passing_link.address import Address
from passing_protocol.codec import encode
from passing_protocol.messages import Invited, Join, Lobby, Ping, Request, UpdateOf
from passing_protocol.views import Ask
from tests.support.protocol.bad_frames import NOT_A_MAP, NOT_MSGPACK
from tests.support.sockets import RawClient

PING_EVERY_MS: Final = 1_000
WRONG_ACTIONS: Final[tuple[object, ...]] = (7, "pass", [], {"play": 46}, {"play": "77"}, {})


class Numbers:
    """Give every request an id of its own."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.garbage = itertools.cycle([*NOT_MSGPACK, *NOT_A_MAP])

    def next(self) -> int:
        return next(self._numbers)


def malformed(client: RawClient, numbers: Numbers, table: str, ask: Ask) -> None:
    """Answer with what is no message, what is none of the protocol, and what has wrong types."""
    client.send(next(numbers.garbage).data)
    client.send(encode(Ping(numbers.next())), b"a second frame")
    act: dict[str, object] = {"type": "act", "id": numbers.next(), "table": table}
    client.send(msgpack.packb(act))
    client.send(msgpack.packb(act | {"turn": str(ask.turn), "action": {"pass": True}}))
    for action in WRONG_ACTIONS:
        act |= {"id": numbers.next(), "turn": ask.turn, "action": action}
        client.send(msgpack.packb(act))


def flooding_for_ever(client: RawClient, numbers: Numbers, table: str, ask: Ask) -> NoReturn:
    """Send without end, and never read again."""
    while True:
        number = numbers.next()
        client.request(Ping(number) if number % 2 else Lobby(number))


RAW_MISDEEDS: Final = {"malformed": malformed, "flooding_for_ever": flooding_for_ever}


def misbehave_raw(address: Address, token: str | None, name: str, tables: int, kind: str) -> None:
    """Accept every invitation, and commit the misdeed at every question, until killed."""
    (host, *_) = address.resolve()
    numbers = Numbers()
    with RawClient(str(host)) as client:
        client.hello(name, token=token, tables=tables)
        while True:
            message = client.heard(PING_EVERY_MS)
            request: Request | None = None
            if message is None:
                request = Ping(numbers.next())
            elif isinstance(message, Invited):
                request = Join(numbers.next(), message.table, message.seat)
            elif isinstance(message, UpdateOf) and message.ask is not None:
                RAW_MISDEEDS[kind](client, numbers, message.table, message.ask)
            if request is not None:
                client.request(request)
