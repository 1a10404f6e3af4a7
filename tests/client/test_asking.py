"""A person at a terminal is asked for the code that a server wants, and nobody else is."""

import sys
from collections.abc import Callable, Sequence

import pytest

from passing_client.asking import CodeWanted, asked_anew
from passing_client.entry import Entry
from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.join_codes import Invitation, JoinCode

DEN = Entry(Address("den.local"))
RIGHT = JoinCode.parse("01234-56789-ABCDE-FGHJK")
WRONG = JoinCode.parse("01234-56789-ABCDE-FGHJ0")
LINK = Invitation("nas.local", 4000, bytes(32), RIGHT.token)


class Server:
    """Let in who has the right code or link, and remember who has tried."""

    def __init__(self) -> None:
        self.tried: list[Entry] = []

    def __call__(self, entry: Entry) -> ExitCode:
        self.tried.append(entry)
        if entry.code not in (RIGHT, LINK):
            wrong = "It wants a code" if entry.code is None else "That is none"
            raise CodeWanted(f"{wrong}: --code.", f"{wrong}: here.")
        return ExitCode.DONE


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], None]:
    """Return how to sit at a terminal and type lines; then the input is at its end."""

    def sit(lines: Sequence[str]) -> None:
        waiting = list(lines)

        def typed(_prompt: str) -> str:
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        monkeypatch.setenv("COLUMNS", "200")
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: True)
        monkeypatch.setattr("builtins.input", typed)

    return sit


Types = Callable[[Sequence[str]], None]


def test_who_needs_no_code_is_asked_for_none(types: Types) -> None:
    types([])
    server = Server()
    assert asked_anew(Entry(DEN.address, RIGHT), server) is ExitCode.DONE
    assert len(server.tried) == 1


@pytest.mark.parametrize("code", [RIGHT, LINK])
def test_it_is_asked_until_a_code_lets_one_in(
    code: JoinCode | Invitation, types: Types, capsys: pytest.CaptureFixture[str]
) -> None:
    types(["nonsense", str(WRONG), f" {code!s} "])
    server = Server()
    assert asked_anew(DEN, server) is ExitCode.DONE
    assert server.tried == [DEN, Entry(DEN.address, WRONG), Entry(DEN.address, code)]
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "It wants a code: here."
    assert told[1].startswith("This code has 8 characters")
    assert told[2:] == ["That is none: here."]


@pytest.mark.parametrize("lines", [[""], ["  "], []])
def test_who_types_none_leaves_with_the_reason(lines: list[str], types: Types) -> None:
    types(lines)
    with pytest.raises(CommandFailed, match=r"^It wants a code: --code\.$") as failed:
        asked_anew(DEN, Server())
    assert failed.value.code is ExitCode.REFUSED


def test_who_has_given_a_code_is_not_asked_for_another(types: Types) -> None:
    types([str(RIGHT)])
    with pytest.raises(CommandFailed, match=r"^That is none: --code\.$"):
        asked_anew(Entry(DEN.address, WRONG), Server())


def test_off_a_terminal_nobody_is_asked() -> None:
    with pytest.raises(CommandFailed, match=r"^It wants a code: --code\.$") as failed:
        asked_anew(DEN, Server())
    assert failed.value.code is ExitCode.REFUSED


def test_another_failure_is_not_asked_about(types: Types) -> None:
    def unreachable(_entry: Entry) -> ExitCode:
        raise CommandFailed(ExitCode.UNREACHABLE, "Nobody is listening.")

    types([str(RIGHT)])
    with pytest.raises(CommandFailed, match="Nobody is listening"):
        asked_anew(DEN, unreachable)
