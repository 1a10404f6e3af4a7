"""A LAN whose server stores what happens, and can be ended and started anew."""

from passing_protocol.messages import Create, Invite, Update
from passing_protocol.views import GameOptions, TableOptions, TableState
from passing_server.access import Access
from passing_server.core import Server
from passing_server.storing import Durability, Store
from tests.support.lan import TOKENS, Lan, circumstances, counted_entropy


class StoredLan(Lan):
    """Run a server on a store that outlives it; `day` is what it counts as today."""

    def __init__(self, store: Store, people: Durability = Durability.FULL, day: int = 0) -> None:
        super().__init__("stored")
        self.kept = store
        self.people = people
        self.day = day
        self.start()

    def start(self) -> None:
        """Start a server on what is stored, without clients."""
        self.server = Server(
            "den",
            Access(dict(TOKENS)),
            counted_entropy(f"life {self.now}"),
            1,
            self.kept,
            **circumstances(self.people, lambda: self.day),
        )
        assert self.server.recover(self.now) == []

    def start_anew(self) -> None:
        """End the server in good order and start another one on what it has stored."""
        self.server.close(self.now)
        self.settle()
        for client in list(self.connected()):
            self.cut(client)
        self.now += 1_000
        self.start()

    def play_a_match(self, name: str = "kitchen") -> str:
        """Let two engines play a match of one round, and return its id; their table is gone then.

        They play the first action that is legal.
        """
        organiser = self.client("org", "organiser")
        engines = [self.client(f"{name} {number}", "bot") for number in (1, 2)]
        made = organiser.ask(
            Create(0, name, GameOptions(seats=2, max_rounds=1), TableOptions(), sit=False)
        )
        assert isinstance(made, Update)
        for number in (1, 2):
            organiser.send(Invite(0, made.table, f"{name} {number}"))
        room = self.server.lobby.rooms[made.table]
        while room.table.state is TableState.PLAYING:
            actor = next(e for e in engines if e.tables[made.table].ask is not None)
            ask = actor.tables[made.table].ask
            assert ask is not None
            actor.act(made.table, ask.legal[0])
        assert room.table.play is not None
        return room.table.play.id
