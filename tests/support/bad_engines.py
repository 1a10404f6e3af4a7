"""Engines that misbehave, each in one way: some through the SDK, some with the bare protocol.

Run as a program: `python -m tests.support.bad_engines KIND CONNECTION_FILE`.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from passing_bots import Action, Engine, Play, Server, Tile, TurnView, play
from passing_bots.playing import agent_of
from passing_link.blocking import Connection
from passing_link.news import LinkEnded
from passing_protocol.messages import Act, Caps, Invited, Join, Lobby, Ping, UpdateOf
from passing_protocol.views import Ask
from passing_protocol.wire import ActionMessage, action_message

SLOWNESS_S = 0.15
FLOOD = 300


class Slow(Engine):
    """Take longer than the clock allows."""

    def choose(self, view: TurnView) -> Action:
        time.sleep(SLOWNESS_S)
        return view.legal[0]


class Illegal(Engine):
    """Play a tile that cannot be played, or none of the game."""

    def choose(self, view: TurnView) -> Action:
        elsewhere = view.unseen[0] if view.unseen else Tile(0, 0)
        return Play(elsewhere, None)


class Nothing(Engine):
    """Return what is no action at all."""

    def choose(self, view: TurnView) -> Action:
        return cast("Action", None)


class Crashing(Engine):
    """Fail at every question."""

    def choose(self, view: TurnView) -> Action:
        raise RuntimeError(f"seat {view.seat} fell over")


class Dying(Engine):
    """Take the whole process along at the first question."""

    def choose(self, view: TurnView) -> Action:
        os._exit(3)


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


def flooding(connection: Connection, table: str, ask: Ask) -> None:
    """Talk without end before each answer."""
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


ENGINES: dict[str, type[Engine]] = {
    "slow": Slow,
    "illegal": Illegal,
    "nothing": Nothing,
    "crashing": Crashing,
    "dying": Dying,
}
MISDEEDS: dict[str, Misdeed] = {
    "silent": silent,
    "illegal_on_the_wire": illegal_on_the_wire,
    "flooding": flooding,
    "stale": stale,
    "duplicate": duplicate,
    "elsewhere": elsewhere,
}
KINDS = (*ENGINES, *MISDEEDS)


def misbehave(server: Server, name: str, misdeed: Misdeed) -> None:
    """Accept every invitation, and commit the misdeed at every question."""
    with Connection.open(
        server.address, name=name, agent=agent_of(name), caps=Caps(tables=1), token=server.token
    ) as connection:
        while True:
            message = connection.receive()
            if isinstance(message, Invited):
                connection.send(Join(0, message.table, message.seat))
            elif isinstance(message, UpdateOf) and message.ask is not None:
                misdeed(connection, message.table, message.ask)


def main(kind: str, connection: str) -> None:
    server = Server.find(connection=Path(connection))
    try:
        if kind in ENGINES:
            play(ENGINES[kind], server, name=kind)
        else:
            misbehave(server, kind, MISDEEDS[kind])
    except LinkEnded as ended:
        sys.exit(str(ended))


if __name__ == "__main__":
    main(*sys.argv[1:])
