"""Records of matches are kept in files, whole ones, and play goes on where they cannot be."""

import stat
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.match_story import MatchStory
from passing_client.record_folder import (
    file_name,
    folder_of,
    kept_files,
    remove_oldest,
    write_again,
    write_new,
)
from passing_client.record_keeping import RecordKeeper, keeper_of
from passing_client.settings import Settings
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, RoundEnded
from passing_protocol.records import parse, verify_records
from passing_protocol.verdicts import Outcome as Found
from passing_protocol.verdicts import Verdict
from passing_protocol.views import DealKind
from tests.support.client_scene import TABLE, Talk, acted, full_view
from tests.support.duel import DRAW, PASS, Duel
from tests.support.lan import Lan
from tests.support.onlookers import Onlooker

NOON = datetime(2026, 11, 30, 12, 5)


def watched(rounds: int = 1) -> Iterator[MatchStory]:
    """A match between two who pass, as a watcher notes it: after each round that has ended."""
    duel = Duel(Lan())
    zoe = Onlooker(duel.lan.watcher("zoe", duel.table))
    for _ in range(rounds):
        duel.act(PASS)
        duel.act(PASS)
        yield zoe.catch_up().story
        duel.ready()


def a_story() -> MatchStory:
    return next(watched())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "records"


def test_a_match_is_one_file_that_grows_with_each_round(folder: Path) -> None:
    keeper = RecordKeeper(folder, 200, lambda: NOON)
    for number, story in enumerate(watched(3), 1):
        assert keeper.keep(story) is None
        (path,) = folder.iterdir()
        text = path.read_text(encoding="utf-8")
        (record,) = verify_records(text)
        assert len(record.rounds) == number
        assert record.date == "2026.11.30"
        assert record.match is not None
        assert path.name == f"2026-11-30-1205-kitchen-{record.match}.pass"


def test_another_match_is_another_file(folder: Path) -> None:
    keeper = RecordKeeper(folder, 200, lambda: NOON)
    duel = Duel(Lan())
    for name in ("one", "two"):
        other = Duel(duel.lan, names=(f"{name} a", f"{name} b"))
        zoe = Onlooker(duel.lan.watcher(name, other.table))
        other.act(PASS)
        other.act(PASS)
        keeper.keep(zoe.catch_up().story)
    assert len(list(folder.iterdir())) == 2


def test_another_match_of_the_same_name_is_another_file(folder: Path) -> None:
    """A server that has lost everything may call a match what it has called one before."""
    keeper, story = RecordKeeper(folder, 200, lambda: NOON), MatchStory()
    names: list[str] = []
    for actions in ((PASS, PASS), (DRAW, PASS, PASS)):
        story.forget()
        duel = Duel(Lan())
        zoe = Onlooker(duel.lan.watcher("zoe", duel.table), story)
        for action in actions:
            duel.act(action)
        assert keeper.keep(zoe.catch_up().story) is None
        names += zoe.kept
    assert names[0] == names[1]
    texts = [path.read_text(encoding="utf-8") for path in folder.iterdir()]
    rounds = [parse(text)[0].rounds[0] for text in texts]
    assert sorted(len(played.actions) for played in rounds) == [2, 3]


def test_nothing_is_written_before_a_round_has_ended(folder: Path) -> None:
    assert RecordKeeper(folder, 200).keep(MatchStory()) is None
    assert not folder.exists()


def test_files_are_for_their_owner_alone(folder: Path) -> None:
    keeper = RecordKeeper(folder, 200)
    for story in watched(2):
        keeper.keep(story)
        (path,) = folder.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_clients_that_see_the_same_match_do_not_share_a_file(folder: Path) -> None:
    """Four people on one machine keep four records."""
    story = a_story()
    for _ in range(3):
        RecordKeeper(folder, 200, lambda: NOON).keep(story)
    names = sorted(path.stem for path in folder.iterdir())
    assert len(names) == 3
    assert names[1:] == [f"{names[0]}-2", f"{names[0]}-3"]
    assert len({path.read_bytes() for path in folder.iterdir()}) == 1


def test_a_file_that_is_removed_meanwhile_is_written_again(folder: Path) -> None:
    keeper = RecordKeeper(folder, 200)
    for story in watched(2):
        assert keeper.keep(story) is None
        (path,) = folder.iterdir()
        path.unlink()
        folder.rmdir()


# --- where it cannot be kept ----------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    keeper = RecordKeeper(tmp_path / "file" / "records", 200)
    said = [keeper.keep(story) for story in watched(3)]
    assert said[0] is not None
    assert said[0].startswith("Game records cannot be kept in ")
    assert said[0].endswith(". The game goes on.")
    assert said[1:] == [None, None]


def test_a_folder_that_no_system_can_have_is_told_once(tmp_path: Path) -> None:
    said = [RecordKeeper(tmp_path / "a\0b", 200).keep(a_story())]
    assert said[0] is not None
    assert "\0" not in said[0]


def test_a_record_that_could_not_be_written_is_there_after_the_next_round(tmp_path: Path) -> None:
    way = tmp_path / "file"
    way.write_text("in the way")
    keeper = RecordKeeper(way, 200)
    for number, story in enumerate(watched(2)):
        keeper.keep(story)
        if number == 0:
            way.unlink()
    (path,) = way.iterdir()
    assert len(parse(path.read_text())[0].rounds) == 2


def test_what_was_kept_stays_when_the_disk_is_full(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = RecordKeeper(folder, 200)
    stories = watched(2)
    keeper.keep(next(stories))
    (path,) = folder.iterdir()
    before = path.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    said = keeper.keep(next(stories))
    assert said is not None
    assert "No space left on device" in said
    assert [each.read_bytes() for each in folder.iterdir()] == [before]


# --- which stay -----------------------------------------------------------------------------------


def test_the_newest_records_stay_and_nothing_else_goes(folder: Path) -> None:
    folder.mkdir(parents=True)
    old = [f"2026-11-{day:02}-0900-hall-m{day}.pass" for day in range(1, 10)]
    others = [
        "best.pass",
        "2026-11-01-hall-t1.m1.pass",
        "2026-11-01-0900-hall-m1 the best.pass",
        "2026-11-01-0900-hall-m1.txt",
        ".2026-11-01-0900-hall-m1.pass.new",
        "notes.txt",
    ]
    for name in (*old, *others):
        (folder / name).write_text(name)
    (folder / "2026-11-01-0800-hall-m1.pass").mkdir()
    (folder / "2026-11-01-0801-hall-m1.pass").symlink_to(folder / "notes.txt")
    RecordKeeper(folder, 3, lambda: NOON).keep(a_story())
    left = {path.name for path in folder.iterdir()}
    assert set(old) & left == {old[-1], old[-2]}
    assert set(others) <= left
    assert (folder / "2026-11-01-0800-hall-m1.pass").is_dir()
    assert (folder / "2026-11-01-0801-hall-m1.pass").is_symlink()
    assert len(kept_files(folder)) == 3


def test_the_newest_is_first(folder: Path) -> None:
    for day in (3, 1, 2):
        write_new(folder, file_name(NOON.replace(day=day), "hall", "m"), "x")
    assert [path.name[8:10] for path in kept_files(folder)] == ["03", "02", "01"]


def test_a_folder_that_is_not_there_has_no_records(folder: Path) -> None:
    assert kept_files(folder) == []
    remove_oldest(folder, 1)
    assert not folder.exists()


# --- names ----------------------------------------------------------------------------------------


@given(st.text(), st.text())
def test_a_name_is_letters_digits_and_hyphens(table: str, match: str) -> None:
    name = file_name(NOON, table, match)
    assert name.startswith("2026-11-30-1205-")
    assert name.replace("-", "").isalnum()
    assert len(name) <= 140


@pytest.mark.parametrize(
    ("table", "match", "name"),
    [
        ("kitchen", "m1", "kitchen-m1"),
        ("../../etc/passwd", "t1.m2", "etc-passwd-t1-m2"),
        ("Åsa's\tplace", "m", "Åsa-s-place-m"),
        ("κουζίνα", "m", "κουζίνα-m"),
        ("...", "", "table"),
        ("_", "m_1", "m-1"),
    ],
)
def test_names_of_tables(table: str, match: str, name: str) -> None:
    assert file_name(NOON, table, match) == f"2026-11-30-1205-{name}"


def test_another_process_at_the_same_name_is_left_alone(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / ".a.pass.new").write_text("half")
    assert write_new(folder, "a", "whole").name == "a-2.pass"
    assert (folder / ".a.pass.new").read_text() == "half"
    write_again(folder / "a.pass", "ours")
    assert (folder / "a.pass").read_text() == "ours"


# --- settings -------------------------------------------------------------------------------------


def test_records_are_where_such_data_belongs_or_where_one_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of(Settings()) == tmp_path / "data" / "passing" / "records"
    assert folder_of(Settings(records_folder="games")) == Path("games")
    assert folder_of(Settings(records_folder="~/games")) == tmp_path / "games"


def test_records_can_be_switched_off() -> None:
    assert keeper_of(Settings()) is not None
    assert keeper_of(Settings(records=False)) is None


# --- in the conversation --------------------------------------------------------------------------


class Noting:
    """Count what is to be kept, and have something to say of it once."""

    def __init__(self, said: str | None) -> None:
        self.rounds: list[int] = []
        self.said = said

    def keep(self, story: MatchStory) -> str | None:
        record = story.record()
        self.rounds.append(0 if record is None else len(record.rounds))
        said, self.said = self.said, None
        return said


@pytest.mark.parametrize("said", [None, "Game records cannot be kept."])
def test_each_round_is_kept_when_it_ends_and_play_goes_on(said: str | None) -> None:
    keeper = Noting(said)
    talk = Talk(keeper=keeper)
    talk.sits(full_view(), hand=None)
    talk.update(MatchBegan("m1", 61), RoundBegan(1, 0, DealKind.SERVER, [6] * 4, 4, 2))
    table = talk.conversation.desk.table
    assert table is not None
    turn = table.view.turn
    assert keeper.rounds == []
    ended = RoundEnded(1, "passed_out", [9, 20, 30, 40], [0], 81, [81, 0, 0, 0], 0)
    lines = talk.update(*(acted(seat, turn + seat, "-") for seat in range(4)), ended)
    assert keeper.rounds == [1]
    assert lines[-1] == (said or "Scores: Dana 81, Bo 0, Caro 0, Emil 0. The match is to 61.")
    talk.update(MatchEnded("target", [81, 0, 0, 0], 0))
    assert keeper.rounds == [1, 1]
    assert talk.types("scores")


def test_what_is_found_out_about_a_deal_is_kept_with_the_match_and_no_other() -> None:
    keeper = Noting("Game records cannot be kept.")
    talk = Talk(keeper=keeper)
    talk.sits(full_view(), hand=None)
    talk.update(MatchBegan("m1", 61))
    talk.hears(Verdict(TABLE, "m0", 1, 1, Found.CHECKED))
    assert keeper.rounds == []
    said = talk.hears(Verdict(TABLE, "m1", 1, 1, Found.CHECKED))
    assert said == ["Deal checked.", "Game records cannot be kept."]
    assert keeper.rounds == [0]


def test_without_a_keeper_the_match_is_noted_all_the_same() -> None:
    talk = Talk()
    talk.sits(full_view(), hand=None)
    talk.update(MatchBegan("m1", 61), RoundBegan(1, 0, DealKind.SERVER, [6] * 4, 4, 2))
    assert talk.conversation.desk.story.ends == 0
    talk.update(MatchEnded("abandoned", [0, 0, 0, 0]))
    assert talk.conversation.desk.story.ends == 1
