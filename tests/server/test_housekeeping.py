"""`--keep-days`: matches that are over are kept for so long, and no longer."""

import io

import pytest

from passing_server.housekeeping import DAY_MS, HOUR_MS, MINUTE_MS, Housekeeping
from passing_server.log import Log
from passing_server.storing import StoreFailed
from tests.support.duel import PASS, Duel
from tests.support.memory_store import MemoryStore
from tests.support.stored_lan import StoredLan


class Keeper:
    """A store with matches of several days, and the housekeeping that looks after it."""

    def __init__(self, keep_days: int, days: tuple[int, ...]) -> None:
        self.store = MemoryStore()
        self.lan = StoredLan(self.store)
        for day in days:
            self.lan.day = day
            self.lan.play_a_match(f"day{day}")
        self.lan.settle()
        self.stream = io.StringIO()
        log = Log(self.stream, as_json=False)
        self.today = days[-1]
        self.keeping = Housekeeping(self.store, keep_days, lambda: self.today, log, 0)

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
    keeper.keeping.look(0)
    assert keeper.days == left


def test_once_a_day_it_is_looked_again() -> None:
    keeper = Keeper(30, (70, 100))
    keeper.keeping.look(0)
    assert keeper.days == [70, 100]
    keeper.today = 101
    keeper.keeping.look(DAY_MS - 1)
    assert keeper.days == [70, 100]
    keeper.keeping.look(DAY_MS)
    assert keeper.days == [100]


def test_where_none_is_kept_it_is_looked_every_minute() -> None:
    keeper = Keeper(0, (100,))
    keeper.keeping.look(0)
    assert keeper.days == []
    keeper.lan.play_a_match("late")
    keeper.lan.settle()
    keeper.keeping.look(MINUTE_MS - 1)
    assert keeper.days == [100]
    keeper.keeping.look(MINUTE_MS)
    assert keeper.days == []


def test_what_was_removed_is_logged_once() -> None:
    keeper = Keeper(1, (1, 2, 9))
    keeper.keeping.look(0)
    keeper.keeping.look(DAY_MS)
    (line,) = keeper.stream.getvalue().splitlines()
    assert line.endswith("Matches removed that were over for 1 days: 2.")


def test_a_match_that_is_played_is_never_removed() -> None:
    keeper = Keeper(0, (1,))
    duel = Duel(keeper.lan)
    keeper.keeping.look(0)
    keeper.lan.start_anew()
    for client in (duel.anna, duel.bob):
        keeper.lan.connect(client)
    duel.act(PASS)


class FailingOnce(MemoryStore):
    """Stand in for a store that cannot remove anything the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0

    def prune(self, before: int) -> int:
        self.tries += 1
        if self.tries == 1:
            raise StoreFailed("full.sqlite3: another program is at work on it.")
        return super().prune(before)


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
