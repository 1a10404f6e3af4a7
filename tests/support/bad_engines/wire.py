"""Misdeeds with the messages of the protocol, over a proper connection."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from passing_bots import Play, Server, Tile
from passing_bots.playing import agent_of
from passing_link.blocking import Connection
from passing_link.news import Item, LinkDown
from passing_protocol.messages import (
    Act,
    Caps,
    Decline,
    Invited,
    Join,
    Leave,
    Lobby,
    Ping,
    UpdateOf,
)
from passing_protocol.views import Ask
from passing_protocol.wire import ActionMessage, action_message

FLOOD: Final = 300

Misdeed = Callable[[Connection, str, Ask], None]


def answer(connection: Connection, table: str, turn: int, action: ActionMessage) -> None:
    connection.send(Act(0, table, turn, action))


def silent(connection: Connection, table: str, ask: Ask) -> None:
    """Be there and never answer."""


def illegal_on_the_wire(connection: Connection, table: str, ask: Ask) -> None:
    """Play the same wrong tile again and again."""
    legal = {message.action for message in ask.legal}
    wrong = next(
        Play(tile, None)
        for tile in (Tile(low, high) for low in range(7) for high in range(low, 7))
        if Play(tile, None) not in legal
    )
    for _ in range(5):
        answer(connection, table, ask.turn, action_message(wrong))


def uncaught(connection: Connection, table: str, ask: Ask) -> None:
    """Fail where nothing catches it: the program ends with a trace, and says goodbye."""
    raise RuntimeError(f"table {table}, turn {ask.turn}: fell over")


def flooding(connection: Connection, table: str, ask: Ask) -> None:
    """Talk too much before each answer."""
    for number in range(FLOOD):
        connection.send(Ping(0) if number % 2 else Lobby(0))
    answer(connection, table, ask.turn, ask.legal[0])


def stale(connection: Connection, table: str, ask: Ask) -> None:
    """Answer the turn before, the turn after, and then the turn that was asked."""
    for turn in (max(0, ask.turn - 1), ask.turn + 1, ask.turn):
        answer(connection, table, turn, ask.legal[0])


def duplicate(connection: Connection, table: str, ask: Ask) -> None:
    """Give every answer three times, and a different one after that."""
    for action in [ask.legal[0]] * 3 + [ask.legal[-1]]:
        answer(connection, table, ask.turn, action)


def elsewhere(connection: Connection, table: str, ask: Ask) -> None:
    """Answer for a table that is not there."""
    answer(connection, f"{table}9", ask.turn, ask.legal[0])


def leaving(connection: Connection, table: str, ask: Ask) -> None:
    """Answer once, and leave the seat in mid round."""
    if ask.turn <= 2:
        answer(connection, table, ask.turn, ask.legal[0])
    else:
        connection.send(Leave(0, table))


MISDEEDS: Final[dict[str, Misdeed]] = {
    "silent": silent,
    "illegal_on_the_wire": illegal_on_the_wire,
    "uncaught": uncaught,
    "flooding": flooding,
    "stale": stale,
    "duplicate": duplicate,
    "elsewhere": elsewhere,
    "leaving": leaving,
}

UNWILLING: Final[dict[str, Callable[[Invited], Decline | None]]] = {
    "mute": lambda _: None,
    "declining": lambda invited: Decline(0, invited.table),
}
"""What is answered to an invitation by those who never take a seat."""


def misbehave(server: Server, name: str, tables: int, kind: str) -> None:
    """Accept invitations, unless unwilling to, and commit the misdeed at every question."""
    with Connection.open(
        server.address,
        name=name,
        agent=agent_of(kind),
        caps=Caps(tables=tables),
        token=server.token,
    ) as connection:
        while True:
            message = connection.receive()
            # A question and the news that the server has cut us, for a flood, may come together:
            # the turn goes by, and the connection comes back.
            with suppress(LinkDown):
                react(connection, kind, message)


def react(connection: Connection, kind: str, message: Item | None) -> None:
    """Answer an invitation or a question in the kind's way; raises LinkDown."""
    if isinstance(message, Invited):
        reply = UNWILLING[kind](message) if kind in UNWILLING else join(message)
        if reply is not None:
            connection.send(reply)
    elif isinstance(message, UpdateOf) and message.ask is not None:
        MISDEEDS[kind](connection, message.table, message.ask)


def join(invited: Invited) -> Join:
    return Join(0, invited.table, invited.seat)
