"""`passing doctor` finds what is amiss here, and whether a server answers."""

import socket
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from passing_client import diagnosis
from passing_client.command import main
from passing_client.diagnosis import Finding, Verdict, can_bind, local_findings
from passing_client.entry import Entry
from passing_client.reach import server_findings
from passing_link.address import DEFAULT_PORT, Address
from passing_link.blocking import Connection
from passing_link.denials import AccessDenied
from passing_link.exits import ExitCode
from passing_link.news import CannotReach, LinkError, TurnedAway
from passing_link.processes import ServerProcess, start_server
from passing_link.versions import Transport, transport
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Refused
from tests.support.protocol.samples import WELCOME

SUBJECTS = (
    "python",
    "zeromq",
    "curve",
    "msgpack",
    "addresses",
    "network",
    "port",
    "terminal",
    "encoding",
)
GOOD = Transport("27.0", (4, 3, 5), curve=True)


def found(subject: str, given: Transport = GOOD) -> Finding:
    """Return what there is to say about a subject."""
    (finding,) = (finding for finding in local_findings(given) if finding.subject == subject)
    return finding


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with start_server(tmp_path_factory.mktemp("server")) as process:
        yield process


# --- this machine --------------------------------------------------------------------------


def test_each_subject_has_one_finding() -> None:
    assert tuple(finding.subject for finding in local_findings(GOOD)) == SUBJECTS


def test_this_machine_can_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [*SUBJECTS, "discovery"]
    assert {line.split()[0] for line in lines} <= {"fine", "note"}


@pytest.mark.parametrize(
    ("libzmq", "verdict"),
    [
        ((4, 3, 5), Verdict.FINE),
        ((4, 4, 0), Verdict.FINE),
        ((5, 0, 0), Verdict.FINE),
        ((4, 3, 4), Verdict.BAD),
        ((4, 2, 9), Verdict.BAD),
    ],
)
def test_libzmq_has_to_be_recent(libzmq: tuple[int, int, int], verdict: Verdict) -> None:
    finding = found("zeromq", Transport("27.0", libzmq, curve=True))
    assert finding.verdict is verdict
    assert ".".join(map(str, libzmq)) in finding.sentence
    assert ("4.3.5 or newer is needed" in finding.sentence) is (verdict is Verdict.BAD)


@pytest.mark.parametrize(("curve", "verdict"), [(True, Verdict.FINE), (False, Verdict.BAD)])
def test_curve_has_to_be_there(curve: bool, verdict: Verdict) -> None:
    finding = found("curve", Transport("27.0", (4, 3, 5), curve=curve))
    assert finding.verdict is verdict
    assert "can be encrypted" not in finding.sentence


@pytest.mark.parametrize(
    ("version", "verdict"),
    [((1, 2, 1), Verdict.FINE), ((2, 0, 0), Verdict.FINE), ((1, 2, 0), Verdict.BAD)],
)
def test_msgpack_has_to_be_one_that_cannot_be_crashed(
    version: tuple[int, int, int], verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("msgpack.version", version)
    assert found("msgpack").verdict is verdict


@pytest.mark.parametrize(("system", "verdict"), [("Linux", Verdict.FINE), ("Darwin", Verdict.NOTE)])
def test_a_system_that_is_not_tested_is_noted(
    system: str, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    assert found("python").verdict is verdict
    assert system in found("python").sentence


@pytest.mark.parametrize(
    ("families", "verdict"),
    [
        ({socket.AF_INET, socket.AF_INET6}, Verdict.FINE),
        ({socket.AF_INET}, Verdict.NOTE),
        ({socket.AF_INET6}, Verdict.BAD),
        (set[socket.AddressFamily](), Verdict.BAD),
    ],
)
def test_private_tables_need_ipv4(
    families: set[socket.AddressFamily], verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listens(family: socket.AddressFamily, _port: int) -> bool:
        return family in families

    monkeypatch.setattr(diagnosis, "can_bind", listens)
    assert found("addresses").verdict is verdict


@pytest.mark.parametrize(("free", "verdict"), [(True, Verdict.FINE), (False, Verdict.NOTE)])
def test_a_taken_port_is_noted(
    free: bool, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listens(_family: socket.AddressFamily, port: int) -> bool:
        return free or port != DEFAULT_PORT

    monkeypatch.setattr(diagnosis, "can_bind", listens)
    assert found("port").verdict is verdict
    assert str(DEFAULT_PORT) in found("port").sentence


def test_a_port_can_be_bound_until_somebody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert not can_bind(socket.AF_INET, listening.getsockname()[1])
    assert can_bind(socket.AF_INET, free_port())


@pytest.mark.parametrize(
    ("terminal", "kind", "verdict"),
    [
        (True, "xterm-256color", Verdict.FINE),
        (True, "dumb", Verdict.NOTE),
        (True, "", Verdict.NOTE),
        (False, "xterm-256color", Verdict.NOTE),
    ],
)
def test_what_is_no_terminal_is_noted(
    terminal: bool, kind: str, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    monkeypatch.setenv("TERM", kind)
    assert found("terminal").verdict is verdict


@pytest.mark.parametrize(
    ("encoding", "verdict"), [("UTF-8", Verdict.FINE), ("ascii", Verdict.NOTE)]
)
def test_another_encoding_is_noted(
    encoding: str, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locale.getencoding", lambda: encoding)
    assert found("encoding").verdict is verdict
    assert encoding in found("encoding").sentence


def test_something_bad_gives_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacks(_capability: str) -> bool:
        return False

    monkeypatch.setattr("zmq.has", lacks)
    assert main(["doctor", "--quiet"]) == ExitCode.CHECK_FAILED
    assert capsys.readouterr() == ("", "")
    assert main(["doctor"]) == ExitCode.CHECK_FAILED
    assert "bad   curve " in capsys.readouterr().out


def test_transport_is_the_one_installed() -> None:
    assert transport().recent
    assert transport().curve


# --- a server ------------------------------------------------------------------------------


def of_server(address: Address, timeout_s: float) -> tuple[Finding, ExitCode]:
    """Return what is said of whether a server answers."""
    findings, code = server_findings(Entry(address), "Dana", timeout_s)
    return findings[0], code


def test_a_server_that_answers_is_fine(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", server.connection.address]) == ExitCode.DONE
    greeted, keys = capsys.readouterr().out.splitlines()[-2:]
    assert greeted.startswith("fine  server ")
    assert server.connection.address in greeted
    assert keys == "fine  keys       nothing is encrypted, and nobody else reaches that server"


@pytest.mark.parametrize(
    ("said", "shown"),
    [("Den\x1b[2J\x07", "Den answers at "), ("\x1b[2J", "A server answers at ")],
)
def test_c48_the_name_of_a_server_is_harmless(
    said: str, shown: str, server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "welcome", replace(WELCOME, server=said))
    finding, _ = of_server(Address.parse(server.connection.address), timeout_s=5)
    assert finding.sentence.startswith(shown)
    assert str(finding).isprintable()


@pytest.mark.usefixtures("in_the_clear")
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CannotReach("gone\x1b[2J\nfine  server"), ExitCode.UNREACHABLE),
        (TurnedAway(Refused(ErrorCode.FULL, "go\x1b[2J\naway", (1, 1))), ExitCode.REFUSED),
    ],
)
def test_c48_the_reason_of_a_server_is_harmless(
    error: LinkError, code: ExitCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> Connection:
        raise error

    monkeypatch.setattr(Connection, "open", fails)
    finding, found_code = of_server(Address("den.local"), timeout_s=1)
    assert found_code is code
    assert str(finding).isprintable()


@pytest.mark.usefixtures("in_the_clear")
@pytest.mark.parametrize("kind", AccessDenied.__subclasses__())
def test_a_denial_is_told_whole(kind: type[AccessDenied], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> Connection:
        raise kind("den.local")

    monkeypatch.setattr(Connection, "open", fails)
    finding, code = of_server(Address("den.local"), timeout_s=1)
    assert (finding.sentence, code) == (str(kind("den.local")), ExitCode.REFUSED)


def test_doctor_leaves_no_trace_and_may_come_again(server: ServerProcess) -> None:
    address = server.connection.address
    assert [main(["doctor", "--quiet", address]) for _ in range(3)] == [ExitCode.DONE] * 3


def test_nobody_there_is_unreachable() -> None:
    address = Address("127.0.0.1", free_port())
    finding, code = of_server(address, timeout_s=0.2)
    assert finding.verdict is Verdict.BAD
    assert code is ExitCode.UNREACHABLE
    assert str(address) in finding.sentence


def test_somebody_else_there_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port: int = silent.getsockname()[1]
        finding, code = of_server(Address("127.0.0.1", port), timeout_s=0.2)
    assert finding.verdict is Verdict.BAD
    assert code is ExitCode.UNREACHABLE


@pytest.mark.parametrize("text", ["a:b", "[::1", "two words", "host:99999", ""])
def test_a_bad_address_is_a_fault_of_usage(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", text]) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("passing: address: ")
