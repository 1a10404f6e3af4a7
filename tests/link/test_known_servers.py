"""What a profile knows of servers: kept whole, for its owner alone, and never the wrong one."""

import os
import re
import threading
from datetime import date
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.address import Address
from passing_link.keys import KeyPair, Security
from passing_link.known_servers import (
    ADDRESSES_KEPT,
    BOT_PROFILE,
    InvalidProfile,
    KnownServer,
    KnownServers,
    KnownServersDamaged,
    client_folder,
)
from passing_protocol.handshake import Role
from tests.support.endless import ENDLESS, make_endless

DEN = Address("192.168.1.20")
KITCHEN = Address("Kitchen.lan", 4000)


def fresh() -> Security:
    return Security(KeyPair.new().public, KeyPair.new())


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path / "client")


def test_without_a_file_nothing_is_known_and_nothing_is_made(known: KnownServers) -> None:
    assert known.all() == ()
    assert known.by_address(DEN) is None
    known.visited(DEN, fresh().server_key, "den")
    assert not known.path.exists()


def test_a_server_that_is_remembered_is_found_by_its_address_and_by_its_key(
    known: KnownServers,
) -> None:
    den, kitchen = fresh(), fresh()
    known.remember(DEN, den, Role.PLAYER)
    known.remember(KITCHEN, kitchen, Role.BOT)
    again = KnownServers(known.path.parent)
    for found in (again.by_address(DEN), again.by_key(den.server_key)):
        assert found is not None
        assert found.security == den
        assert (found.name, found.role, found.addresses) == ("", Role.PLAYER, (str(DEN),))
        assert found.last_day == date.today().isoformat()
    found = again.by_address(Address("kitchen.LAN", 4000))
    assert found is not None
    assert found.security == kitchen
    assert again.by_address(Address("kitchen.lan", 4001)) is None


def test_the_file_and_its_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "client").mkdir(mode=0o755)
    for folder in (tmp_path / "client", tmp_path / "client" / "bot"):
        known = KnownServers(folder)
        known.remember(DEN, fresh(), Role.PLAYER)
        assert folder.stat().st_mode & 0o777 == 0o700
        for path in folder.iterdir():
            assert path.is_dir() or path.stat().st_mode & 0o777 == 0o600


def test_another_server_at_an_address_takes_it_over(known: KnownServers) -> None:
    old, new = fresh(), fresh()
    known.remember(DEN, old, Role.PLAYER)
    known.remember(DEN, new, Role.SPECTATOR)
    found = known.by_address(DEN)
    assert found is not None
    assert found.security == new
    left = known.by_key(old.server_key)
    assert left is not None
    assert left.addresses == ()


def test_joining_anew_replaces_our_key_and_keeps_the_addresses(known: KnownServers) -> None:
    first = fresh()
    second = Security(first.server_key, KeyPair.new())
    known.remember(DEN, first, Role.PLAYER)
    known.remember(KITCHEN, second, Role.BOT)
    (server,) = known.all()
    assert server.security == second
    assert server.addresses == (str(KITCHEN).lower(), str(DEN))
    assert known.by_address(DEN) == server


def test_a_visit_keeps_where_the_server_was_and_what_it_calls_itself(known: KnownServers) -> None:
    den, kitchen = fresh(), fresh()
    known.remember(DEN, den, Role.PLAYER)
    known.remember(KITCHEN, kitchen, Role.PLAYER)
    known.visited(KITCHEN, den.server_key, "\x1b[2Jden")
    found = known.by_address(KITCHEN)
    assert found is not None
    assert (found.security, found.name) == (den, "den")
    assert known.by_address(DEN) == found
    assert [server.security for server in known.all()] == [den, kitchen]


@pytest.mark.parametrize(
    ("pinned", "spelled"),
    [
        ("192.168.1.20", ("::ffff:192.168.1.20", "[::ffff:c0a8:114]")),
        ("::ffff:192.168.1.20", ("192.168.1.20", "[::FFFF:192.168.1.20]:28066")),
        ("2001:db8:0:0::1", ("2001:db8::1", "2001:0DB8::1", "[2001:db8::0:1]:28066")),
        ("den.lan.", ("den.lan", "DEN.lan", "den.LAN.:28066")),
    ],
)
def test_a_server_is_known_by_every_spelling_of_its_address(
    known: KnownServers, pinned: str, spelled: tuple[str, ...]
) -> None:
    den = fresh()
    known.remember(Address.parse(pinned), den, Role.PLAYER)
    for text in (pinned, *spelled):
        found = known.by_address(Address.parse(text))
        assert found is not None, text
        assert found.security == den
        known.visited(Address.parse(text), den.server_key, "den")
    assert len(known.all()[0].addresses) == 1
    other = fresh()
    known.remember(Address.parse(spelled[0]), other, Role.PLAYER)
    found = known.by_address(Address.parse(pinned))
    assert found is not None
    assert found.security == other


def test_a_spelling_in_an_older_file_is_known_too(known: KnownServers) -> None:
    known.remember(DEN, fresh(), Role.PLAYER)
    older = '[::ffff:192.168.1.20]:28066", "127.1:28066'
    known.path.write_text(known.path.read_text().replace(str(DEN), older))
    found = known.by_address(DEN)
    assert found is not None
    known.visited(DEN, found.server_key, "den")
    assert known.all()[0].addresses == (str(DEN), "127.1:28066")


def test_what_was_prepared_is_joined_once_the_server_has_let_us_in(known: KnownServers) -> None:
    den = known.prepare(fresh().server_key)
    assert known.all() == ()
    known.visited(DEN, den.server_key, "den")
    (server,) = known.all()
    assert (server.security, server.name, server.addresses) == (den, "den", (str(DEN),))
    known.forget(den)
    assert known.all() == (server,)


def test_it_is_told_where_a_server_was_for_an_address_where_it_never_was(
    known: KnownServers,
) -> None:
    den = fresh()
    assert known.elsewhere(DEN, den.server_key) == ()
    known.remember(DEN, den, Role.PLAYER)
    known.remember(KITCHEN, den, Role.PLAYER)
    assert known.elsewhere(Address("elsewhere"), den.server_key) == (KITCHEN.plain, DEN.plain)
    for place in (DEN, KITCHEN):
        assert known.elsewhere(place, den.server_key) == ()


def test_only_so_many_addresses_of_a_server_are_kept(known: KnownServers) -> None:
    den = fresh()
    known.remember(DEN, den, Role.PLAYER)
    for number in range(ADDRESSES_KEPT + 3):
        known.visited(Address(f"10.0.0.{number}"), den.server_key, "den")
    (server,) = known.all()
    assert len(server.addresses) == ADDRESSES_KEPT
    assert server.addresses[0] == f"10.0.0.{ADDRESSES_KEPT + 2}:28066"


def test_a_link_is_written_through(known: KnownServers, tmp_path: Path) -> None:
    den, kitchen = fresh(), fresh()
    known.remember(DEN, den, Role.PLAYER)
    elsewhere = tmp_path / "elsewhere.json"
    known.path.rename(elsewhere)
    known.path.symlink_to(elsewhere)
    known.remember(KITCHEN, kitchen, Role.PLAYER)
    assert known.path.is_symlink()
    assert [server.security for server in known.all()] == [kitchen, den]
    assert elsewhere.read_bytes() == known.path.read_bytes()


@pytest.mark.parametrize("leads", ["../nowhere.json", "servers.json"])
def test_a_link_that_leads_nowhere_is_not_taken_for_knowing_nobody(
    known: KnownServers, leads: str
) -> None:
    """Else a server whose key is known would be spoken to in the clear."""
    known.path.parent.mkdir()
    known.path.symlink_to(leads)
    with pytest.raises(KnownServersDamaged, match=r"servers\.json is a link to .* no file is"):
        known.by_address(DEN)
    with pytest.raises(KnownServersDamaged):
        known.remember(DEN, fresh(), Role.PLAYER)
    assert known.path.is_symlink()


def test_no_secret_is_shown(known: KnownServers) -> None:
    den = fresh()
    known.remember(DEN, den, Role.PLAYER)
    shown = f"{known.all()} {known.by_address(DEN)!r} {known}"
    assert den.own.secret not in shown
    assert den.server_key in shown


def test_threads_and_processes_that_change_it_at_once_lose_nothing(known: KnownServers) -> None:
    securities = [fresh() for _ in range(12)]

    def remember(number: int) -> None:
        mine = KnownServers(known.path.parent)
        mine.remember(Address(f"10.0.0.{number}"), securities[number], Role.PLAYER)

    threads = [threading.Thread(target=remember, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {server.server_key for server in known.all()}
    assert found == {security.server_key for security in securities}


# --- a file that holds something else -----------------------------------------------------------


def written(known: KnownServers) -> bytes:
    known.remember(DEN, fresh(), Role.PLAYER)
    return known.path.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        (rb".*", b""),
        (rb".*", b"\xff\xfe"),
        (rb".*", b"[]"),
        (rb'"format": 1', b'"format": 2'),
        (rb'"secret": ".', b'"secret": "'),
        (rb'"server_key": "..', b'"server_key": "~~'),
        (rb'"role": "player"', b'"role": "king"'),
        (rb'"last_day": "....', b'"last_day": "yesterday'),
    ],
)
def test_a_damaged_file_is_named_and_never_overwritten(
    known: KnownServers, change: tuple[bytes, bytes]
) -> None:
    data = written(known)
    found = known.by_address(DEN)
    assert found is not None
    damaged = re.sub(change[0], change[1], data, count=1, flags=re.DOTALL)
    assert damaged != data
    known.path.write_bytes(damaged)
    for use in (
        known.all,
        lambda: known.by_address(DEN),
        lambda: known.remember(DEN, fresh(), Role.PLAYER),
        lambda: known.visited(DEN, found.server_key, "den"),
    ):
        with pytest.raises(KnownServersDamaged, match=re.escape(str(known.path))) as refused:
            use()
        assert found.secret not in str(refused.value)
    assert known.path.read_bytes() == damaged


@given(st.binary(max_size=200))
def test_any_bytes_are_known_servers_or_damaged(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("known")
    known = KnownServers(folder)
    known.path.write_bytes(data)
    with pytest.raises(KnownServersDamaged):
        known.all()


def test_a_write_that_fails_leaves_what_was_there(
    known: KnownServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written(known)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        known.remember(KITCHEN, fresh(), Role.PLAYER)
    assert known.path.read_bytes() == data


def test_a_server_cannot_be_known_by_what_is_no_key() -> None:
    with pytest.raises(ValueError, match="a key has 40 characters"):
        KnownServer("short", KeyPair.new().secret, "", (), Role.PLAYER, "2026-01-01")


# --- profiles -----------------------------------------------------------------------------------


def test_a_profile_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def state_path(name: str) -> Path:
        return tmp_path / name

    monkeypatch.setattr(platformdirs, "user_state_path", state_path)
    own = client_folder()
    assert own == tmp_path / "passing-game" / "client"
    assert client_folder(BOT_PROFILE) == own / "bot"
    assert client_folder("Åsa 2") == own / "Åsa 2"


@pytest.mark.parametrize("profile", ["", ".", "..", ".hidden", "a/b", "/", "a\0b"])
def test_a_profile_leads_nowhere_else(profile: str) -> None:
    with pytest.raises(InvalidProfile, match="is no profile: "):
        client_folder(profile)


@pytest.mark.parametrize("leads", ENDLESS)
def test_a_file_that_never_ends_is_refused(known: KnownServers, leads: str | None) -> None:
    known.path.parent.mkdir()
    make_endless(known.path, leads)
    with pytest.raises(OSError, match="Not a regular file"):
        known.all()
    with pytest.raises(OSError, match="Not a regular file"):
        known.remember(DEN, fresh(), Role.PLAYER)
    assert known.path.is_symlink() is (leads is not None)
