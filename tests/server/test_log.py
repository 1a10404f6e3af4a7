"""The log: one line for each thing, for people or for programs, with nothing of any game in it."""

import errno
import io
import json
import re
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.messages import Drain
from passing_protocol.session import ClientSession
from passing_rules import ALL_TILES
from passing_server.limits import RETRY_MS
from passing_server.log import Log
from passing_server.observing import CUTS_MS, Observer
from passing_server.serving import BANNER, fault_in_words
from tests.support.duel import Duel
from tests.support.lan import AGENT, Lan, LanClient
from tests.support.memory_store import MemoryStore
from tests.support.secret_matches import SecretMatch
from tests.support.stored_lan import StoredLan
from tests.support.tapped_lan import TappedLan

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TILE_WORD = re.compile(r"(?<!\d)[0-6][0-6](?!\d)")


class Told:
    """A log whose lines can be read."""

    def __init__(self, *, as_json: bool = True) -> None:
        self.stream = io.StringIO()
        self.log = Log(self.stream, as_json=as_json)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()

    @property
    def events(self) -> list[str]:
        return [cast("str", json.loads(line)["event"]) for line in self.lines]


# --- lines


def test_people_read_a_time_and_a_sentence() -> None:
    told = Told(as_json=False)
    told.log.tell("listening", "Serving on 127.0.0.1:28066.", address="127.0.0.1:28066")
    (line,) = told.lines
    stamp, _, sentence = line.partition(" ")
    assert STAMP.fullmatch(stamp)
    assert sentence == "Serving on 127.0.0.1:28066."


def test_at_a_narrow_terminal_sentences_are_broken_and_commands_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    told, shown = Told(as_json=False), Told()
    for each in (told, shown):
        monkeypatch.setattr(each.stream, "isatty", lambda: True)
        each.log.show(BANNER)
        each.log.show("Sit down:  passing play 192.168.1.20:28066")
        each.log.tell("failed", "It is over. " * 9)
    assert "Sit down:  passing play 192.168.1.20:28066" in told.lines
    assert all(len(line) <= 40 or "  " in line for line in told.lines)
    assert len(shown.lines) == 1
    assert all(len(line) <= 80 for line in BANNER.splitlines())


def test_programs_read_one_object_a_line() -> None:
    told = Told()
    told.log.tell("cut", "Connections cut: 3.", connections=3)
    (line,) = told.lines
    value = json.loads(line)
    assert STAMP.fullmatch(value.pop("time"))
    assert value == {"event": "cut", "connections": 3, "words": "Connections cut: 3."}


def test_what_is_shown_to_people_is_no_line_for_programs() -> None:
    told = Told()
    told.log.show("Sit down:  passing play localhost")
    assert not told.lines
    told = Told(as_json=False)
    told.log.show("one\ntwo")
    assert told.lines == ["one", "two"]


@given(st.text(), st.booleans())
def test_whatever_is_told_is_one_line_that_a_terminal_only_prints(text: str, as_json: bool) -> None:
    stream = io.StringIO()
    Log(stream, as_json=as_json).tell("event", text)
    written = stream.getvalue()
    assert written.endswith("\n")
    assert written[:-1].isprintable()
    if as_json:
        assert json.loads(written)["event"] == "event"


class FullDisk(io.StringIO):
    """A stream that cannot be written."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_ends_no_server() -> None:
    Log(FullDisk(), as_json=False).tell("event", "Something happened.")


# --- what is told of a server


def test_a_store_that_fails_is_told_once_and_so_is_that_it_works_again() -> None:
    store = MemoryStore()
    lan = StoredLan(store)
    told = Told()
    observer = Observer(lan.server, told.log)
    observer.look(lan.now, 0)
    assert not told.lines
    store.fail_next(3)
    lan.connect(LanClient(lan, ClientSession("ann", AGENT), b""))
    for _ in range(50):
        lan.fall_silent(RETRY_MS // 10)
        observer.look(lan.now, 0)
    assert told.events == ["store_failed", "store_works"]
    failed, works = (json.loads(line) for line in told.lines)
    assert "memory: the disk is full." in failed["words"]
    assert works["seconds"] == 2


def test_a_server_that_ends_while_nothing_can_be_stored_says_so() -> None:
    store = MemoryStore()
    lan = StoredLan(store)
    told = Told(as_json=False)
    observer = Observer(lan.server, told.log)
    store.fail_next(10**6)
    lan.connect(LanClient(lan, ClientSession("ann", AGENT), b""))
    lan.server.close(lan.now)
    observer.end()
    assert "nothing could be stored" in told.lines[-1]


def test_the_end_is_told() -> None:
    lan = StoredLan(MemoryStore())
    Duel(lan)
    told = Told()
    observer = Observer(lan.server, told.log)
    lan.client("root", "admin").send(Drain(0, 1_000))
    for _ in range(2):
        observer.look(lan.now, 0)
    observer.end()
    assert told.events == ["draining", "ended"]
    assert json.loads(told.lines[0])["playing"] == 1


def test_a_flood_is_told_as_a_count_a_minute() -> None:
    told = Told()
    observer = Observer(Lan().server, told.log)
    for now in range(0, CUTS_MS, 1_000):
        observer.look(now, 2)
    assert told.lines == []
    observer.look(CUTS_MS, 1)
    observer.look(2 * CUTS_MS, 0)
    assert told.events == ["cut"]
    assert json.loads(told.lines[0])["connections"] == 121
    observer.look(3 * CUTS_MS, 1)
    observer.end()
    assert told.events == ["cut", "cut", "ended"]


# --- what is never told


class LoggedLan(TappedLan):
    """A LAN under a wire tap whose server is looked at all the time, and has much to tell."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.told = Told()
        self.observer = Observer(self.server, self.told.log)
        self._looks = 0

    def settle(self) -> None:
        super().settle()
        self._looks += 1
        self.observer.look(self.now + self._looks * CUTS_MS, self._looks % 2)


@pytest.mark.parametrize("number", range(4))
def test_no_line_of_a_busy_run_holds_a_tile_a_token_or_a_routing_id(number: int) -> None:
    match = SecretMatch(number, target=31)
    match.lan = lan = LoggedLan(f"logged {number}")
    match.play()
    lan.observer.end()
    told = lan.told
    text = told.stream.getvalue()
    assert len(told.lines) > 20
    for secret in lan.tap.secrets:
        assert secret.hex() not in text
        assert secret.decode("latin-1") not in text
    for line in told.lines:
        words = STAMP.sub("", line)
        for value in json.loads(line).values():
            words = words.replace(str(value), "") if isinstance(value, int) else words
        assert not TILE_WORD.search(words), line


def test_a_fault_of_the_server_is_told_without_what_it_holds() -> None:
    hand = " ".join(map(str, ALL_TILES[:7]))
    try:
        raise ValueError(hand)
    except ValueError as error:
        words = fault_in_words(error)
    assert "ValueError at test_log.py:" in words
    assert not [tile for tile in hand.split() if tile in words.split()]
