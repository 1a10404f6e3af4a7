"""Two people at a table of their own on a LAN, in the middle of a match."""

from passing_protocol.messages import Error, Join, Ready, ServerMessage, Update
from passing_protocol.views import Ask, GameOptions, TableOptions
from passing_protocol.wire import ActionMessage
from passing_server.rooms import Room
from tests.support.lan import Lan, LanClient

DRAW = ActionMessage(draw=True)
PASS = ActionMessage(pass_=True)


class Duel:
    """Anna and Bob play; `actor` is asked, `other` waits."""

    def __init__(
        self,
        lan: Lan,
        wishes: TableOptions | None = None,
        game: GameOptions | None = None,
        names: tuple[str, str] = ("anna", "bob"),
    ) -> None:
        self.lan = lan
        self.anna, self.bob = (lan.client(name) for name in names)
        self.table = lan.table(self.anna, game or GameOptions(seats=2, target=9_999), wishes)
        self.bob.send(Join(0, self.table))
        self.ready()

    def ready(self) -> None:
        for client in (self.anna, self.bob):
            client.send(Ready(0, self.table))

    def asks(self, client: LanClient) -> Ask | None:
        return client.tables[self.table].ask

    @property
    def actor(self) -> LanClient:
        return next(c for c in (self.anna, self.bob) if self.asks(c) is not None)

    @property
    def other(self) -> LanClient:
        return next(c for c in (self.anna, self.bob) if self.asks(c) is None)

    @property
    def ask(self) -> Ask:
        ask = self.asks(self.actor)
        assert ask is not None
        return ask

    @property
    def room(self) -> Room:
        return self.lan.server.lobby.rooms[self.table]

    def hand(self, client: LanClient) -> list[str]:
        mine = client.tables[self.table].mine
        assert mine is not None
        return list(mine.hand)

    def act(self, action: ActionMessage) -> Update:
        answer = self.actor.act(self.table, action)
        assert isinstance(answer, Update), answer
        return answer


def error(answer: ServerMessage) -> Error:
    assert isinstance(answer, Error), answer
    return answer


def updates(client: LanClient, since: int = 0) -> list[Update]:
    """The updates among a client's messages, from one place on."""
    return [message for message in client.messages[since:] if isinstance(message, Update)]
