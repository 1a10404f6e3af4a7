"""`--keep-days`: matches that are over are kept for so long, and no longer."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_server.housekeeping import HOUR_MS, MINUTE_MS, PIECE_MS, Housekeeping
from passing_server.log import Log
from passing_server.run_days import BELIEVED_MS, DATE, DAYS, RunDays
from passing_server.storing import StoreFailed
from tests.support.duel import PASS, Duel
from tests.support.memory_store import MemoryStore
from tests.support.stored_lan import StoredLan


class Keeper:
    """A store with matches of several days of running, and the housekeeping that looks after it."""

    def __init__(self, keep_days: int, days: tuple[int, ...]) -> None:
        self.store = MemoryStore()
        self.lan = StoredLan(self.store, day=1)
        self.lan.settle()
        for day in days:
            while self.lan.server.run_day < day:
                self.next_day()
            self.lan.play_a_match(f"day{day}")
        self.lan.settle()
        self.stream = io.StringIO()
        log = Log(self.stream, as_json=False)
        self.now = 0
        self.keeping = Housekeeping(
            self.store, keep_days, lambda: self.lan.server.run_day, log, self.now
        )

    def next_day(self) -> None:
        self.lan.day += 1
        self.lan.settle()

    def look(self, after: int = 0) -> None:
        """Let time pass, and go on until nothing old is left."""
        self.now += after
        for _ in range(9):
            self.keeping.look(self.now)
            self.now += PIECE_MS

    @property
    def days(self) -> list[int]:
        return [match.day for match in self.store.finished()]


@pytest.mark.parametrize(
    ("keep_days", "left"),
    [
        (30, [70, 71, 99, 100]),
        (29, [71, 99, 100]),
        (1, [99, 100]),
        (0, []),
        (36_500, [69, 70, 71, 99, 100]),
    ],
)
def test_at_the_start_what_is_over_for_longer_is_removed(keep_days: int, left: list[int]) -> None:
    keeper = Keeper(keep_days, (69, 70, 71, 99, 100))
    keeper.look()
    assert keeper.days == left


def test_each_day_it_is_looked_again() -> None:
    keeper = Keeper(30, (70, 100))
    keeper.look()
    assert keeper.days == [70, 100]
    keeper.look(MINUTE_MS)
    assert keeper.days == [70, 100]
    keeper.next_day()
    keeper.look(MINUTE_MS)
    assert keeper.days == [100]


def test_where_none_is_kept_it_is_looked_every_minute() -> None:
    keeper = Keeper(0, (2,))
    keeper.look()
    assert keeper.days == []
    keeper.lan.play_a_match("late")
    keeper.lan.settle()
    keeper.keeping.look(MINUTE_MS - 1)
    assert keeper.days == [2]
    keeper.look(MINUTE_MS)
    assert keeper.days == []


def test_what_was_removed_is_logged_once() -> None:
    keeper = Keeper(1, (1, 2, 9))
    keeper.look()
    keeper.next_day()
    keeper.look(MINUTE_MS)
    (line,) = keeper.stream.getvalue().splitlines()
    assert line.endswith("Matches removed that were over for 1 days: 2.")


# --- whatever the clock says


def test_a_clock_that_begins_in_1970_costs_no_match() -> None:
    """Stored before the network had told the time: that is no reason to remove it after."""
    store = MemoryStore()
    lan = StoredLan(store, day=0)
    lan.play_a_match("early")
    lan.day = 20_787
    lan.settle()
    keeping = Housekeeping(
        store, 1, lambda: lan.server.run_day, Log(io.StringIO(), as_json=False), 0
    )
    keeping.look(0)
    assert len(list(store.finished())) == 1


@pytest.mark.parametrize("wrong", [0, 30_000, 90_000])
def test_a_start_at_a_wrong_date_costs_no_match(wrong: int) -> None:
    store = MemoryStore()
    lan = StoredLan(store, day=20_787)
    lan.play_a_match("yesterday")
    for day in (wrong, 20_788):
        lan.day = day
        lan.start_anew()
        lan.settle()
        log = Log(io.StringIO(), as_json=False)
        keeping = Housekeeping(store, 2, lambda: lan.server.run_day, log, 0)
        for now in range(0, 500, PIECE_MS):
            keeping.look(now)
    assert len(list(store.finished())) == 1


DATES = st.lists(st.integers(0, 40_000), min_size=1, max_size=20)


@given(DATES, st.integers(0, 9))
def test_days_are_counted_once_however_the_clock_jumps(dates: list[int], known: int) -> None:
    """Never back, never by more than one at a look, and not again for a date before the newest."""
    date = iter(dates)
    days = RunDays(lambda: next(date))
    days.begin({DAYS: known}, 0)
    newest = -1
    for number, each in enumerate(dates):
        before = days.count
        changed = days.look(number)
        assert days.count == before + (each > newest)
        assert changed == ({DAYS: days.count, DATE: each} if each > newest else {})
        newest = max(newest, each)


def test_a_clock_that_is_set_back_is_believed_after_a_day() -> None:
    today = 90_000
    days = RunDays(lambda: today)
    days.begin({}, 0)
    days.look(0)
    today = 20_000
    assert days.look(1_000) == {}
    assert days.look(1_000 + BELIEVED_MS - 1) == {}
    assert days.look(1_000 + BELIEVED_MS) == {DAYS: 1, DATE: 20_000}
    today = 20_001
    assert days.look(1_000 + BELIEVED_MS) == {DAYS: 2, DATE: 20_001}


def test_a_clock_that_is_back_for_a_moment_is_not_believed() -> None:
    today = 20_000
    days = RunDays(lambda: today)
    days.begin({}, 0)
    days.look(0)
    for now in range(0, 3 * BELIEVED_MS, BELIEVED_MS // 2):
        today = 0
        assert days.look(now) == {}
        today = 20_000
        assert days.look(now + 1) == {}


def test_the_count_goes_on_where_the_file_that_had_it_is_gone() -> None:
    days = RunDays(lambda: 20_000)
    days.begin({}, 77)
    assert days.look(0) == {DAYS: 78, DATE: 20_000}


def test_a_match_that_is_played_is_never_removed() -> None:
    keeper = Keeper(0, (1,))
    duel = Duel(keeper.lan)
    keeper.look()
    keeper.lan.start_anew()
    for client in (duel.anna, duel.bob):
        keeper.lan.connect(client)
    duel.act(PASS)


class FailingOnce(MemoryStore):
    """Stand in for a store that cannot remove anything the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    def prune(self, before: int) -> int | None:
        self.tries += 1
        if self.tries == 1:
            raise StoreFailed("full.sqlite3: another program is at work on it.")
        return super().prune(before)


class Endless(MemoryStore):
    """Stand in for a store with so much to remove that it never ends."""

    tries = 0

    def prune(self, before: int) -> int | None:
        self.tries += 1
        return 0


def test_what_takes_long_is_done_a_bit_at_a_time() -> None:
    store = Endless()
    keeping = Housekeeping(store, 30, lambda: 100, Log(io.StringIO(), as_json=False), 0)
    keeping.look(0)
    before = store.tries
    keeping.look(PIECE_MS - 1)
    assert store.tries == before
    keeping.look(PIECE_MS)
    assert store.tries > before


def test_a_store_that_fails_is_logged_and_tried_again_within_the_hour() -> None:
    store = FailingOnce()
    stream = io.StringIO()
    keeping = Housekeeping(store, 30, lambda: 100, Log(stream, as_json=False), 0)
    keeping.look(0)
    assert "another program is at work on it" in stream.getvalue()
    keeping.look(HOUR_MS - 1)
    assert store.tries == 1
    keeping.look(HOUR_MS)
    assert store.tries == 2
