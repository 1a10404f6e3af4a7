"""A client that has lost all but its key gets back the session that it has left at a table."""

import pytest

from passing_protocol.codec import decode_server
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act, Create, Join, Start, Update, Watch
from passing_protocol.views import GameOptions, SeatState, TableOptions
from tests.support.encrypted_lan import EncryptedLan
from tests.support.guests import LOCAL, key_of
from tests.support.lan import LanClient

AWAY_MS = 11_000
OPTIONS = TableOptions(deal="server", turn_ms=0)


class Evening:
    """Ann and Bob play; Ann's process is about to be killed."""

    def __init__(self) -> None:
        self.lan = EncryptedLan()
        self.ann, self.bob = self.lan.member("ann"), self.lan.member("bob")
        self.table = self.lan.table(self.ann, GameOptions(seats=2), OPTIONS)
        self.bob.send(Join(0, self.table))
        self.ann.send(Start(0, self.table))

    def kill(self, client: LanClient, *, noticed: bool = True) -> None:
        """End a client's process, which the server's socket notices or not."""
        self.lan.cut(client)
        if noticed:
            self.lan.server.sessions.note_cut(client.peer)

    def again(self, name: str = "ann", key: str | None = None) -> LanClient:
        """Start another process of a client."""
        return self.lan.client(name, key=key or key_of("ann"))

    def seat_of(self, client: LanClient) -> int | None:
        """Return the seat that a client knows to be its own."""
        shown = client.tables.get(self.table)
        return shown.mine.seat if shown is not None and shown.mine is not None else None


def session_of(client: LanClient) -> str:
    assert client.session.welcome is not None
    return client.session.welcome.session


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_a_new_process_of_the_same_key_has_the_seat_back_at_once(evening: Evening) -> None:
    hand = evening.ann.tables[evening.table].mine
    evening.kill(evening.ann)
    again = evening.again()
    assert again.session.welcome is not None
    assert not again.session.welcome.resumed
    assert session_of(again) == session_of(evening.ann)
    assert again.tables[evening.table].mine == hand
    assert evening.seat_of(again) == 0


def test_its_messages_and_requests_count_from_the_beginning(evening: Evening) -> None:
    evening.kill(evening.ann)
    again = evening.again()
    assert next(m.seq for m in again.messages if isinstance(m, Update)) == 1
    made = again.ask(Create(0, "another", GameOptions(seats=2)))
    assert isinstance(made, Update)
    assert made.table != evening.table


def test_it_plays_on(evening: Evening) -> None:
    clients = {"ann": evening.ann, "bob": evening.bob}
    for _ in range(6):
        if clients["ann"].tables[evening.table].ask is not None:
            evening.kill(clients["ann"])
            clients["ann"] = evening.again()
        actor = next(c for c in clients.values() if c.tables[evening.table].ask is not None)
        ask = actor.tables[evening.table].ask
        assert ask is not None
        answer = actor.ask(Act(0, evening.table, ask.turn, ask.legal[0]))
        assert isinstance(answer, Update)


def test_a_process_that_lives_keeps_its_session(evening: Evening) -> None:
    again = evening.again()
    assert session_of(again) != session_of(evening.ann)
    assert evening.seat_of(again) is None
    assert again.refusal(Join(0, evening.table)).code is ErrorCode.SEAT_TAKEN
    assert evening.seat_of(evening.ann) == 0


def test_one_that_was_cut_without_notice_is_given_back_when_it_is_away(evening: Evening) -> None:
    evening.kill(evening.ann, noticed=False)
    assert session_of(evening.again()) != session_of(evening.ann)
    evening.lan.pass_time(AWAY_MS)
    assert evening.seat_of(evening.again()) == 0


@pytest.mark.parametrize(
    ("name", "key"), [("ann b", key_of("ann")), ("ann", key_of("bob")), ("ann", LOCAL)]
)
def test_nobody_else_gets_it(evening: Evening, name: str, key: str) -> None:
    evening.kill(evening.ann)
    other = evening.again(name, key)
    assert session_of(other) != session_of(evening.ann)
    assert evening.seat_of(other) is None
    assert not [
        frame for frame in other.frames for m in decode_server(frame) if isinstance(m, Update)
    ]


def test_two_local_engines_of_one_name_never_get_each_others_session() -> None:
    lan = EncryptedLan()
    one = lan.local("greedy", "bot")
    table = lan.table(lan.member("ann"), GameOptions(seats=3))
    one.send(Join(0, table))
    lan.cut(one)
    lan.pass_time(AWAY_MS)
    assert session_of(lan.local("greedy", "bot")) != session_of(one)


def test_the_last_process_has_it_and_the_token_of_the_first_is_worth_nothing(
    evening: Evening,
) -> None:
    evening.kill(evening.ann)
    again = evening.again()
    evening.lan.connect(evening.ann)
    assert session_of(evening.ann) != session_of(again)
    assert evening.seat_of(again) == 0


def test_a_watcher_has_its_place_back(evening: Evening) -> None:
    cyd = evening.lan.member("cyd")
    cyd.send(Watch(0, evening.table))
    evening.kill(cyd)
    again = evening.again("cyd", key_of("cyd"))
    assert again.tables[evening.table].public is not None
    assert evening.seat_of(again) is None


def test_what_the_first_process_had_asked_is_not_answered_to_the_second(
    evening: Evening,
) -> None:
    asked = [c for c in (evening.ann, evening.bob) if c.tables[evening.table].ask is not None]
    [actor] = asked
    name = "ann" if actor is evening.ann else "bob"
    ask = actor.tables[evening.table].ask
    assert ask is not None
    _, data = actor.session.request(Act(0, evening.table, ask.turn, ask.legal[0]))
    evening.lan.server.receive(evening.lan.now, actor.peer, data, actor.key)
    evening.kill(actor)
    again = evening.again(name, actor.key)
    assert not [m for m in again.messages if getattr(m, "re", None) is not None]
    assert again.tables[evening.table].ask is None


def test_it_comes_back_after_a_restart_too(evening: Evening) -> None:
    evening.lan.crash()
    assert evening.lan.start_again() == []
    again = evening.again()
    assert evening.seat_of(again) == 0
    seat = evening.lan.server.lobby.rooms[evening.table].table.seats[0]
    assert seat.info().state is SeatState.TAKEN
