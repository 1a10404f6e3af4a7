"""The file of keys, codes and clients: its owner's alone, whole, never replaced when damaged."""

import json
import os
import stat
from pathlib import Path

import pytest

from passing_link.keys import KeyPair
from passing_server.access_file import NAME, AccessFile
from passing_server.guests import KeptClient, KeptCode, KeptGuests
from passing_server.storing import DiskFull, StoreFailed
from tests.support.endless import ENDLESS, make_endless
from tests.support.guests import key_of

CLIENT = KeyPair.new().public
GUESTS = KeptGuests({"bot": KeptCode("0123ABCD", 7)}, {CLIENT: KeptClient("Ann", "player", 3)})


def test_a_folder_gets_keys_of_its_own_and_keeps_them(tmp_path: Path) -> None:
    made, again = AccessFile.open(tmp_path), AccessFile.open(tmp_path)
    assert (again.server, again.local, again.guests) == (made.server, made.local, KeptGuests())
    assert len({made.server.secret, made.local.secret, KeyPair.new().secret}) == 3
    assert AccessFile.open(tmp_path / ".").server == made.server


def test_what_was_kept_is_read(tmp_path: Path) -> None:
    file = AccessFile.open(tmp_path)
    file.keep(GUESTS)
    again = AccessFile.open(tmp_path)
    assert (again.guests, again.server) == (GUESTS, file.server)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666])
def test_only_its_owner_can_read_it(tmp_path: Path, mode: int) -> None:
    before = os.umask(0)
    try:
        file = AccessFile.open(tmp_path)
    finally:
        os.umask(before)
    (tmp_path / NAME).chmod(mode)
    AccessFile.open(tmp_path)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    file.keep(GUESTS)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_it_is_synced_with_its_folder_before_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = AccessFile.open(tmp_path)
    synced: list[bool] = []
    sync = os.fsync

    def noting(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        sync(handle)

    monkeypatch.setattr(os, "fsync", noting)
    file.keep(GUESTS)
    assert synced == [False, True]


def damaged(whole: str) -> dict[str, str]:
    told = json.loads(whole)
    guests = told["guests"]
    return {
        "empty": "",
        "half": whole[: len(whole) // 2],
        "no JSON": "keys",
        "no text": "\x00\x01",
        "a list": "[]",
        "no server key": json.dumps({**told, "server_secret": "x" * 39}),
        "no local key": json.dumps({**told, "local_secret": ""}),
        "no guests": json.dumps({name: told[name] for name in ("server_secret", "local_secret")}),
        "no token": json.dumps(
            {**told, "guests": {**guests, "codes": {"bot": {"token": "U" * 8, "until": 1}}}}
        ),
        "a role of nobody": json.dumps(
            {**told, "guests": {**guests, "codes": {"admin": {"token": "0" * 8, "until": 1}}}}
        ),
        "no client key": json.dumps(
            {
                **told,
                "guests": {
                    **guests,
                    "clients": {"short": {"name": "x", "role": "bot", "since": 1}},
                },
            }
        ),
        "a client without a role": json.dumps(
            {**told, "guests": {**guests, "clients": {CLIENT: {"name": "x", "since": 1}}}}
        ),
    }


@pytest.mark.parametrize(
    "how", list(damaged('{"guests": {}, "server_secret": "", "local_secret": ""}'))
)
def test_a_damaged_one_is_refused_with_what_to_do_and_left_as_it_is(
    tmp_path: Path, how: str
) -> None:
    AccessFile.open(tmp_path).keep(GUESTS)
    path = tmp_path / NAME
    secrets = [value for value in json.loads(path.read_text()).values() if isinstance(value, str)]
    path.write_text(damaged(path.read_text())[how])
    before = path.read_bytes()
    with pytest.raises(StoreFailed, match="is damaged") as failed:
        AccessFile.open(tmp_path)
    assert "move it away" in str(failed.value)
    assert not any(secret in str(failed.value) for secret in secrets)
    assert path.read_bytes() == before


def test_a_full_disk_is_told_from_a_folder_that_is_of_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = AccessFile.open(tmp_path)
    file.keep(GUESTS)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="No space left"):
        file.keep(KeptGuests())
    monkeypatch.undo()
    assert file.guests == GUESTS
    assert AccessFile.open(tmp_path).guests == GUESTS
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize("leads", ENDLESS)
def test_a_file_that_never_ends_is_refused_and_stays(tmp_path: Path, leads: str | None) -> None:
    make_endless(tmp_path / NAME, leads)
    with pytest.raises(StoreFailed, match=r"cannot be read: Not a regular file\."):
        AccessFile.open(tmp_path)
    assert (tmp_path / NAME).is_symlink() is (leads is not None)


@pytest.mark.parametrize("relative", [True, False])
def test_a_link_is_written_through(tmp_path: Path, relative: bool) -> None:
    state, volume = tmp_path / "state", tmp_path / "volume"
    state.mkdir()
    volume.mkdir()
    file = AccessFile.open(state)
    (state / NAME).rename(volume / "keys.json")
    leads = Path("..") / "volume" if relative else volume
    (state / NAME).symlink_to(leads / "keys.json")
    linked = AccessFile.open(state)
    assert linked.server == file.server
    linked.keep(GUESTS)
    assert (state / NAME).is_symlink()
    assert AccessFile.open(state).guests == GUESTS
    assert [path.name for path in volume.iterdir()] == ["keys.json"]
    assert stat.S_IMODE((volume / "keys.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("leads", ["volume/access.json", NAME])
def test_a_link_that_leads_nowhere_makes_no_new_key(tmp_path: Path, leads: str) -> None:
    (tmp_path / NAME).symlink_to(leads)
    with pytest.raises(StoreFailed, match=r"access\.json is a link .* Put the file back"):
        AccessFile.open(tmp_path)
    assert (tmp_path / NAME).is_symlink()
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_one_that_cannot_be_read_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(StoreFailed, match="cannot be read"):
        AccessFile.open(tmp_path)
    assert (tmp_path / NAME).is_dir()


def test_keys_of_clients_are_kept_as_they_are(tmp_path: Path) -> None:
    file = AccessFile.open(tmp_path)
    clients = {KeyPair.new().public: KeptClient(f"{n}", "bot", n) for n in range(50)}
    file.keep(KeptGuests({}, clients))
    assert AccessFile.open(tmp_path).guests.clients == clients
    assert key_of("x") not in clients
