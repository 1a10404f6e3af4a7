"""What every store promises, shown at the files and at the store in memory."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.messages import Agent, Caps, Role
from passing_server.storing import (
    Batch,
    Durability,
    Entry,
    Kept,
    MatchHead,
    MatchKey,
    Part,
    Store,
    StoredTable,
)
from tests.support.batches import (
    Batches,
    Disk,
    InMemory,
    OnDisk,
    entries,
    part_with,
    prune_all,
    quick_folder,
    session,
    states,
)


@pytest.fixture(params=["memory", "sqlite"])
def disk(request: pytest.FixtureRequest) -> Iterator[Disk]:
    if request.param == "memory":
        yield InMemory()
        return
    with quick_folder() as folder:
        yield OnDisk(Path(folder))


@pytest.fixture
def store(disk: Disk) -> Iterator[Store]:
    opened = disk.open()
    opened.load()
    yield opened
    opened.close()


def reloaded(disk: Disk) -> Kept:
    """What is there when another process opens the store."""
    opened = disk.open()
    try:
        return opened.load()
    finally:
        opened.close()


def test_a_new_store_is_empty(disk: Disk) -> None:
    assert reloaded(disk) == Kept()


def test_an_empty_batch_changes_nothing(store: Store, disk: Disk) -> None:
    assert not Batch(day=3)
    store.commit(Batch(day=3))
    assert reloaded(disk) == Kept()


@pytest.mark.parametrize("how", [Durability.FULL, Durability.FAST])
def test_tables_come_back_with_their_durability_and_rows(
    store: Store, disk: Disk, how: Durability
) -> None:
    part = part_with("t1", "m1", 1, 3)
    store.commit(Batch(full=part) if how is Durability.FULL else Batch(fast=part))
    kept = reloaded(disk)
    assert kept.tables == {"t1": StoredTable(b"t1 at row 3", how)}
    assert kept.logs == {MatchKey("t1", "m1"): [b"m1 row 1", b"m1 row 2", b"m1 row 3"]}
    assert not kept.damage


def test_rows_of_many_commits_are_one_log(store: Store, disk: Disk) -> None:
    for n in range(1, 8):
        store.commit(Batch(full=part_with("t1", "m1", n, n), fast=part_with("t2", "x", n, n)))
    kept = reloaded(disk)
    assert [len(log) for log in kept.logs.values()] == [7, 7]
    assert kept.tables["t1"].value == b"t1 at row 7"


def test_the_newest_value_of_a_table_counts(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=part_with("t1", "m1", 1, 3)))
    store.commit(Batch(full=Part(tables={"t1": b"later"})))
    kept = reloaded(disk)
    assert kept.tables["t1"].value == b"later"
    assert len(kept.logs[MatchKey("t1", "m1")]) == 3


def test_sessions_come_back_as_they_were(store: Store, disk: Disk) -> None:
    ada = session(
        "ada",
        agent=Agent("engine", "2.1", author="A. Uthor", build="x86"),
        role=Role.BOT,
        caps=Caps("on_join", 16),
        last_token=b"\x00\xff" * 16,
        done={7: "t1", 8: None},
        watches=["t2"],
    )
    store.commit(Batch(sessions={"ada": ada, "bob": session("bob")}))
    assert reloaded(disk).sessions == {"ada": ada, "bob": session("bob")}


def test_a_session_that_is_gone_stays_gone(store: Store, disk: Disk) -> None:
    store.commit(Batch(sessions={"ada": session("ada"), "bob": session("bob")}))
    store.commit(Batch(sessions={"ada": None, "eve": None}))
    assert list(reloaded(disk).sessions) == ["bob"]


def test_counters_keep_what_is_not_named(store: Store, disk: Disk) -> None:
    store.commit(Batch(counters={"tables": 3, "days": 1}))
    store.commit(Batch(counters={"tables": 4}))
    assert reloaded(disk).counters == {"tables": 4, "days": 1}


@pytest.mark.parametrize(
    ("batch", "full"),
    [
        (Batch(full=Part(tables={"t": b""})), True),
        (Batch(sessions={"a": None}), True),
        (Batch(counters={"a": 1}), True),
        (Batch(fast=Part(tables={"t": b""})), False),
        (Batch(fast=Part(entries=entries("t", "m", 1, 1))), False),
    ],
)
def test_a_batch_knows_whether_it_needs_a_sync(batch: Batch, full: bool) -> None:
    assert batch
    assert batch.is_full is full


# --- matches that are over


def test_a_match_is_over_when_its_table_goes_on(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=part_with("t1", "m1", 1, 2), day=3))
    assert not disk.history()
    store.commit(Batch(full=part_with("t1", "m2", 1, 1), day=5))
    (over,) = disk.history()
    assert (over.table, over.match, over.day, len(over.rows)) == ("t1", "m1", 3, 2)
    assert list(reloaded(disk).logs) == [MatchKey("t1", "m2")]


def test_a_match_is_over_when_its_table_is_gone(store: Store, disk: Disk) -> None:
    store.commit(Batch(fast=part_with("t1", "m1", 1, 2), day=3))
    store.commit(Batch(fast=Part(tables={"t1": None}), day=4))
    kept = reloaded(disk)
    assert not kept.tables
    assert not kept.logs
    (over,) = disk.history()
    assert (over.table, over.match, over.day, over.damage) == ("t1", "m1", 3, None)
    assert over.rows == [b"m1 row 1", b"m1 row 2"]


def test_the_last_row_and_the_end_may_come_together(store: Store, disk: Disk) -> None:
    last = Part(entries=entries("t1", "m1", 1, 4), tables={"t1": None})
    store.commit(Batch(full=last))
    assert len(disk.history()[0].rows) == 4


def test_a_rematch_may_begin_with_the_row_that_ended_a_match(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=part_with("t1", "m1", 1, 2)))
    both = entries("t1", "m1", 3, 3) + entries("t1", "m2", 1, 2)
    heads = [MatchHead("t1", "m1", b"old"), MatchHead("t1", "m2", b"new")]
    store.commit(Batch(full=Part(both, {"t1": b"on"}, heads)))
    (over,) = disk.history()
    assert (over.match, over.head, len(over.rows)) == ("m1", b"old", 3)
    assert len(reloaded(disk).logs[MatchKey("t1", "m2")]) == 2


def test_the_newest_head_of_a_match_counts(store: Store, disk: Disk) -> None:
    part = part_with("t1", "m1", 1, 1)
    part.matches.append(MatchHead("t1", "m1", b"first"))
    store.commit(Batch(full=part))
    store.commit(Batch(full=Part(matches=[MatchHead("t1", "m1", b"second")])))
    store.commit(Batch(full=Part(tables={"t1": None})))
    assert disk.history()[0].head == b"second"


def test_a_match_without_a_head_has_an_empty_one(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=part_with("t1", "m1", 1, 1)))
    store.commit(Batch(full=Part(tables={"t1": None})))
    assert disk.history()[0].head == b""


def test_matches_are_given_in_the_order_of_their_end(store: Store, disk: Disk) -> None:
    for table in "abc":
        store.commit(Batch(full=part_with(table, f"m{table}", 1, 2)))
    for table in "cab":
        store.commit(
            Batch(full=Part(entries=entries(table, f"m{table}", 3, 3), tables={table: None}))
        )
    assert [match.table for match in disk.history()] == ["c", "a", "b"]


def test_prune_removes_what_was_over_before_a_day(store: Store, disk: Disk) -> None:
    for day in (1, 2, 3):
        both = part_with(f"t{day}", "m", 1, 2), part_with("b", str(day), 1, 1)
        store.commit(Batch(*both, day=day))
        store.commit(Batch(full=Part(tables={f"t{day}": None}), day=day, run_day=day))
        store.commit(Batch(fast=Part(tables={"b": None}), day=day, run_day=day))
    store.commit(Batch(full=part_with("going", "on", 1, 2), day=1))
    assert prune_all(store, 3) == 4
    assert {match.day for match in disk.history()} == {3}
    assert prune_all(store, 3) == 0
    store.commit(Batch(full=part_with("going", "on", 3, 3), day=9))
    kept = reloaded(disk)
    assert len(kept.logs[MatchKey("going", "on")]) == 3
    assert not kept.damage


# --- what may not be committed


@pytest.mark.parametrize(
    "part",
    [
        Part(entries=entries("t1", "m1", 4, 4)),
        Part(entries=entries("t1", "m1", 2, 2)),
        Part(entries=entries("t1", "m2", 2, 2)),
        Part(entries=entries("t1", "m1", 3, 3) * 2),
        Part(entries=entries("t9", "m1", 1, 1)),
        Part(matches=[MatchHead("t1", "m0", b"")]),
        Part(matches=[MatchHead("t9", "m1", b"")]),
    ],
    ids=["gap", "again", "not from 1", "twice", "no table", "not newest", "head of no table"],
)
@pytest.mark.parametrize("how", ["full", "fast"])
def test_what_does_not_follow_is_refused_whole(
    store: Store, disk: Disk, part: Part, how: str
) -> None:
    good = part_with("t1", "m1", 1, 2)
    store.commit(Batch(full=good) if how == "full" else Batch(fast=good))
    before = reloaded(disk)
    wrong = Batch(full=part) if how == "full" else Batch(fast=part)
    wrong.sessions["ada"] = session("ada")
    with pytest.raises(ValueError, match=r"t1|t9"):
        store.commit(wrong)
    assert reloaded(disk) == before


@pytest.mark.parametrize("how", ["full", "fast"])
def test_a_table_that_is_gone_takes_no_more_rows(store: Store, how: str) -> None:
    def batch(part: Part) -> Batch:
        return Batch(full=part) if how == "full" else Batch(fast=part)

    store.commit(batch(part_with("t1", "m1", 1, 2)))
    store.commit(batch(Part(tables={"t1": None})))
    with pytest.raises(ValueError, match="t1"):
        store.commit(batch(Part(entries=entries("t1", "m2", 1, 1))))


def test_a_table_may_end_before_it_was_stored(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=Part(tables={"t1": None})))
    assert reloaded(disk) == Kept()


def test_a_table_may_come_before_its_first_match(store: Store, disk: Disk) -> None:
    store.commit(Batch(full=Part(tables={"t1": b"open"})))
    store.commit(Batch(full=Part(entries=[Entry("t1", "m1", 1, b"")])))
    assert reloaded(disk).logs == {MatchKey("t1", "m1"): [b""]}


# --- anything


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(1, 25), st.integers(1, 9))
def test_the_files_hold_what_the_model_holds(chance: Random, count: int, reopen: int) -> None:
    batches = Batches(chance).take(count)
    with quick_folder() as folder:
        disk = OnDisk(Path(folder))
        store = disk.open()
        found = (store.load(), disk.history())
        for number, (batch, after) in enumerate(zip(batches, states(batches)[1:], strict=True)):
            store.commit(batch)
            if number % reopen == 0:
                store.close()
                store = disk.open()
                found = (store.load(), disk.history())
                assert found == after
        store.close()
        store = disk.open()
        assert (store.load(), disk.history()) == states(batches)[-1]
        store.close()


@given(st.randoms(use_true_random=False), st.integers(1, 25), st.integers(0, 30))
def test_prune_leaves_what_goes_on(chance: Random, count: int, day: int) -> None:
    batches = Batches(chance).take(count)
    with quick_folder() as folder:
        disk = OnDisk(Path(folder))
        store, model = disk.open(), InMemory().store
        store.load()
        for batch in batches:
            store.commit(batch)
            model.commit(batch)
        assert prune_all(store, day) == prune_all(model, day)
        assert disk.history() == list(model.finished())
        store.close()
        again = OnDisk(Path(folder)).open()
        assert again.load() == model.load()
        again.close()
