"""Who names no server is shown those that are found, and may play at a table of their own."""

import asyncio
import socket
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import pytest

from passing_client import keyboard, private_table, seeking
from passing_client.private_table import Plan
from passing_client.seeking import visit_or_seek
from passing_client.server_board import ServerBoard
from passing_client.settings import Settings
from passing_link import finding
from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_link.finding import Found, Target
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.known_servers import KnownServers, client_folder
from passing_protocol.join_codes import Invitation
from passing_protocol.messages import Role
from tests.support.drawn_terminal import terminal
from tests.support.servers_found import server_found
from tests.support.udp_server import ear

DEN = server_found("den", "192.168.1.20")
LAB = server_found("lab", "192.168.1.21", 4000)
PLAIN = Settings(plain=True)
BAD_LINK = (
    "This link is not passing://HOST:PORT/#KEY.TOKEN. A code has 20 digits and letters, as in "
    "7K2M9-4X1T8-0H3V6-8R6C5, and a link begins with passing://."
)

OTHERS_CODE = str(Invitation("nas.local", 4000, bytes(32), "CDEFGHJK").code)
NO_PLACE = "{} is no number of the list and no address; type ? for what can be typed."
TYPE = (
    "Type the number of a server, or the address of another, HOST or HOST:PORT, or its link; p for "
    "a private table with engines, r to look again, q to leave."
)


@dataclass
class Person:
    """A person at a terminal, who types these lines; it is noted where they get to."""

    lines_typed: Sequence[str] = ()
    found: list[list[Found]] = field(default_factory=list[list[Found]])
    went: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    plans: list[Plan] = field(default_factory=list[Plan])
    others: list[tuple[Address, ...]] = field(default_factory=list[tuple[Address, ...]])
    fails: dict[str, CommandFailed] = field(default_factory=dict[str, CommandFailed])

    def printing(self) -> AbstractContextManager[object]:
        return nullcontext()

    async def lines(self) -> AsyncIterator[str]:
        while self.lines_typed:
            line, *self.lines_typed = self.lines_typed
            yield line

    def ring(self) -> None: ...


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    """Return a person at a terminal to whom two servers are near."""
    someone = Person(found=[[DEN, LAB]])

    def visit(
        arguments: Namespace,
        _settings: Settings,
        *,
        wanted: str | None,
        others: tuple[Address, ...] = (),
    ) -> ExitCode:
        someone.others.append(others)
        someone.went.append((arguments.host, wanted))
        if arguments.host in someone.fails:
            raise someone.fails[arguments.host]
        return ExitCode.DONE

    def run_private(plan: Plan, _settings: Settings) -> ExitCode:
        someone.plans.append(plan)
        return ExitCode.DONE

    def find(_ports: Sequence[int]) -> list[Found]:
        return someone.found.pop(0) if len(someone.found) > 1 else someone.found[0]

    monkeypatch.setattr(seeking, "visit", visit)
    monkeypatch.setattr(private_table, "run_private", run_private)
    monkeypatch.setattr(finding, "find", find)
    monkeypatch.setattr(keyboard, "here", lambda: someone)
    monkeypatch.setattr(keyboard, "is_terminal", lambda: True)
    return someone


def go(
    settings: Settings = PLAIN,
    host: str | None = None,
    wanted: str | None = None,
    code: str | None = None,
) -> ExitCode:
    return visit_or_seek(Namespace(host=host, pace=None, code=code), settings, wanted=wanted)


# --- who has named one


@pytest.mark.parametrize(
    ("host", "server", "place"),
    [("den", None, "den"), (None, "nas:4000", "nas:4000"), ("den", "nas", "den")],
)
def test_a_server_that_is_named_is_gone_to_at_once(
    person: Person, host: str | None, server: str | None, place: str
) -> None:
    person.found = []
    assert go(Settings(plain=True, server=server), host, "kitchen") is ExitCode.DONE
    assert person.went == [(place, "kitchen")]


def test_with_the_server_go_all_addresses_that_it_was_found_at(person: Person) -> None:
    others = Address("192.168.1.30"), Address("fe80::1%eth0")
    person.found = [[LAB, Found(DEN.address, DEN.answer, others)]]
    for typed in ("2", "192.168.1.20", "192.168.1.30"):
        person.lines_typed = [typed]
        go()
    assert person.others == [others, others, ()]


# --- line mode


def test_the_list_is_numbered_and_a_number_goes_there(
    person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    person.lines_typed = ["2"]
    assert go() is ExitCode.DONE
    assert person.went == [("192.168.1.21:4000", None)]
    shown = capsys.readouterr().out
    assert "2 servers answer on this network:" in shown
    assert "  1  den at 192.168.1.20: " in shown
    assert "  2  lab at 192.168.1.21:4000: " in shown


def test_a_link_can_be_typed(person: Person) -> None:
    link = str(Invitation("nas.local", 4000, bytes(32), "CDEFGHJK"))
    person.lines_typed = [link]
    go()
    assert person.went == [(link, None)]


def test_any_address_can_be_typed(person: Person) -> None:
    person.lines_typed = ["nas.local"]
    go()
    assert person.went == [("nas.local:28066", None)]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("7", "There is no server 7 in the list."),
        ("den:0", "address: port 0 is not from 1 to 65535."),
        ("passing://den", BAD_LINK),
        ("den:99999", "address: port 99999 is not from 1 to 65535."),
        ("!!", NO_PLACE.format("'!!'")),
        ("-", NO_PLACE.format("'-'")),
        ("?!", NO_PLACE.format("'?!'")),
        ("?", TYPE),
        ("help", TYPE),
    ],
)
def test_what_leads_nowhere_is_told_and_asked_again(
    person: Person, typed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    person.lines_typed = [typed, "1"]
    go()
    assert told in capsys.readouterr().out.splitlines()
    assert person.went == [("192.168.1.20:28066", None)]


@pytest.mark.parametrize("place", ["nas", "nas.local.", "192.168.1.9", "fe80::1%eth0", "γάτα.lan"])
def test_what_looks_like_an_address_is_tried(person: Person, place: str) -> None:
    person.lines_typed = [place]
    go()
    ((went, _wanted),) = person.went
    assert place in went


@pytest.mark.parametrize("code", [ExitCode.UNREACHABLE, ExitCode.REFUSED])
def test_who_does_not_get_in_comes_back_to_the_list(
    person: Person, code: ExitCode, capsys: pytest.CaptureFixture[str]
) -> None:
    person.lines_typed = ["hm", "1"]
    person.fails = {"hm:28066": CommandFailed(code, "No machine called hm is known here.")}
    assert go() is ExitCode.DONE
    assert [host for host, _wanted in person.went] == ["hm:28066", "192.168.1.20:28066"]
    shown = capsys.readouterr().out.splitlines()
    assert shown.count("2 servers answer on this network:") == 2
    assert shown.index("No machine called hm is known here.") < shown.index(TYPE, 5)


def test_wrong_words_end_it(person: Person) -> None:
    person.lines_typed = ["1", "2"]
    person.fails = {"192.168.1.20:28066": CommandFailed(ExitCode.USAGE, "code: no.")}
    with pytest.raises(CommandFailed, match=r"code: no\."):
        go()
    assert len(person.went) == 1


@pytest.mark.parametrize("again", ["r", ""])
def test_it_is_looked_again_when_that_is_asked_for(person: Person, again: str) -> None:
    person.found = [[], [DEN]]
    person.lines_typed = [again, "1"]
    go()
    assert person.went == [("192.168.1.20:28066", None)]


@pytest.mark.parametrize("lines", [["q"], ["quit"], []])
def test_it_can_be_left(person: Person, lines: list[str]) -> None:
    person.lines_typed = lines
    assert go() is ExitCode.DONE
    assert person.went == []


@pytest.mark.parametrize(("wanted", "sits", "engines"), [(None, True, 3), ("", False, 4)])
def test_a_private_table_is_offered_where_nobody_answers(
    person: Person,
    wanted: str | None,
    sits: bool,
    engines: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    person.found = [[]]
    person.lines_typed = ["p"]
    assert go(wanted=wanted) is ExitCode.DONE
    (plan,) = person.plans
    assert (plan.sit, len(plan.engines), plan.game.seats) == (sits, engines, 4)
    shown = capsys.readouterr().out
    assert "No server answers on this network, on port 28066." in shown
    assert "p for a private table with engines" in shown


# --- where nobody can be asked


def test_off_a_terminal_without_a_server_it_cannot_be_reached(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.found = [[]]
    monkeypatch.setattr(keyboard, "is_terminal", lambda: False)
    with pytest.raises(CommandFailed, match="No server answers") as failed:
        go()
    assert failed.value.code is ExitCode.UNREACHABLE


@pytest.mark.parametrize(("wanted", "command"), [(None, "play"), ("kitchen", "watch")])
def test_off_a_terminal_servers_are_named_and_none_is_guessed(
    person: Person, wanted: str | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "is_terminal", lambda: False)
    told = rf"Say which, as in `passing {command} 192\.168\.1\.20`\.$"
    with pytest.raises(CommandFailed, match=told) as failed:
        go(wanted=wanted)
    assert failed.value.code is ExitCode.USAGE
    assert person.went == []


def keyed(server: Found, key: str) -> Found:
    return replace(server, answer=msgspec.structs.replace(server.answer, key=key))


@pytest.fixture
def keys(person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the keys of two servers that encrypt, before a person who is at no terminal."""
    monkeypatch.setattr(keyboard, "is_terminal", lambda: False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    keys = [KeyPair.new().public for _ in range(2)]
    person.found = [[*map(keyed, (DEN, LAB), keys), server_found("plain", "192.168.1.22")]]
    return keys


def joins(place: str, key: str) -> None:
    known = KnownServers(client_folder())
    known.remember(Address.parse(place), Security(key, KeyPair.new()), Role.PLAYER)


@pytest.mark.parametrize("wanted", [None, "kitchen"])
def test_off_a_terminal_the_one_server_that_was_joined_is_gone_to(
    person: Person, keys: list[str], wanted: str | None
) -> None:
    joins("old.local", keys[1])
    assert go(wanted=wanted) is ExitCode.DONE
    assert person.went == [("192.168.1.21:4000", wanted)]


def test_off_a_terminal_several_that_were_joined_are_named(person: Person, keys: list[str]) -> None:
    for number, key in enumerate(keys):
        joins(f"old{number}.local", key)
    with pytest.raises(CommandFailed, match="Say which"):
        go()
    assert person.went == []


def test_off_a_terminal_nobody_goes_to_another_server_than_the_one_known_there(
    person: Person, keys: list[str]
) -> None:
    joins("elsewhere", keys[0])
    joins("192.168.1.20", KeyPair.new().public)
    with pytest.raises(CommandFailed, match="and not the server known there"):
        go()
    assert person.went == []


@pytest.mark.parametrize("as_link", [True, False])
@pytest.mark.parametrize("by_variable", [True, False])
def test_off_a_terminal_a_code_leads_to_the_server_that_it_was_made_for(
    person: Person,
    keys: list[str],
    as_link: bool,
    by_variable: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joins("old.local", keys[0])
    link = Invitation("elsewhere", 4000, key_bytes(keys[1]), "CDEFGHJK")
    code = str(link if as_link else link.code)
    if by_variable:
        monkeypatch.setenv("PASSING_CODE", code)
    assert go(code=None if by_variable else code) is ExitCode.DONE
    assert person.went == [("192.168.1.21:4000", None)]


@pytest.mark.parametrize(("code", "told"), [(OTHERS_CODE, "Say which"), ("x", "A code has 20")])
def test_off_a_terminal_a_code_for_none_that_is_found_leads_nowhere(
    person: Person, keys: list[str], code: str, told: str
) -> None:
    joins("old.local", keys[0])
    with pytest.raises(CommandFailed, match=told) as failed:
        go(code=code)
    assert failed.value.code is ExitCode.USAGE
    assert person.went == []


def test_off_a_terminal_it_is_tried_once(person: Person, keys: list[str]) -> None:
    joins("old.local", keys[0])
    person.fails = {"192.168.1.20:28066": CommandFailed(ExitCode.REFUSED, "No.")}
    with pytest.raises(CommandFailed, match=r"^No\.$"):
        go()
    assert len(person.went) == 1


# --- the full screen


def test_servers_that_answer_are_listed_and_gone_to() -> None:
    """A server of the test's own answers on the loopback, while the list is shown."""

    async def scenario() -> None:
        board = ServerBoard()
        with ear() as server:
            errand = seeking.Seeking(
                board, lambda: [Target(socket.AF_INET, ("127.0.0.1", server.port))]
            )
            async with terminal(errand, board=board) as screen:
                await screen.shows("1 server", "den")
                screen.passes(1_000)
                screen.press("enter")
                assert await screen.ends() is ExitCode.DONE
        assert board.choice is not None
        assert board.choice.port == server.port

    asyncio.run(scenario())


def test_where_nobody_answers_a_private_table_is_offered_at_the_full_screen() -> None:
    async def scenario() -> None:
        board = ServerBoard()
        async with terminal(seeking.Seeking(board, list), board=board) as screen:
            await screen.shows("Looking for servers on this network ...")
            await screen.shows("No server answers on this network, on port 28066.")
            screen.press("n")
            assert await screen.ends() is ExitCode.DONE
        assert board.private

    asyncio.run(scenario())
