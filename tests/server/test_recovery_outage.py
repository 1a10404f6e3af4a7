"""After an outage of the store nothing that was noted during it lies in the future."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Chat, Drain, Error, Ok, Status, StatusReport
from passing_protocol.views import GameOptions, TableOptions
from passing_server.allowance import Allowance, Allowances
from passing_server.clock import SteadyClock
from passing_server.limits import GAP_MS
from tests.support.duel import Duel
from tests.support.lan import Lan, LanClient

LONG_S = 3_600


class Outage:
    """A duel whose store fails; an admin has come in meanwhile."""

    def __init__(self) -> None:
        self.lan = Lan()
        self.duel = Duel(self.lan, TableOptions(turn_ms=0), GameOptions(seats=2, target=9_999))
        self.lan.store.fail_next(10**9)
        self.duel.anna.send(Chat(0, self.duel.table, "hello"))
        self.lan.clients = {}
        assert self.lan.server.ailment is not None
        self.lan.fall_silent(LONG_S * 1_000, step=1_000)
        self.admin: LanClient = self.lan.client("op", "admin")

    def end(self) -> None:
        self.lan.store.fail_next(0)
        self.lan.pass_time(2_000)
        assert self.lan.server.ailment is None
        self.lan.come_back(self.duel.anna, self.duel.bob)

    def report(self) -> StatusReport:
        answer = self.admin.ask(Status(0))
        assert isinstance(answer, StatusReport), answer
        return answer


def test_who_has_asked_during_an_outage_may_ask_after_it() -> None:
    outage = Outage()
    for _ in range(50):
        outage.report()
    outage.end()
    for _ in range(50):
        outage.report()
        outage.lan.pass_time(100)


def test_during_an_outage_an_admin_may_go_on_asking() -> None:
    outage = Outage()
    for _ in range(400):
        outage.report()
        outage.lan.pass_time(1_000, step=500)
    assert outage.lan.server.ailment is not None


def test_the_time_that_the_server_is_up_never_goes_back() -> None:
    outage = Outage()
    before = outage.report().uptime_ms
    outage.end()
    after = outage.report()
    assert before < after.uptime_ms < before + 3_000
    assert before >= LONG_S * 1_000
    assert after.in_per_s < 100


@pytest.mark.parametrize("before_s", [0, 10, 200])
def test_a_drain_ends_in_its_time_whatever_happens_to_the_store(before_s: int) -> None:
    outage = Outage()
    assert isinstance(outage.admin.ask(Drain(0, 300_000)), Ok)
    outage.lan.pass_time(before_s * 1_000, step=1_000)
    outage.end()
    outage.lan.pass_time(290_000 - before_s * 1_000, step=1_000)
    assert not outage.lan.server.draining.over
    outage.lan.pass_time(10_000)
    assert outage.lan.server.draining.over


def test_a_drain_ends_in_its_time_while_nothing_can_be_stored() -> None:
    outage = Outage()
    outage.admin.send(Drain(0, 300_000))
    outage.lan.pass_time(301_000, step=1_000)
    assert outage.lan.server.draining.over


@given(st.lists(st.tuples(st.integers(-9_000, 9_000), st.booleans()), max_size=30))
def test_neither_time_of_the_clock_ever_goes_back(steps: list[tuple[int, bool]]) -> None:
    clock = SteadyClock()
    outside = 10**6
    here, running = clock.read(outside), clock.running
    for step, stopped in steps:
        if stopped:
            clock.stop()
        else:
            assert clock.go_on() == here
        outside += step
        gone = step if 0 <= step <= GAP_MS else 0
        assert clock.read(outside) == here + (0 if stopped else gone)
        assert clock.running == running + gone
        here, running = clock.read(outside), clock.running
        assert clock.until(here + 7) == clock.until_running(running + 7) == outside + 7


@given(st.integers(0, 10**6), st.integers(0, 10**7))
def test_an_allowance_counted_in_the_future_takes_nothing_back(now: int, ahead: int) -> None:
    allowance = Allowance(5, now + ahead)
    allowance.spend(now, 1, 5)
    assert allowance.left == 4
    allowance.spend(now + 1_000, 1, 5)
    assert allowance.left == 4


def test_a_connection_has_its_burst_and_no_more() -> None:
    greetings = Allowances(2, 1)
    for now in (5_000, 1_000):
        greetings.spend(now, b"peer")
    with pytest.raises(RequestRefused) as refused:
        greetings.spend(1_000, b"peer")
    assert refused.value.code is ErrorCode.RATE_LIMITED
    greetings.spend(2_000, b"peer")


def test_an_error_is_told_as_one() -> None:
    outage = Outage()
    refusal = outage.admin.ask(Chat(0, outage.duel.table, "hello?"))
    assert isinstance(refusal, Error)
    assert refusal.code is ErrorCode.DISK
