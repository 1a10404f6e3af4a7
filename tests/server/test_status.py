"""An admin may ask how the server is, whatever is wrong with it, and learns nothing of a game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Bye,
    Drain,
    Error,
    Goodbye,
    Lobby,
    Ok,
    Ping,
    Pong,
    Presence,
    Refused,
    Role,
    Status,
    StatusReport,
)
from passing_protocol.session import ClientSession
from passing_protocol.views import GameOptions, TableState
from passing_rules import ALL_TILES
from passing_server.limits import ANSWERS_TIMED, RATE_MS, RETRY_MS
from passing_server.status import StatusDesk, Totals
from passing_server.storing import Durability
from tests.support.duel import PASS, Duel
from tests.support.lan import AGENT, TOKENS, LanClient
from tests.support.memory_store import MemoryStore
from tests.support.stored_lan import StoredLan


class AilingLan(StoredLan):
    """A LAN whose store can fail."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        super().__init__(self.memory, Durability.FAST)

    def fail(self, times: int = 10**6) -> None:
        """Let the store fail from now on, and let the server notice."""
        self.memory.fail_next(times)
        newcomer = LanClient(self, ClientSession("newcomer", AGENT), b"")
        self.connect(newcomer)


def report(client: LanClient) -> StatusReport:
    answer = client.ask(Status(0))
    assert isinstance(answer, StatusReport), answer
    return answer


# --- what is in it


def test_it_counts_tables_and_sessions() -> None:
    lan = AilingLan()
    duel = Duel(lan)
    lan.table(lan.client("zoe"), GameOptions(seats=3))
    lan.client("greedy", "bot")
    lan.cut(duel.bob)
    lan.fall_silent(5_000)
    for client in lan.connected():
        client.send(Ping(0))
    lan.fall_silent(5_100)
    told = report(lan.client("root", "admin"))
    assert told.tables == {TableState.PLAYING: 1, TableState.OPEN: 1}
    assert told.sessions == [
        Presence(Role.PLAYER, 2, 1),
        Presence(Role.BOT, 1, 0),
        Presence(Role.ADMIN, 1, 0),
    ]


def test_it_says_which_life_this_is_and_since_when() -> None:
    lan = AilingLan()
    admin = lan.client("root", "admin")
    first = report(admin)
    lan.pass_time(3_000)
    second = report(admin)
    assert first.epoch == lan.server.epoch
    assert second.uptime_ms == first.uptime_ms + 3_000
    assert (first.memory, first.durability, first.ailment) == (48_000_000, "fast", None)
    assert not first.draining


def test_it_is_new_each_time() -> None:
    lan = AilingLan()
    admin = lan.client("root", "admin")
    before = report(admin)
    Duel(lan)
    assert report(admin).tables != before.tables


def test_it_tells_what_is_done_a_second() -> None:
    lan = AilingLan()
    admin = lan.client("root", "admin")
    duel = Duel(lan)
    for _ in range(20):
        lan.pass_time(1_000)
        for client in (duel.anna, duel.bob):
            for _ in range(10):
                client.send(Ping(0))
        if duel.asks(duel.anna) or duel.asks(duel.bob):
            duel.act(PASS)
        else:
            duel.ready()
    told = report(admin)
    assert 21 <= told.in_per_s <= 22  # now and then both say that they are ready
    assert 22 <= told.out_per_s <= 25  # both hear of an action
    assert 1 <= told.commits_per_s <= 2


def test_it_holds_no_tile_and_no_name() -> None:
    lan = AilingLan()
    duel = Duel(lan, names=("anastasia", "bartholomew"))
    data = encode(report(lan.client("root", "admin")))
    for name in ("anastasia", "bartholomew", duel.table, "kitchen", *TOKENS.values()):
        assert name.encode() not in data
    strings = {f"\xa2{tile}".encode("latin-1") for tile in ALL_TILES}  # as msgpack writes them
    assert not [tile for tile in strings if tile in data]


def test_it_tells_that_the_server_is_ending() -> None:
    lan = AilingLan()
    Duel(lan)
    admin = lan.client("root", "admin")
    admin.send(Drain(0, 60_000))
    assert report(admin).draining


# --- while nothing can be stored


def test_an_admin_is_let_in_while_nothing_can_be_stored() -> None:
    lan = AilingLan()
    duel = Duel(lan)
    lan.fail()
    told = report(lan.client("root", "admin"))
    assert told.ailment == lan.server.ailment
    assert told.ailment
    assert told.tables == {TableState.PLAYING: 1}
    assert duel.anna.messages[-1] == Goodbye(ErrorCode.DISK, told.ailment)


@pytest.mark.parametrize("role", [None, "bot", "organiser"])
def test_everybody_else_is_not(role: str | None) -> None:
    lan = AilingLan()
    lan.fail()
    token = TOKENS[role] if role is not None else None
    client = LanClient(lan, ClientSession("x", AGENT, token=token), b"")
    lan.connect(client)
    (refused,) = client.messages
    assert isinstance(refused, Refused)
    assert refused.code is ErrorCode.DISK


def test_nor_is_an_admin_who_would_go_on_with_a_session() -> None:
    lan = AilingLan()
    admin = lan.client("root", "admin")
    lan.fail()
    lan.connect(admin)
    assert isinstance(admin.messages[-1], Refused)


def test_an_admin_may_do_nothing_then_that_would_have_to_be_stored() -> None:
    lan = AilingLan()
    lan.fail()
    admin = lan.client("root", "admin")
    refusal = admin.refusal(Lobby(0))
    assert refusal.code is ErrorCode.DISK
    assert isinstance(admin.ask(Ping(0)), Pong)
    assert isinstance(admin.ask(Drain(0, 0)), Ok)
    assert isinstance(admin.ask(Bye(0)), Goodbye)


@pytest.mark.parametrize(("fails", "code"), [(True, ErrorCode.DISK), (False, ErrorCode.DRAINING)])
def test_the_last_goodbye_tells_whether_everything_is_stored(fails: bool, code: ErrorCode) -> None:
    lan = AilingLan()
    lan.fail(10**6 if fails else 1)
    admin = lan.client("root", "admin")
    lan.server.close(lan.now)
    lan.settle()
    goodbye = admin.messages[-1]
    assert isinstance(goodbye, Goodbye)
    assert goodbye.code is code


def test_it_is_well_again_when_the_store_works() -> None:
    lan = AilingLan()
    lan.fail(1)
    admin = lan.client("root", "admin")
    lan.fall_silent(RETRY_MS + 100)
    assert report(admin).ailment is None
    assert not isinstance(admin.ask(Lobby(0)), Error)


# --- what is left of who has asked


def sessions(lan: StoredLan) -> list[Role]:
    """The roles of all sessions, whether they are connected or not."""
    return [session.role for session in lan.server.sessions.by_id.values()]


def test_of_an_admin_nothing_is_stored() -> None:
    lan = StoredLan(MemoryStore())
    for role in ("admin", "bot", "organiser", None):
        lan.client(f"a {role}", role)
    lan.start_anew()
    assert sorted(sessions(lan)) == sorted({Role.PLAYER, Role.BOT, Role.ORGANISER})


def test_an_admin_who_says_goodbye_leaves_nothing() -> None:
    lan = AilingLan()
    lan.client("root", "admin").send(Bye(0))
    assert sessions(lan) == []


def test_an_admin_who_is_not_heard_any_more_is_soon_forgotten() -> None:
    lan = AilingLan()
    lan.cut(lan.client("root", "admin"))
    anna = lan.client("anna")
    for _ in range(4):
        lan.pass_time(5_000)
        anna.send(Ping(0))
    assert sessions(lan) == [Role.PLAYER]


# --- how long answers take


def test_without_a_message_nothing_is_told_of_answers() -> None:
    told = report(AilingLan().client("root", "admin"))
    assert (told.answer_p50_us, told.answer_p99_us) == (0, 0)


def test_a_turn_counts_once_for_each_of_its_messages() -> None:
    lan = AilingLan()
    lan.server.answered(60, 100)
    lan.server.answered(38, 700)
    lan.server.answered(2, 9_000)
    lan.server.answered(0, 10**6)
    told = report(lan.client("root", "admin"))
    assert (told.answer_p50_us, told.answer_p99_us) == (100, 9_000)


def test_answers_of_long_ago_do_not_count() -> None:
    lan = AilingLan()
    lan.server.answered(500, 10**6)
    lan.server.answered(ANSWERS_TIMED, 30)
    told = report(lan.client("root", "admin"))
    assert (told.answer_p50_us, told.answer_p99_us) == (30, 30)


# --- rates


def test_before_a_second_has_gone_by_rates_are_of_a_second() -> None:
    desk = StatusDesk(Durability.FULL, lambda: 0)
    desk.began = 500
    desk.received = 40
    assert desk.per_s(600) == Totals(40, 0, 0)


@given(st.lists(st.tuples(st.integers(20, 3_000), st.integers(0, 500)), min_size=1, max_size=60))
def test_rates_are_those_of_the_last_seconds(steps: list[tuple[int, int]]) -> None:
    desk = StatusDesk(Durability.FULL, lambda: 0)
    done: list[tuple[int, int]] = []
    now = 0
    for pause, count in steps:
        desk.sample(now)
        desk.received += count
        done.append((now, count))
        now += pause
    rate = desk.per_s(now).received
    windows = [start for start, _ in done if start >= now - RATE_MS - 7_000]
    allowed = [
        round(sum(n for at, n in done if at >= start) / (max(1_000, now - start) / 1_000))
        for start in windows
    ]
    assert rate in allowed


def test_old_counts_are_forgotten() -> None:
    desk = StatusDesk(Durability.FULL, lambda: 0)
    desk.sent = 10**6
    for now in range(0, 3 * RATE_MS, 100):
        desk.sample(now)
    assert desk.per_s(3 * RATE_MS).sent == 0
