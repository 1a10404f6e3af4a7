"""Tables at which engines of a bench play on and on."""

import time
from collections.abc import Sequence
from typing import Final

from passing_link.blocking import Connection
from passing_link.news import RequestFailed
from passing_protocol.messages import Create, Invite, Leave, Update
from passing_protocol.views import GameOptions, TableOptions

ENDLESS: Final = 9_999
"""A target that no match comes to while it is measured."""


def make_table(maker: Connection, number: int, engines: Sequence[str]) -> None:
    """Make a table as a person does, invite the engines, each as soon as it is there, and leave."""
    game = GameOptions(seats=len(engines), target=ENDLESS)
    options = TableOptions(turn_ms=60_000, pace_ms=0)
    made = maker.request(Create(0, f"t {number}", game, options, sit=False))
    if not isinstance(made, Update):
        raise TypeError(f"{made!r} where an update was expected")
    for seat, engine in enumerate(engines):
        _invite(maker, made.table, engine, seat)
    maker.request(Leave(0, made.table))


def _invite(maker: Connection, table: str, engine: str, seat: int) -> None:
    while True:
        try:
            maker.request(Invite(0, table, engine, seat))
        except RequestFailed:
            time.sleep(0.05)
        else:
            return
