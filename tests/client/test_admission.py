"""Being let in: by a code, by the keys that are kept, and told in words where that fails."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from passing_client import admission, visiting
from passing_client.admission import Admission, admit, failure_of
from passing_client.asking import CodeWanted
from passing_client.command import main
from passing_client.entry import Entry
from passing_client.language import use
from passing_link import denials, words
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.denials import AccessDenied, CodeNeeded, CodeNotTaken, KeyChanged, WrongCode
from passing_link.exits import CommandFailed, ExitCode
from passing_link.keys import KeyPair, Security
from passing_link.known_servers import KnownServers, client_folder
from passing_link.news import CannotReach, LinkError, LinkNews, NewsKind, TurnedAway
from passing_link.transport import Sign
from passing_protocol.errors import ErrorCode
from passing_protocol.handshake import Role
from passing_protocol.join_codes import JoinCode
from passing_protocol.messages import Refused
from tests.support.catalogues import TRANSLATED
from tests.support.client_scene import FakeLink
from tests.support.fake_server import welcome

DEN = Address("den.local")
CODE = JoinCode.parse("01234-56789-ABCDE-FGHJK")
SERVER = KeyPair.new().public
KINDS = AccessDenied.__subclasses__()

Finding = Callable[[KnownServers], Security | None]


def finds(monkeypatch: pytest.MonkeyPatch, find: Finding) -> None:
    """Let it be decided so how the server is spoken to."""

    def find_security(
        _address: Address, _code: object, known: KnownServers, _name: str
    ) -> Security | None:
        return find(known)

    monkeypatch.setattr(admission, "find_security", find_security)


def joins(known: KnownServers) -> Security:
    """Join the server, as its code does, and keep its key."""
    security = Security(SERVER, KeyPair.new())
    known.remember(DEN, security, Role.PLAYER)
    return security


def fails(error: Exception) -> Finding:
    def find(_known: KnownServers) -> None:
        raise error

    return find


# --- keys


def test_a_server_that_is_joined_is_new_once(monkeypatch: pytest.MonkeyPatch) -> None:
    finds(monkeypatch, joins)
    assert admit(Entry(DEN, CODE), "Dana").is_new
    assert not admit(Entry(DEN, CODE), "Dana").is_new


def test_in_the_clear_nothing_is_new_and_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    finds(monkeypatch, lambda _known: None)
    let_in = admit(Entry(DEN), "Dana")
    assert let_in == Admission(Entry(DEN), None, is_new=False)
    let_in.note_visit("den")
    assert not let_in.kept_in.exists()


def test_what_the_server_calls_itself_is_kept_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    finds(monkeypatch, joins)
    let_in = admit(Entry(DEN, CODE), "Dana")
    let_in.note_visit("the den")
    (known,) = KnownServers(client_folder()).all()
    assert (known.name, known.addresses) == ("the den", (str(DEN),))
    assert let_in.kept_in.stat().st_mode & 0o777 == 0o600


def test_a_server_that_was_never_here_is_told_with_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = KnownServers(client_folder())
    security = joins(known)
    known.remember(Address("192.168.1.20", 4000), security, Role.PLAYER)
    finds(monkeypatch, lambda _known: security)
    assert admit(Entry(DEN), "Dana").elsewhere == ()
    there = admit(Entry(Address("192.168.1.99")), "Dana")
    assert there.elsewhere == (Address("192.168.1.20", 4000), DEN)
    assert not there.is_new


def test_each_profile_has_keys_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    finds(monkeypatch, joins)
    for profile in (None, "bo", "caro"):
        assert admit(Entry(DEN, CODE, profile), "Dana").is_new
    files = {admit(Entry(DEN, CODE, profile), "Dana").kept_in for profile in (None, "bo", "caro")}
    assert len(files) == 3


def test_keys_that_cannot_be_kept_are_told_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = client_folder()
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder")
    finds(monkeypatch, joins)
    with pytest.raises(CommandFailed, match=re.escape(str(folder / "servers.json"))) as failed:
        admit(Entry(DEN, CODE), "Dana")
    assert failed.value.code is ExitCode.UNEXPECTED


def test_a_file_of_keys_that_is_damaged_is_told_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = client_folder()
    folder.mkdir(parents=True)
    (folder / "servers.json").write_text("{")
    finds(monkeypatch, joins)
    with pytest.raises(CommandFailed, match="does not hold known servers") as failed:
        admit(Entry(DEN, CODE), "Dana")
    assert failed.value.code is ExitCode.USAGE
    assert (folder / "servers.json").read_text() == "{"


# --- failures


@pytest.mark.parametrize(
    ("error", "code"),
    [
        *[(kind("den.local"), ExitCode.REFUSED) for kind in KINDS],
        (TurnedAway(Refused(ErrorCode.FULL, "Full.", (0, 0))), ExitCode.REFUSED),
        (TurnedAway(Refused(ErrorCode.VERSION, "speaks 1 to 2", (1, 2))), ExitCode.REFUSED),
        (CannotReach("Nobody is listening at den.local:28066."), ExitCode.UNREACHABLE),
    ],
)
def test_whatever_keeps_one_out_has_a_sentence_and_a_code(
    error: LinkError,
    code: ExitCode,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    finds(monkeypatch, fails(error))
    assert main(["play", "den.local", "--name", "Dana", "--plain"]) == code
    told = capsys.readouterr()
    more = " To look for the reason: passing doctor den.local"
    assert told.err == f"passing: {error}{more if code is ExitCode.UNREACHABLE else ''}\n"
    assert told.out == ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_is_denied_ends_as_one_that_is_never_made(
    kind: type[AccessDenied], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def opens(*_: object, **__: object) -> AsyncConnection:
        raise kind("den.local")

    finds(monkeypatch, lambda _known: None)
    monkeypatch.setattr(AsyncConnection, "open", opens)
    assert main(["watch", "den.local", "--plain"]) == ExitCode.REFUSED
    assert capsys.readouterr().err == f"passing: {kind('den.local')}\n"


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_denial_says_all_in_every_language(kind: type[AccessDenied], language: str) -> None:
    use(language)
    told = failure_of(kind("den.local"), DEN).sentence
    assert "den.local" in told
    assert told != str(kind("den.local"))
    for typed in ("--code", "`passing serve invite`", "`passing serve --lan`"):
        assert (typed in told) == (typed in kind.text)


def test_only_what_a_code_can_mend_asks_for_one() -> None:
    asks = {kind for kind in KINDS if isinstance(failure_of(kind("den"), DEN), CodeWanted)}
    assert asks == {CodeNeeded, WrongCode, CodeNotTaken, denials.NotAdmitted}
    assert KeyChanged not in asks


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
@pytest.mark.parametrize("kind", KINDS)
def test_above_the_question_for_a_code_no_flag_is_asked_for(
    kind: type[AccessDenied], language: str
) -> None:
    use(language)
    wanted = failure_of(kind("den.local"), DEN)
    if isinstance(wanted, CodeWanted):
        assert "den.local" in wanted.asking
        assert "--code" not in wanted.asking
        assert (wanted.asking == wanted.sentence) == ("--code" not in kind.text)
        assert ("`passing serve invite`" in wanted.asking) == ("serve invite" in kind.text)


def test_a_code_that_was_given_is_what_was_not_taken() -> None:
    """Who is known still and was revoked comes with a code that is good no more."""
    told = failure_of(denials.NotAdmitted("den.local"), DEN, gave_code=True)
    assert told.sentence == str(CodeNotTaken("den.local"))
    told = failure_of(KeyChanged("den.local"), DEN, gave_code=True)
    assert told.sentence == str(KeyChanged("den.local"))


def test_the_manual_quotes_what_is_said() -> None:
    text = (Path(__file__).parents[2] / "docs" / "players.md").read_text()
    rows = text.partition("| what you read |")[2].partition("\n\n")[0].splitlines()[2:]
    quoted = [row.split("|")[1].strip() for row in rows]
    said = [kind.text for kind in KINDS]
    said += [words.tells_no_key("den"), words.of_sign(Sign.CLOSED, "den", reached=False)]
    assert len(quoted) == len(said)
    for told in said:
        assert sum(quote in told for quote in quoted) == 1, told


# --- what is told then


class Greeted(FakeLink):
    """A connection to a server that then ends the session."""

    welcome = welcome()

    async def __aenter__(self) -> "Greeted":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


FIRST = "This is the first time here: the server's key is kept. You need no code next time.\n"
OPEN = "WARNING: this server encrypts nothing. "


def visited(
    monkeypatch: pytest.MonkeyPatch, link: Greeted, *words: str, host: str = "den.local"
) -> int:
    async def opens(*_: object, **__: object) -> Greeted:
        return link

    monkeypatch.setattr(AsyncConnection, "open", opens)
    return main(["play", host, "--plain", *words])


def ended(kind: NewsKind = NewsKind.CLOSED, sentence: str = "It is over.") -> Greeted:
    return Greeted(script=[LinkNews(kind, sentence)])


def test_the_first_time_it_is_told_that_no_code_is_needed_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, joins)
    visited(monkeypatch, ended(), "--code", str(CODE))
    assert FIRST in capsys.readouterr().out
    visited(monkeypatch, ended())
    assert FIRST not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("host", "says_so", "is_warned_of"),
    [
        ("localhost", False, False),
        ("127.0.0.2", False, False),
        ("localhost", True, True),
        ("den.local", True, True),
        ("den.local", False, True),  # who poses as a server may well not say so
    ],
)
def test_a_server_that_others_reach_unencrypted_is_warned_of(
    host: str,
    says_so: bool,
    is_warned_of: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    finds(monkeypatch, lambda _known: None)
    link = ended()
    link.welcome = welcome(open_to_all=says_so)
    visited(monkeypatch, link, host=host)
    assert (OPEN in capsys.readouterr().out) == is_warned_of


def test_of_a_server_that_encrypts_there_is_nothing_to_warn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finds(monkeypatch, joins)
    assert not admit(Entry(DEN, CODE), "Dana").is_open(welcome(open_to_all=True))


def test_who_is_revoked_is_told_and_sent_away_with_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds(monkeypatch, joins)
    gone = "den.local has ended the session: The operator has taken this client's access away."
    assert visited(monkeypatch, ended(NewsKind.REFUSED, gone)) == ExitCode.REFUSED
    assert gone in capsys.readouterr().out


def test_the_profile_is_whose_name_one_plays_under_unless_one_is_chosen() -> None:
    from passing_client.settings import Settings

    assert visiting.own_name(Settings(profile="Bo")) == "Bo"
    assert visiting.own_name(Settings(profile="Bo", name="Robert")) == "Robert"
