"""How it is decided in which way a server is spoken to, for every way to come to it."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from passing_link.address import Address
from passing_link.admitting import find_security
from passing_link.denials import AccessDenied, CodeNeeded, CodeNotTaken, TakesNoCode, WrongCode
from passing_link.enrolling import enrol
from passing_link.finding import Found
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.known_servers import KnownServer, KnownServers
from passing_link.news import CannotReach, TurnedAway
from passing_protocol.errors import ErrorCode
from passing_protocol.handshake import Enrol, Enrolled, Role
from passing_protocol.join_codes import Invitation, JoinCode, fingerprint, join_secret
from passing_protocol.messages import ClientMessage, ServerMessage
from tests.support.curve_server import Answerer, CurveServer, here
from tests.support.fake_server import refused

TOKEN = "7H3GAMES"
NONCE = "0" * 32


class Asked:
    """Answer a query with a key, None for a server without; count how often it is asked."""

    def __init__(self, key: str | None, *, answers: bool = True) -> None:
        self.key = key
        self.answers = answers
        self.addresses: list[Address] = []

    def __call__(self, address: Address, timeout_s: float) -> Found | None:
        assert 0 < timeout_s < 4
        self.addresses.append(address)
        return Found(address, here(NONCE, address.port, self.key)) if self.answers else None


def silence() -> Asked:
    return Asked(None, answers=False)


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path)


@pytest.fixture
def server() -> Iterator[CurveServer]:
    with CurveServer() as server:
        secret = join_secret(TOKEN, key_bytes(server.key))
        server.admitted.add(KeyPair.of_secret(secret).public)
        yield server


def code_of(server: CurveServer, token: str = TOKEN) -> JoinCode:
    return JoinCode(fingerprint(key_bytes(server.key)), token)


def link_to(server: CurveServer, token: str = TOKEN) -> Invitation:
    address = server.address
    return Invitation(address.host, address.port, key_bytes(server.key), token)


# --- with a code or a link ----------------------------------------------------------------------


def test_a_code_is_held_against_the_key_enrols_and_is_needed_once(
    known: KnownServers, server: CurveServer
) -> None:
    with Answerer(server.address, server.key):
        security = find_security(server.address, code_of(server), known, "Ann")
    assert security is not None
    assert security.server_key == server.key
    (entry,) = known.all()
    assert (entry.security, entry.role) == (security, Role.PLAYER)
    ask = silence()
    assert find_security(server.address, None, known, "Ann", ask) == security
    assert ask.addresses == []


def test_a_link_needs_no_query(known: KnownServers, server: CurveServer) -> None:
    ask = Asked(KeyPair.new().public)
    security = find_security(server.address, link_to(server), known, "Ann", ask)
    assert security is not None
    assert security.server_key == server.key
    assert ask.addresses == []
    assert known.by_address(server.address) is not None


def test_who_joins_again_is_the_same_client(known: KnownServers, server: CurveServer) -> None:
    securities = [find_security(server.address, link_to(server), known, "Ann") for _ in range(2)]
    assert securities[0] == securities[1]
    assert len({enrol.client_key for enrol in server.received if isinstance(enrol, Enrol)}) == 1
    assert [entry.security for entry in known.all()] == securities[:1]


class Enrolling:
    """Remember keys in the role of a code that may become one of another, as a server does.

    More than `most` keys it does not take.
    """

    def __init__(self, most: int = 10) -> None:
        self.code = Role.SPECTATOR
        self.roles: dict[str, Role] = {}
        self._most = most

    def __call__(self, message: ClientMessage) -> list[ServerMessage]:
        assert isinstance(message, Enrol)
        if message.client_key not in self.roles and len(self.roles) == self._most:
            return [refused(ErrorCode.FULL)]
        role = self.roles.setdefault(message.client_key, self.code)
        return [Enrolled(role, message.name, None if role is self.code else self.code)]


def test_a_code_of_another_role_gives_another_key_that_replaces_the_one_before(
    known: KnownServers, server: CurveServer
) -> None:
    server.answer = enrolling = Enrolling()
    watching = find_security(server.address, link_to(server), known, "Ann")
    enrolling.code = Role.PLAYER
    playing = find_security(server.address, link_to(server), known, "Ann")
    assert watching is not None
    assert playing is not None
    assert watching.own != playing.own
    (entry,) = known.all()
    assert (entry.security, entry.role) == (playing, Role.PLAYER)
    assert enrolling.roles[playing.own.public] is Role.PLAYER
    assert find_security(server.address, link_to(server), known, "Ann") == playing
    assert len(enrolling.roles) == 2


def test_a_key_is_replaced_only_once_another_is_enrolled(
    known: KnownServers, server: CurveServer
) -> None:
    server.answer = enrolling = Enrolling(most=1)
    watching = find_security(server.address, link_to(server), known, "Ann")
    enrolling.code = Role.PLAYER
    with pytest.raises(TurnedAway):
        find_security(server.address, link_to(server), known, "Ann")
    (entry,) = known.all()
    assert (entry.security, entry.role) == (watching, Role.SPECTATOR)


def test_each_server_gets_a_key_of_its_own(known: KnownServers, server: CurveServer) -> None:
    other = Security(KeyPair.new().public, KeyPair.new())
    known.remember(Address("kitchen.lan"), other, Role.PLAYER)
    security = find_security(server.address, link_to(server), known, "Ann")
    assert security is not None
    assert security.own != other.own


def test_a_code_for_the_key_that_is_known_at_an_address_needs_no_query(
    known: KnownServers, server: CurveServer
) -> None:
    mine = find_security(server.address, link_to(server), known, "Ann")
    assert find_security(server.address, code_of(server), known, "Ann", silence()) == mine


@pytest.mark.parametrize(
    ("key", "denied"),
    [(KeyPair.new().public, WrongCode), (None, TakesNoCode)],
    ids=["another key", "no key"],
)
def test_a_key_that_does_not_fit_the_code_is_told_nothing_and_not_remembered(
    known: KnownServers, server: CurveServer, key: str | None, denied: type[AccessDenied]
) -> None:
    with pytest.raises(denied, match="has not been told anything"):
        find_security(server.address, code_of(server), known, "Ann", Asked(key))
    assert known.all() == ()
    assert server.received == []


def test_a_code_with_a_typing_error_in_its_token_is_not_taken(
    known: KnownServers, server: CurveServer
) -> None:
    ask = Asked(server.key)
    with pytest.raises(CodeNotTaken):
        find_security(server.address, code_of(server, "7H3GAMEZ"), known, "Ann", ask)
    assert known.all() == ()


def test_a_code_that_is_too_old_is_no_hindrance_to_who_is_known(
    known: KnownServers, server: CurveServer
) -> None:
    mine = Security(server.key, KeyPair.new())
    known.remember(server.address, mine, Role.PLAYER)
    ask = Asked(server.key)
    assert find_security(server.address, code_of(server, "00000000"), known, "Ann", ask) == mine
    assert find_security(server.address, link_to(server, "00000000"), known, "Ann") == mine


def test_a_server_that_tells_no_key_cannot_be_joined_by_a_code(
    known: KnownServers, server: CurveServer
) -> None:
    with pytest.raises(CannotReach, match=r"^No server answers at .*use the link instead"):
        find_security(server.address, code_of(server), known, "Ann", silence())


def test_a_code_replaces_the_key_that_was_known_at_an_address(
    known: KnownServers, server: CurveServer
) -> None:
    known.remember(server.address, Security(KeyPair.new().public, KeyPair.new()), Role.PLAYER)
    security = find_security(server.address, code_of(server), known, "Ann", Asked(server.key))
    assert security is not None
    assert find_security(server.address, None, known, "Ann", silence()) == security


# --- where keys cannot be kept, or are for nothing


def test_who_cannot_keep_its_key_asks_no_server_to_remember_it(
    known: KnownServers, server: CurveServer
) -> None:
    (known.path.parent / f".{known.path.name}.new" / "x").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        find_security(server.address, link_to(server), known, "Ann")
    assert server.received == []


def test_a_key_is_kept_before_the_server_hears_of_it(
    known: KnownServers, server: CurveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[KnownServer] = []

    def noting(*arguments: object) -> Enrolled:
        kept.extend(known.of_key(server.key))
        assert known.all() == ()
        (_address, _key, _token, own, _name) = arguments
        assert own == kept[0].security.own
        return Enrolled(Role.BOT, "Ann")

    monkeypatch.setattr("passing_link.admitting.enrol", noting)
    security = find_security(server.address, link_to(server), known, "Ann")
    assert [(entry.security, entry.addresses) for entry in kept] == [(security, ())]
    (entry,) = known.all()
    assert (entry.security, entry.role) == (security, Role.BOT)
    assert entry.addresses == (str(server.address),)


@pytest.mark.parametrize("before", [True, False])
def test_a_refusal_leaves_what_was_known_and_no_more(
    known: KnownServers, server: CurveServer, before: bool
) -> None:
    there = Security(KeyPair.new().public, KeyPair.new())
    if before:
        known.remember(server.address, there, Role.PLAYER)
    kept = known.all()
    with pytest.raises(CodeNotTaken):
        find_security(server.address, link_to(server, "7H3GAMEZ"), known, "Ann")
    assert known.all() == kept


def test_who_was_cut_off_while_joining_comes_back_with_the_same_key(
    known: KnownServers, server: CurveServer
) -> None:
    prepared = known.prepare(server.key)
    assert find_security(server.address, link_to(server), known, "Ann") == prepared
    assert [entry.security for entry in known.all()] == [prepared]


class Losing:
    """Do what another does, and lose those of its answers; they count from 1."""

    def __init__(self, enrolling: Enrolling, *lost: int) -> None:
        self._enrolling = enrolling
        self._lost = lost
        self._heard = 0

    def __call__(self, message: ClientMessage) -> list[ServerMessage]:
        self._heard += 1
        answers = self._enrolling(message)
        return [] if self._heard in self._lost else answers


@pytest.fixture
def is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no longer than this for the answer to an enrolment."""
    monkeypatch.setattr("passing_link.admitting.enrol", partial(enrol, timeout_s=0.5))


@pytest.mark.usefixtures("is_impatient")
def test_who_never_had_the_answer_gets_the_same_place(
    known: KnownServers, server: CurveServer
) -> None:
    server.answer = Losing(enrolling := Enrolling(), 1, 2)
    for _ in range(2):
        with pytest.raises(CannotReach):
            find_security(server.address, link_to(server), known, "Ann")
        assert known.all() == ()
    security = find_security(server.address, link_to(server), known, "Ann")
    assert security is not None
    assert list(enrolling.roles) == [security.own.public]
    assert [entry.security for entry in known.all()] == [security]
    assert known.of_key(server.key) == known.all()


@pytest.mark.usefixtures("is_impatient")
def test_who_never_had_the_answer_and_has_an_old_code_by_now_comes_in_without(
    known: KnownServers, server: CurveServer
) -> None:
    server.answer = Losing(enrolling := Enrolling(), 1)
    with pytest.raises(CannotReach):
        find_security(server.address, link_to(server), known, "Ann")
    security = find_security(server.address, link_to(server, "00000000"), known, "Ann")
    assert security is not None
    assert list(enrolling.roles) == [security.own.public]
    assert find_security(server.address, None, known, "Ann", Asked(server.key)) == security


@pytest.mark.usefixtures("is_impatient")
def test_who_never_had_the_answer_to_a_code_of_another_role_gets_the_same_place(
    known: KnownServers, server: CurveServer
) -> None:
    enrolling = Enrolling()
    server.answer = Losing(enrolling, 3)
    watching = find_security(server.address, link_to(server), known, "Ann")
    enrolling.code = Role.PLAYER
    with pytest.raises(CannotReach):
        find_security(server.address, link_to(server), known, "Ann")
    assert [entry.security for entry in known.all()] == [watching]
    playing = find_security(server.address, link_to(server), known, "Ann")
    assert playing is not None
    assert list(enrolling.roles.values()) == [Role.SPECTATOR, Role.PLAYER]
    assert enrolling.roles[playing.own.public] is Role.PLAYER
    assert [entry.security for entry in known.of_key(server.key)] == [playing]


@pytest.mark.usefixtures("is_impatient")
def test_a_key_whose_answer_was_lost_is_left_when_the_next_code_is_of_another_role(
    known: KnownServers, server: CurveServer
) -> None:
    enrolling = Enrolling()
    server.answer = Losing(enrolling, 1)
    with pytest.raises(CannotReach):
        find_security(server.address, link_to(server), known, "Ann")
    enrolling.code = Role.PLAYER
    playing = find_security(server.address, link_to(server), known, "Ann")
    assert playing is not None
    assert enrolling.roles[playing.own.public] is Role.PLAYER
    assert [entry.security for entry in known.of_key(server.key)] == [playing]


def test_what_is_known_of_a_server_is_never_forgotten_for_a_refusal(known: KnownServers) -> None:
    mine = Security(KeyPair.new().public, KeyPair.new())
    known.remember(Address("den.lan"), mine, Role.PLAYER)
    known.forget(mine)
    other = known.prepare(mine.server_key)
    found = known.by_key(mine.server_key)
    assert found is not None
    assert found.security == mine
    known.forget(other)
    assert known.all() == (found,)


# --- without a code -----------------------------------------------------------------------------


PLACE = Address("192.168.1.20")


def test_an_address_whose_key_is_known_is_never_spoken_to_in_the_clear(
    known: KnownServers,
) -> None:
    mine = Security(KeyPair.new().public, KeyPair.new())
    known.remember(PLACE, mine, Role.PLAYER)
    for ask in (Asked(None), Asked(KeyPair.new().public), silence()):
        assert find_security(PLACE, None, known, "Ann", ask) == mine
        assert ask.addresses == []


def test_a_known_server_at_another_address_is_known_by_its_key_and_not_yet_moved(
    known: KnownServers,
) -> None:
    mine = Security(KeyPair.new().public, KeyPair.new())
    known.remember(PLACE, mine, Role.PLAYER)
    elsewhere = Address("192.168.1.77")
    assert find_security(elsewhere, None, known, "Ann", Asked(mine.server_key)) == mine
    assert known.by_address(elsewhere) is None  # a datagram proves nothing


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("other", ["localhost", "LocalHost", "::ffff:127.0.0.1"])
def test_no_other_name_of_an_address_whose_key_is_known_is_spoken_to_in_the_clear(
    known: KnownServers, other: str, answers: bool
) -> None:
    pinned = Security(KeyPair.new().public, KeyPair.new())
    known.remember(Address("127.0.0.1", 4_000), pinned, Role.PLAYER)
    asked = Asked(None, answers=answers)
    assert find_security(Address(other, 4_000), None, known, "x", asked) == pinned
    assert find_security(Address("127.0.0.1", 4_001), None, known, "x", asked) is None


def test_a_machine_that_cannot_be_looked_up_is_no_known_one(known: KnownServers) -> None:
    assert find_security(Address("den.invalid"), None, known, "x", silence()) is None


def test_a_server_with_a_key_that_is_not_known_wants_a_code(known: KnownServers) -> None:
    with pytest.raises(CodeNeeded, match=f"^{PLACE} lets in only those who have joined it"):
        find_security(PLACE, None, known, "Ann", Asked(KeyPair.new().public))


@pytest.mark.parametrize("answers", [True, False])
def test_a_server_without_a_key_is_spoken_to_in_the_clear(
    known: KnownServers, answers: bool
) -> None:
    assert find_security(PLACE, None, known, "Ann", Asked(None, answers=answers)) is None


def test_a_server_that_nobody_answers_for_is_asked_no_longer_than_promised(
    known: KnownServers,
) -> None:
    began = time.monotonic()
    assert find_security(Address("127.0.0.1", 9), None, known, "Ann") is None
    assert time.monotonic() - began < 5
