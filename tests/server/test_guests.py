"""Who comes in with which key: codes, enrolment, revoking, and what outlives a restart."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.join_codes import JoinCode
from passing_protocol.messages import GuestRole, Role
from passing_server.guest_log import GuestLog
from passing_server.guests import Guest, Guests, KeptClient
from passing_server.limits import (
    CLIENTS_PER_PAGE,
    CLOCK_SLACK_S,
    CODE_LIFE_S,
    DENIALS_EACH,
    DENIALS_IN_ALL,
    DENIALS_MS,
    ENROL_BURST,
    MOST_CLIENTS,
)
from passing_server.log import Log
from passing_server.storing import DiskFull, StoreFailed
from tests.support.guests import DAY, LOCAL, NOON, ROLES, GuestBook, join_key, key_of

LAN = "::ffff:192.168.1.7"
ELSEWHERE = "fe80::1%eth0"
STRANGER = key_of("stranger")


def refusal(guests: Guests, code_key: str, key: str, name: str = "x", now: int = 0) -> ErrorCode:
    with pytest.raises(RequestRefused) as refused:
        guests.enrol(now, code_key, key, name)
    return refused.value.code


# --- who comes in


def test_a_stranger_is_let_in_by_no_key_of_its_own() -> None:
    book = GuestBook()
    book.code_key()
    assert not book.guests.admits(0, LAN, STRANGER)
    with pytest.raises(RequestRefused) as refused:
        book.guests.who(STRANGER)
    assert refused.value.code is ErrorCode.NOT_ADMITTED


def test_the_programs_of_this_machine_come_in_from_any_address() -> None:
    guests = GuestBook().guests
    assert guests.admits(0, LAN, LOCAL)
    assert guests.who(LOCAL) == Guest(None, Role.PLAYER)


@pytest.mark.parametrize("role", ROLES)
def test_the_key_of_a_code_is_for_enrolling_alone(role: GuestRole) -> None:
    book = GuestBook()
    key = book.code_key(role)
    assert book.guests.admits(0, LAN, key)
    assert book.guests.who(key) == Guest(key, Role(role), joining=True)


@pytest.mark.parametrize("role", ROLES)
def test_an_enrolled_client_has_the_role_of_its_code(role: GuestRole) -> None:
    book = GuestBook()
    key = book.enrol("ann", role)
    assert book.guests.admits(0, LAN, key)
    assert book.guests.who(key) == Guest(key, Role(role))


def test_no_code_is_good_before_it_was_asked_for() -> None:
    book = GuestBook()
    assert book.kept.codes == {}
    assert not book.guests.admits(0, LAN, join_key("00000000"))


# --- codes


def test_a_code_is_one_that_can_be_typed_and_stays_the_same_for_a_day() -> None:
    book = GuestBook()
    token, left_ms = book.guests.code("player")
    assert JoinCode("0" * 12, token)
    assert left_ms == CODE_LIFE_S * 1_000
    book.wall += CODE_LIFE_S - 1
    assert book.guests.code("player") == (token, 1_000)


def test_after_a_day_a_code_is_good_no_more_and_the_next_is_another() -> None:
    book = GuestBook()
    key = book.code_key()
    book.wall += CODE_LIFE_S
    assert not book.guests.admits(0, LAN, key)
    assert refusal(book.guests, key, key_of("ann")) is ErrorCode.NOT_ADMITTED
    assert book.code_key() != key
    assert not book.guests.admits(0, LAN, key)


def test_a_clock_that_is_put_back_makes_no_code_good_for_longer() -> None:
    book = GuestBook()
    key = book.code_key()
    book.wall -= 10 * DAY
    assert not book.guests.admits(0, LAN, key)


@pytest.mark.parametrize("seconds", [1, 2, CLOCK_SLACK_S])
def test_a_clock_that_is_put_back_a_little_ends_no_code(seconds: int) -> None:
    book = GuestBook()
    key = book.code_key()
    book.wall -= seconds
    assert book.guests.code("player")[1] == CODE_LIFE_S * 1_000
    assert book.open().admits(0, LAN, key)
    assert book.code_key() == key
    book.wall += CODE_LIFE_S + seconds
    assert not book.guests.admits(0, LAN, key)


def test_a_new_code_ends_the_old_one_of_its_role_alone() -> None:
    book = GuestBook()
    old, other = book.code_key("player"), book.code_key("bot")
    new = book.code_key("player", new=True)
    assert new != old
    assert [book.guests.admits(0, LAN, key) for key in (old, other, new)] == [False, True, True]


def test_codes_and_clients_outlive_a_restart_and_codes_that_are_over_do_not() -> None:
    book = GuestBook()
    player, ann = book.code_key(), book.enrol("ann", "bot")
    book.wall += CODE_LIFE_S - 1
    spectator = book.code_key("spectator")
    book.wall += 1
    guests = book.open()
    keys = (player, spectator, ann, STRANGER)
    assert [guests.admits(0, LAN, key) for key in keys] == [False, True, True, False]


def test_a_token_costs_its_derivation_at_the_start_and_when_it_is_new_and_never_else() -> None:
    book = GuestBook()
    key = book.code_key()
    for number in range(20):
        book.guests.admits(number, LAN, key)
        book.guests.admits(number, LAN, STRANGER)
        book.guests.who(key)
    book.enrol("ann")
    assert len(book.derived) == 1
    book.open().code("player")
    assert len(book.derived) == 2


# --- enrolment


def test_what_is_enrolled_is_kept_before_it_is_answered() -> None:
    book = GuestBook()
    key = book.code_key()
    client, _role = book.guests.enrol(0, key, key_of("ann"), "ann")
    assert book.kept.clients == {key_of("ann"): client}
    assert (client.name, client.role, client.since) == ("ann", "player", NOON // DAY)


@pytest.mark.parametrize("failure", [DiskFull("no room."), StoreFailed("broken.")])
def test_what_cannot_be_kept_is_not_remembered(failure: StoreFailed) -> None:
    book = GuestBook()
    key = book.code_key()
    book.failure = failure
    assert refusal(book.guests, key, key_of("ann")) is ErrorCode.DISK
    assert not book.guests.admits(0, LAN, key_of("ann"))
    assert len(book.guests) == 0
    book.failure = None
    assert book.enrol("ann")


def test_a_code_that_cannot_be_kept_is_none() -> None:
    book = GuestBook()
    old = book.code_key()
    book.failure = DiskFull("no room.")
    with pytest.raises(RequestRefused) as refused:
        book.guests.code("player", new=True)
    assert refused.value.code is ErrorCode.DISK
    assert book.guests.admits(0, LAN, old)


def test_one_code_is_good_for_many() -> None:
    book = GuestBook()
    key = book.code_key()
    for name in ("ann", "bob", "cyd"):
        book.guests.enrol(0, key, key_of(name), name)
    assert len(book.guests) == 3


@pytest.mark.parametrize("first", ROLES)
@pytest.mark.parametrize("second", ROLES)
def test_enrolling_a_known_key_changes_nothing_of_it_and_tells_what_it_is_and_what_the_code_gives(
    first: GuestRole, second: GuestRole
) -> None:
    """Whoever has a code and has seen a key could take the name and the role from its owner."""
    book = GuestBook()
    key = book.enrol("ann", first)
    code = book.code_key(second)
    book.wall += DAY // 2
    kept = book.kept_times
    for _ in range(2 * ENROL_BURST):
        client = KeptClient("ann", first, NOON // DAY)
        assert book.guests.enrol(0, code, key, "eve") == (client, second)
    assert (book.guests.role_of(key), book.kept_times) == (Role(first), kept)
    book.enrol("bob")


def test_who_was_revoked_gets_the_role_of_the_code_by_which_it_comes_back() -> None:
    book = GuestBook()
    key = book.enrol("ann", "spectator")
    book.guests.revoke("ann")
    book.enrol("ann", "player")
    assert book.guests.role_of(key) is Role.PLAYER


def test_nobody_enrols_a_key_that_is_known_to_others() -> None:
    book = GuestBook()
    key = book.code_key()
    for shared in (LOCAL, key, book.code_key("bot")):
        assert refusal(book.guests, key, shared) is ErrorCode.NOT_ADMITTED
    assert len(book.guests) == 0


def test_nobody_enrols_with_a_key_that_is_none_of_a_code() -> None:
    book = GuestBook()
    ann = book.enrol("ann")
    for key in (ann, LOCAL, STRANGER):
        assert refusal(book.guests, key, key_of("bob")) is ErrorCode.NOT_ADMITTED


def test_a_full_list_takes_nobody_new_and_says_what_to_do() -> None:
    book = GuestBook()
    key = book.code_key()
    for number in range(MOST_CLIENTS):
        book.guests.enrol(number * 1_000, key, key_of(f"n{number}"), "x")
    with pytest.raises(RequestRefused, match="passing serve revoke") as refused:
        book.guests.enrol(10**9, key, key_of("one more"), "x")
    assert refused.value.code is ErrorCode.FULL
    book.guests.enrol(10**9, key, key_of("n7"), "y")
    assert len(book.guests) == MOST_CLIENTS


def test_enrolling_over_and_over_keeps_the_disk_no_busier_than_allowed() -> None:
    book = GuestBook()
    key = book.code_key()
    for number in range(ENROL_BURST):
        book.guests.enrol(0, key, key_of(f"x{number}"), "x")
    assert refusal(book.guests, key, key_of("bob")) is ErrorCode.RATE_LIMITED
    book.guests.enrol(1_000, key, key_of("bob"), "bob")
    assert book.kept_times == 1 + ENROL_BURST + 1


def test_who_enrols_over_and_over_by_one_code_holds_up_no_other() -> None:
    book = GuestBook()
    players, bots = book.code_key(), book.code_key("bot")
    for number in range(ENROL_BURST):
        book.guests.enrol(0, players, key_of(f"x{number}"), "x")
    book.code_key("player", new=True)
    assert refusal(book.guests, book.code_key(), key_of("ann")) is ErrorCode.RATE_LIMITED
    book.guests.enrol(0, bots, key_of("bob"), "bob")


# --- the last name


def test_a_client_is_remembered_by_its_last_name() -> None:
    book = GuestBook()
    key = book.enrol("ann")
    book.guests.rename(0, key, "ann b")
    assert book.kept.clients[key].name == "ann b"
    kept = book.kept_times
    book.guests.rename(0, key, "ann b")
    assert book.kept_times == kept


def test_new_names_are_written_down_once_a_second_and_the_last_with_the_next_client() -> None:
    book = GuestBook()
    ann, bob = book.enrol("ann"), book.enrol("bob")
    kept = book.kept_times
    for number in range(100):
        book.guests.rename(number * 9, ann, f"ann {number}")
    assert book.kept_times == kept + 1
    book.guests.rename(900, bob, "bob b")
    assert book.guests.page(None)[0][bob].name == "bob b"
    book.enrol("cyd", now=900)
    assert book.kept_times == kept + 2
    assert [client.name for client in book.kept.clients.values()] == ["ann 99", "bob b", "cyd"]


def test_a_name_that_waits_is_written_down_with_the_next_one() -> None:
    book = GuestBook()
    ann, bob = book.enrol("ann"), book.enrol("bob")
    for now, key, name in ((0, ann, "ann b"), (1, ann, "ann c"), (1_000, bob, "bob b")):
        book.guests.rename(now, key, name)
    assert [client.name for client in book.kept.clients.values()] == ["ann c", "bob b"]


def test_names_that_wait_are_written_down_at_the_end_and_else_nothing_is() -> None:
    book = GuestBook()
    ann = book.enrol("ann")
    for name in ("ann b", "ann c"):
        book.guests.rename(0, ann, name)
    assert book.kept.clients[ann].name == "ann b"
    book.guests.keep_names()
    assert book.kept.clients[ann].name == "ann c"
    kept = book.kept_times
    book.guests.keep_names()
    assert book.kept_times == kept


def test_names_that_cannot_be_written_down_at_the_end_are_no_trouble() -> None:
    book = GuestBook()
    ann = book.enrol("ann")
    book.failure = DiskFull("no room.")
    book.guests.rename(0, ann, "ann b")
    book.guests.keep_names()
    assert book.kept.clients[ann].name == "ann"


def test_a_new_name_that_cannot_be_kept_is_known_for_now() -> None:
    book = GuestBook()
    key = book.enrol("ann")
    book.failure = DiskFull("no room.")
    book.guests.rename(0, key, "ann b")
    assert book.guests.page(None)[0][key].name == "ann b"
    book.failure = None
    book.enrol("bob")
    assert book.kept.clients[key].name == "ann b"


# --- revoking


def test_who_is_revoked_comes_in_no_more_not_with_the_code_either() -> None:
    book = GuestBook()
    code, ann, bob = book.code_key(), book.enrol("ann"), book.enrol("bob")
    gone = book.guests.revoke("ann")
    assert list(gone) == [ann]
    assert [book.guests.admits(0, LAN, key) for key in (ann, code, bob)] == [False, False, True]
    assert [book.open().admits(0, LAN, key) for key in (ann, code, bob)] == [False, False, True]


def test_revoking_renews_no_code_of_another_role() -> None:
    book = GuestBook()
    spectators = book.code_key("spectator")
    book.enrol("ann")
    book.guests.revoke("ann")
    assert book.guests.admits(0, LAN, spectators)


def test_all_whose_names_read_the_same_are_revoked() -> None:
    book = GuestBook()
    code = book.code_key()
    for number, name in enumerate(("Ann", "\u0410nn", "ann", "Bob")):
        book.guests.enrol(0, code, key_of(str(number)), name)
    assert len(book.guests.revoke("Ann")) == 3
    assert len(book.guests) == 1


def test_of_two_that_are_called_the_same_one_is_revoked_by_its_key() -> None:
    book = GuestBook()
    code = book.code_key()
    for key in ("s?z+5dTA", "T<z&5dTA", "-.:=(d]{"):
        book.guests.enrol(0, code, key_of(key), "Ann")
    assert list(book.guests.revoke("s?z+5dTA")) == [key_of("s?z+5dTA")]
    assert list(book.guests.revoke(key_of("-.:=(d]{"))) == [key_of("-.:=(d]{")]
    assert list(book.kept.clients) == [key_of("T<z&5dTA")]
    assert not book.guests.admits(0, LAN, code)


@pytest.mark.parametrize("name", ["bob", "ann", "s?z+5dT", "s?z+5dTA+", "S?Z+5DTA", "+"])
def test_nobody_is_revoked_whom_nobody_knows(name: str) -> None:
    book = GuestBook()
    book.guests.enrol(0, book.code_key(), key_of("s?z+5dTA"), "cyd")
    with pytest.raises(RequestRefused) as refused:
        book.guests.revoke(name)
    assert refused.value.code is ErrorCode.NO_SUCH_CLIENT


def everybody(book: GuestBook, role: GuestRole | None) -> list[str]:
    """Revoke all, page by page, and return their keys."""
    keys: list[str] = []
    more = True
    while more:
        gone, more = book.guests.revoke_all(role)
        assert len(gone) <= CLIENTS_PER_PAGE
        keys += gone
    return keys


def test_all_are_revoked_and_no_code_is_good_any_more() -> None:
    book = GuestBook()
    keys = [
        book.enrol(f"n{number}", ROLES[number % 3], now=number * 1_000)
        for number in range(2 * CLIENTS_PER_PAGE + 3)
    ]
    codes = [book.code_key(role) for role in ROLES]
    assert everybody(book, None) == keys
    assert len(book.guests) == 0
    assert not any(book.open().admits(0, LAN, key) for key in (*keys[:2], *codes))


def test_codes_are_renewed_once_when_all_are_revoked_and_who_comes_back_before_is_too() -> None:
    book = GuestBook()
    keys = [
        book.enrol(f"n{number}", now=number * 1_000) for number in range(2 * CLIENTS_PER_PAGE + 1)
    ]
    codes = [book.code_key(role) for role in ROLES]
    derived = len(book.derived)
    gone, more = book.guests.revoke_all(None)
    assert (list(gone), more) == (keys[:CLIENTS_PER_PAGE], True)
    assert len(book.derived) == derived
    back = book.enrol("n0", now=10**6)
    assert everybody(book, None) == [*keys[CLIENTS_PER_PAGE:], back]
    assert len(book.derived) == derived + len(ROLES)
    assert not any(book.guests.admits(0, LAN, key) for key in (*keys[:2], *codes))


@pytest.mark.parametrize("role", ROLES)
def test_all_of_a_role_are_revoked_and_its_code_alone_is_renewed(role: GuestRole) -> None:
    book = GuestBook()
    keys = {other: book.enrol(other, other) for other in ROLES}
    codes = {other: book.code_key(other) for other in ROLES}
    assert everybody(book, role) == [keys.pop(role)]
    assert list(book.kept.clients) == list(keys.values())
    assert {other: book.guests.admits(0, LAN, codes[other]) for other in ROLES} == {
        other: other != role for other in ROLES
    }


def test_a_code_that_nobody_has_used_is_renewed_too_when_all_are_revoked() -> None:
    book = GuestBook()
    code = book.code_key()
    assert everybody(book, None) == []
    assert not book.guests.admits(0, LAN, code)
    assert list(book.kept.codes) == ["player"]


def test_a_revocation_that_cannot_be_kept_is_refused_and_changes_nothing() -> None:
    book = GuestBook()
    code, ann = book.code_key(), book.enrol("ann")
    book.failure = DiskFull("no room.")
    with pytest.raises(RequestRefused) as refused:
        book.guests.revoke("ann")
    assert refused.value.code is ErrorCode.DISK
    assert book.guests.admits(0, LAN, ann)
    assert book.guests.admits(0, LAN, code)


# --- denials


def test_guessing_slows_new_keys_of_that_address_alone() -> None:
    book = GuestBook()
    code, ann = book.code_key(), book.enrol("ann")
    for _ in range(DENIALS_EACH):
        assert book.guests.admits(0, LAN, code)
        assert not book.guests.admits(0, LAN, STRANGER)
    assert not book.guests.admits(0, LAN, code)
    assert not book.guests.admits(0, "192.168.1.7", code)
    assert book.guests.admits(0, ELSEWHERE, code)
    assert book.guests.admits(0, LAN, ann)
    assert book.guests.admits(0, LAN, LOCAL)
    assert book.guests.admits(DENIALS_MS, LAN, code)


def test_who_has_to_wait_does_not_wait_longer_for_trying() -> None:
    book = GuestBook()
    code = book.code_key()
    for _ in range(DENIALS_EACH):
        book.guests.admits(0, LAN, STRANGER)
    for moment in range(0, DENIALS_MS, 1_000):
        assert not book.guests.admits(moment, LAN, code)
    assert book.guests.admits(DENIALS_MS, LAN, code)


@pytest.mark.parametrize("loopback", ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
def test_nobody_of_this_machine_is_ever_slowed(loopback: str) -> None:
    book = GuestBook()
    code = book.code_key()
    for _ in range(2 * DENIALS_IN_ALL):
        assert not book.guests.admits(0, loopback, STRANGER)
    assert book.guests.admits(0, loopback, code)


def test_many_denials_pause_enrolment_and_keep_out_nobody_who_is_remembered() -> None:
    book = GuestBook()
    code, ann = book.code_key(), book.enrol("ann")
    for number in range(DENIALS_IN_ALL):
        assert not book.guests.pauses(0)
        book.guests.admits(0, f"10.0.0.{number}", STRANGER)
    assert book.guests.pauses(0)
    assert book.guests.denials(0) == DENIALS_IN_ALL
    assert not book.guests.admits(0, ELSEWHERE, code)
    assert book.guests.admits(0, ELSEWHERE, ann)
    assert book.guests.admits(0, "127.0.0.1", code)
    assert not book.guests.pauses(DENIALS_MS)
    assert book.guests.admits(DENIALS_MS, ELSEWHERE, code)


@given(address=st.text(max_size=60), key=st.text(max_size=60))
@settings(max_examples=30)
def test_whatever_is_asked_about_is_decided(address: str, key: str) -> None:
    book = GuestBook()
    book.code_key()
    assert not book.guests.admits(0, address, key)


# --- lists and log


def test_the_clients_are_told_page_by_page() -> None:
    book = GuestBook()
    code = book.code_key()
    keys = [key_of(f"{number:03}") for number in range(2 * CLIENTS_PER_PAGE + 3)]
    for number, key in enumerate(keys):
        book.guests.enrol(number * 1_000, code, key, "x")
    told: list[str] = []
    more = True
    while more:
        page, more = book.guests.page(told[-1] if told else None)
        assert 0 < len(page) <= CLIENTS_PER_PAGE
        told += page
    assert told == keys


def test_what_is_logged_of_guests_has_no_name_no_token_and_no_whole_key() -> None:
    book = GuestBook()
    token, _ = book.guests.code("player")
    key = book.enrol("ann from next door")
    book.guests.revoke("ann from next door")
    changes = book.guests.take_changes()
    assert [change.kind for change in changes] == ["new_code", "enrolled", "revoked"]
    for change in changes:
        assert change.role == "player"
        assert len(change.key) <= 8
        assert key.startswith(change.key)
        assert token not in str(change)
        assert "next door" not in str(change)
    assert book.guests.take_changes() == []


# --- whatever happens in whatever order


class Evening(RuleBasedStateMachine):
    """Enrol, revoke, renew and restart in any order, against a plain list of who may come in."""

    def __init__(self) -> None:
        super().__init__()
        self.book = GuestBook()
        self.members: dict[str, Role] = {}
        self.codes: dict[GuestRole, str] = {}
        self.old: set[str] = set()

    @rule(name=st.sampled_from("abcd"), role=st.sampled_from(ROLES))
    def enrol(self, name: str, role: GuestRole) -> None:
        self.codes[role] = self.book.code_key(role)
        self.members.setdefault(self.book.enrol(name, role), Role(role))

    @rule(name=st.sampled_from("abcd"))
    def revoke(self, name: str) -> None:
        role = self.members.pop(key_of(name), None)
        if role is None:
            with pytest.raises(RequestRefused):
                self.book.guests.revoke(name)
            return
        self.book.guests.revoke(name)
        code = self.codes.pop(GUEST_ROLES[role], None)
        if code is not None:
            self.old.add(code)

    @rule(role=st.sampled_from((None, *ROLES)))
    def revoke_all(self, role: GuestRole | None) -> None:
        gone = everybody(self.book, role)
        assert set(gone) == {
            key for key, is_in in self.members.items() if role is None or is_in is Role(role)
        }
        for key in gone:
            del self.members[key]
        for other in ROLES if role is None else [role]:
            if other in self.codes:
                self.old.add(self.codes.pop(other))

    @rule(role=st.sampled_from(ROLES))
    def renew(self, role: GuestRole) -> None:
        if role in self.codes:
            self.old.add(self.codes[role])
        self.codes[role] = self.book.code_key(role, new=True)

    @rule()
    def restart(self) -> None:
        self.book.open()

    @rule()
    def sleep(self) -> None:
        self.book.wall += CODE_LIFE_S
        self.old |= set(self.codes.values())
        self.codes = {}

    @invariant()
    def just_those_come_in_who_may(self) -> None:
        admits = self.book.guests.admits
        assert all(admits(0, "127.0.0.1", key) for key in self.members)
        assert all(admits(0, "127.0.0.1", key) for key in self.codes.values())
        assert not any(admits(0, "127.0.0.1", key) for key in self.old)
        assert {key: self.book.guests.role_of(key) for key in self.members} == self.members
        assert self.book.kept.clients.keys() == self.members.keys()


GUEST_ROLES: dict[Role, GuestRole] = {
    Role.PLAYER: "player",
    Role.SPECTATOR: "spectator",
    Role.BOT: "bot",
}
TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=30, stateful_step_count=20)


def test_what_cannot_be_kept_is_told_the_log_once_and_again_when_it_can() -> None:
    book, stream = GuestBook(), io.StringIO()
    log = GuestLog(book.guests, Log(stream, as_json=True))
    code = book.code_key()
    book.failure = StoreFailed("/srv/access.json cannot be written: Read-only file system.")
    for name in ("ann", "bob"):
        with pytest.raises(RequestRefused) as refused:
            book.guests.enrol(0, code, key_of(name), name)
        assert "/srv" not in str(refused.value.detail)
        log.look(0)
    told = stream.getvalue().splitlines()[1:]
    assert len(told) == 1
    assert "access_failed" in told[0]
    assert str(book.failure) in told[0]
    book.failure = None
    book.enrol("ann")
    log.look(0)
    events = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert events == ["new_code", "access_failed", "enrolled", "access_works"]
