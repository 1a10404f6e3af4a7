"""Sessions of an encrypted server: bound to keys, with the roles of keys, ended when revoked."""

import pytest

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Act,
    Clients,
    ClientsReport,
    Create,
    Enrol,
    Enrolled,
    Error,
    Goodbye,
    GuestRole,
    Hello,
    Invite,
    Join,
    JoinCode,
    JoinCodeReport,
    Lobby,
    Ping,
    Refused,
    Request,
    Resume,
    Revoke,
    RevokeAll,
    Role,
    Start,
    Status,
    StatusReport,
    Tables,
    Update,
    Watch,
    Welcome,
)
from passing_protocol.views import GameOptions, SeatState, TableOptions, TableState
from passing_server.guests import NO_CODE, NOT_KEPT
from passing_server.limits import CODE_LIFE_S, DENIALS_IN_ALL, DENIALS_MS, GOODBYE_MS
from passing_server.storing import DiskFull
from tests.support.encrypted_lan import VERSIONS, EncryptedLan
from tests.support.guests import DAY, LOCAL, NOON, ROLES, join_key, key_of
from tests.support.lan import AGENT, TOKENS, Lan, LanClient

HOME = "192.168.1.7"


def code_of(answer: object) -> ErrorCode:
    assert isinstance(answer, Refused | Error), answer
    return answer.code


def welcomed(client: LanClient) -> Welcome:
    assert client.session.welcome is not None
    return client.session.welcome


def seat_state(lan: Lan, table: str) -> SeatState:
    return lan.server.lobby.rooms[table].table.seats[1].info().state


# --- enrolment


@pytest.mark.parametrize("role", ROLES)
def test_who_has_a_code_enrols_and_comes_back_in_its_role(role: GuestRole) -> None:
    lan = EncryptedLan()
    answer = lan.say(Enrol(VERSIONS, key_of("ann"), " Ann\x1b[31m "), lan.book.code_key(role))
    assert answer == Enrolled(Role(role), "Ann")
    welcome = lan.hello("Ann", key_of("ann"))
    assert isinstance(welcome, Welcome)
    assert (welcome.role, welcome.resumed) == (Role(role), False)


@pytest.mark.parametrize("first", ROLES)
@pytest.mark.parametrize("second", ROLES)
def test_a_key_that_is_remembered_keeps_its_role_and_is_told_of_another_code_s(
    first: GuestRole, second: GuestRole
) -> None:
    """A client that is told so can enrol another key in that role, by the same code."""
    lan = EncryptedLan()
    lan.enrol("ann", first)
    code = lan.book.code_key(second)
    other = None if first == second else Role(second)
    answer = lan.say(Enrol(VERSIONS, key_of("ann"), "Ann"), code)
    assert answer == Enrolled(Role(first), "ann", other)
    again = lan.say(Enrol(VERSIONS, key_of("new"), "Ann"), code)
    assert again == Enrolled(Role(second), "Ann")


@pytest.mark.parametrize("request_", [Lobby(1), Ping(1), Status(1), Create(1, "x")], ids=str)
def test_on_the_key_of_a_code_nothing_but_enrol_is_answered(request_: Request) -> None:
    lan = EncryptedLan()
    code = lan.book.code_key()
    assert isinstance(lan.say(request_, code), Refused)
    assert code_of(lan.hello("ann", code)) is ErrorCode.NOT_ADMITTED
    assert code_of(lan.hello("ann", code, TOKENS["admin"])) is ErrorCode.NOT_ADMITTED
    assert lan.server.sessions.by_id == {}


def test_nobody_enrols_without_a_code() -> None:
    lan = EncryptedLan()
    ann = lan.enrol("ann")
    for key in (ann, LOCAL, key_of("stranger"), None):
        assert (
            code_of(lan.say(Enrol(VERSIONS, key_of("bob"), "bob"), key)) is ErrorCode.NOT_ADMITTED
        )
    plain = Lan()
    plain.server.receive(0, b"p", encode(Enrol(VERSIONS, key_of("bob"), "bob")))
    [out] = plain.server.flush(0)
    assert code_of(decode_server(out.data)[0]) is ErrorCode.NOT_ADMITTED


def test_a_connection_without_a_key_is_not_admitted() -> None:
    lan = EncryptedLan()
    assert code_of(lan.hello("ann", None)) is ErrorCode.NOT_ADMITTED
    assert code_of(lan.hello("ann", None, TOKENS["admin"])) is ErrorCode.NOT_ADMITTED


def test_a_code_that_is_replaced_or_over_while_one_is_connected_is_told_as_that() -> None:
    lan = EncryptedLan()
    replaced, over = lan.book.code_key("player"), lan.book.code_key("bot")
    lan.book.code_key("player", new=True)
    lan.book.wall += CODE_LIFE_S
    for key in (replaced, over):
        answer = lan.say(Enrol(VERSIONS, key_of("ann"), "ann"), key)
        assert isinstance(answer, Refused)
        assert (answer.code, answer.detail) == (ErrorCode.NOT_ADMITTED, NO_CODE)
    assert lan.book.kept.clients == {}


def test_an_enrolment_that_cannot_be_stored_is_refused_and_forgotten() -> None:
    lan = EncryptedLan()
    code = lan.book.code_key()
    lan.book.failure = DiskFull("access.json: no room.")
    answer = lan.say(Enrol(VERSIONS, key_of("ann"), "ann"), code)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.detail) == (ErrorCode.DISK, NOT_KEPT)
    assert not lan.server.admits(lan.now, HOME, key_of("ann"))


@pytest.mark.parametrize("versions", [(97, 98)])
def test_another_version_is_told_before_anything_is_kept(versions: tuple[int, int]) -> None:
    lan = EncryptedLan()
    answer = lan.say(Enrol(versions, key_of("ann"), "ann"), lan.book.code_key())
    assert code_of(answer) is ErrorCode.VERSION
    assert lan.book.kept.clients == {}


# --- roles


def test_a_token_of_the_connection_file_gives_another_role() -> None:
    lan = EncryptedLan()
    ann = lan.enrol("ann", "spectator")
    answer = lan.hello("ann", ann, TOKENS["organiser"])
    assert isinstance(answer, Welcome)
    assert answer.role is Role.ORGANISER
    assert code_of(lan.hello("ann", ann, "x" * 32)) is ErrorCode.BAD_CODE


@pytest.mark.parametrize("role", [None, "bot", "organiser", "admin"])
def test_the_role_of_a_local_program_follows_from_its_token(role: str | None) -> None:
    assert welcomed(EncryptedLan().local("x", role)).role == (role or "player")


def test_a_spectator_does_not_sit_and_watches() -> None:
    lan = EncryptedLan()
    table = lan.table(lan.member("ann"), GameOptions(seats=2))
    bob = lan.member("bob", "spectator")
    assert bob.refusal(Join(0, table)).code is ErrorCode.NOT_ADMITTED
    assert isinstance(bob.ask(Watch(0, table)), Update)


# --- sessions and keys


def resume(client: LanClient) -> Hello:
    welcome = welcomed(client)
    return Hello(VERSIONS, "ann", AGENT, resume=Resume(welcome.resume_token, welcome.epoch, 0))


def test_a_session_is_bound_to_its_key() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.enrol("bob")
    lan.table(ann, GameOptions(seats=2))
    for key in (bob, LOCAL):
        answer = lan.say(resume(ann), key)
        assert isinstance(answer, Welcome)
        assert (answer.resumed, answer.session == welcomed(ann).session) == (False, False)
    lan.connect(ann)
    assert welcomed(ann).resumed


def test_the_binding_outlives_a_restart() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.enrol("bob")
    table = lan.table(ann, GameOptions(seats=2))
    lan.crash()
    assert lan.start_again() == []
    answer = lan.say(resume(ann), bob)
    assert isinstance(answer, Welcome)
    assert not answer.resumed
    lan.come_back(ann)
    assert welcomed(ann).resumed
    assert ann.tables[table].mine is not None or ann.tables[table].public is not None


def test_a_session_of_a_local_program_is_taken_over_by_no_remembered_client() -> None:
    lan = EncryptedLan()
    engine, ann = lan.local("greedy", "bot"), lan.enrol("ann")
    answer = lan.say(resume(engine), ann)
    assert isinstance(answer, Welcome)
    assert (answer.resumed, answer.role) == (False, Role.PLAYER)


def test_a_key_holds_one_seat_at_a_table() -> None:
    lan = EncryptedLan()
    ann = lan.member("ann")
    table = lan.table(ann, GameOptions(seats=3))
    again = lan.client("anna", key=key_of("ann"))
    refusal = again.refusal(Join(0, table))
    assert (refusal.code, refusal.retry) == (ErrorCode.SEAT_TAKEN, False)
    assert isinstance(again.ask(Watch(0, table)), Update)
    lan.cut(ann)
    lan.pass_time(20_000)
    assert again.refusal(Join(0, table)).code is ErrorCode.SEAT_TAKEN
    assert isinstance(lan.member("bob").ask(Join(0, table)), Update)


def test_an_organiser_and_local_engines_hold_several() -> None:
    lan = EncryptedLan()
    organiser = lan.client("org", "organiser", key=lan.enrol("org"))
    other = lan.client("org 2", "organiser", key=key_of("org"))
    table = lan.table(organiser, GameOptions(seats=4))
    assert isinstance(other.ask(Join(0, table)), Update)
    for name in ("greedy 1", "greedy 2"):
        assert isinstance(lan.local(name, "bot").ask(Join(0, table)), Update)


# --- codes, lists, revoking


def test_an_operator_gets_the_code_of_each_role_and_a_new_one_on_demand() -> None:
    lan = EncryptedLan()
    admin = lan.local("op", "admin")
    for role in ROLES:
        first, again = (admin.ask(JoinCode(0, role)) for _ in range(2))
        new = admin.ask(JoinCode(0, role, new=True))
        assert isinstance(first, JoinCodeReport)
        assert isinstance(again, JoinCodeReport)
        assert isinstance(new, JoinCodeReport)
        assert first.token == again.token != new.token
        assert first.left_ms == DAY * 1_000
        assert lan.server.admits(lan.now, HOME, join_key(new.token))
        assert not lan.server.admits(lan.now, "10.0.0.1", join_key(first.token))


def test_a_request_for_a_new_code_that_comes_twice_makes_one() -> None:
    lan = EncryptedLan()
    admin = lan.local("op", "admin")
    admin.ask(JoinCode(0, "player"))
    kept = lan.book.kept_times
    _, data = admin.session.request(JoinCode(0, "player", new=True))
    for _ in range(2):
        lan.put(admin.peer, data)
    lan.settle()
    assert lan.book.kept_times == kept + 1


def test_an_operator_lists_the_clients() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.enrol("bob", "bot")
    lan.client("ann too", key=key_of("ann"))
    report = lan.local("op", "admin").ask(Clients(0))
    assert isinstance(report, ClientsReport)
    told = {c.key: (c.name, c.role, c.since, c.connected) for c in report.clients}
    day = NOON // DAY
    assert told == {ann.key: ("ann too", "player", day, 2), bob: ("bob", "bot", day, 0)}


def test_a_server_without_encryption_has_no_codes_and_no_clients() -> None:
    admin = Lan().client("op", "admin")
    for request in (JoinCode(0, "player"), Clients(0), Revoke(0, "ann"), RevokeAll(0)):
        refusal = admin.refusal(request)
        assert refusal.code is ErrorCode.UNSUPPORTED
        assert "--lan" in refusal.detail


def test_who_is_revoked_is_told_so_and_has_no_session_no_seat_and_no_connection() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.member("bob")
    table = lan.table(ann, GameOptions(seats=3))
    bob.send(Join(0, table))
    admin = lan.local("op", "admin")
    report = admin.ask(Revoke(0, "bob"))
    assert isinstance(report, ClientsReport)
    assert [client.name for client in report.clients] == ["bob"]
    goodbye = bob.messages[-1]
    assert isinstance(goodbye, Goodbye)
    assert goodbye.code is ErrorCode.NOT_ADMITTED
    assert seat_state(lan, table) is SeatState.EMPTY
    assert lan.server.take_dismissed() == []
    lan.pass_time(GOODBYE_MS)
    assert lan.server.take_dismissed() == [bob.peer]
    assert lan.server.take_dismissed() == []
    assert not lan.server.admits(lan.now, HOME, key_of("bob"))
    assert code_of(lan.hello("bob", key_of("bob"))) is ErrorCode.NOT_ADMITTED


def test_the_last_names_are_kept_when_the_server_ends() -> None:
    lan = EncryptedLan()
    key = lan.enrol("ann")
    for name in ("ann b", "ann c"):
        lan.client(name, key=key)
    assert lan.book.kept.clients[key].name == "ann b"
    lan.server.close(lan.now)
    assert lan.book.kept.clients[key].name == "ann c"


def test_a_client_is_revoked_by_any_name_that_it_has_here_under_every_one() -> None:
    """A second session under another name must hide nobody."""
    lan = EncryptedLan()
    host, troll = lan.member("host"), lan.member("Troll")
    table = lan.table(host, GameOptions(seats=3))
    troll.send(Join(0, table))
    second = lan.client("Ann", key=key_of("Troll"))
    report = lan.local("op", "admin").ask(Revoke(0, "troll"))
    assert isinstance(report, ClientsReport)
    assert [(client.key, client.name) for client in report.clients] == [(key_of("Troll"), "Ann")]
    for client in (troll, second):
        goodbye = client.messages[-1]
        assert isinstance(goodbye, Goodbye)
        assert goodbye.code is ErrorCode.NOT_ADMITTED
    assert seat_state(lan, table) is SeatState.EMPTY
    assert not lan.server.admits(lan.now, HOME, key_of("Troll"))
    assert lan.server.admits(lan.now, HOME, key_of("host"))


def test_a_client_that_is_away_is_revoked_by_the_name_of_its_seat() -> None:
    lan = EncryptedLan()
    host, troll = lan.member("host"), lan.member("Troll")
    table = lan.table(host, GameOptions(seats=3))
    troll.send(Join(0, table))
    lan.client("Ann", key=key_of("Troll"))
    lan.cut(troll)
    lan.fall_silent(20_000)
    report = lan.local("op", "admin").ask(Revoke(0, "Troll"))
    assert isinstance(report, ClientsReport)
    assert [client.key for client in report.clients] == [key_of("Troll")]
    assert seat_state(lan, table) is SeatState.EMPTY


def test_an_organiser_s_session_on_this_machine_is_nobody_to_revoke() -> None:
    lan = EncryptedLan()
    lan.local("Ann", "organiser")
    assert code_of(lan.local("op", "admin").ask(Revoke(0, "Ann"))) is ErrorCode.NO_SUCH_CLIENT


def test_all_who_are_revoked_are_told_so_and_the_programs_of_this_machine_stay() -> None:
    lan = EncryptedLan()
    guests = [lan.member(name) for name in ("ann", "bob")]
    admin = lan.local("op", "admin")
    report = admin.ask(RevokeAll(0))
    assert isinstance(report, ClientsReport)
    assert [client.name for client in report.clients] == ["ann", "bob"]
    assert not report.more
    for guest in guests:
        goodbye = guest.messages[-1]
        assert isinstance(goodbye, Goodbye)
        assert goodbye.code is ErrorCode.NOT_ADMITTED
    again = admin.ask(RevokeAll(0))
    assert isinstance(again, ClientsReport)
    assert again.clients == []


def test_every_connection_of_a_revoked_key_is_cut_with_a_session_or_without() -> None:
    lan = EncryptedLan()
    ann, eve = lan.member("ann"), lan.enrol("eve")
    admin = lan.local("op", "admin")
    admin.send(Revoke(0, "eve"))
    assert lan.server.take_cut_keys() == []
    lan.pass_time(GOODBYE_MS)
    assert lan.server.take_cut_keys() == [eve]
    assert lan.server.take_cut_keys() == []
    assert isinstance(ann.ask(Lobby(0)), Tables)


@pytest.mark.parametrize("data", [b"\xc1", encode(Lobby(1)), encode(Ping(1))])
def test_whoever_speaks_first_when_revoked_is_answered_once_and_cut(data: bytes) -> None:
    """A connection may be let in, say nothing, and be of a key that is revoked meanwhile."""
    lan = EncryptedLan()
    eve = lan.enrol("eve")
    lan.local("op", "admin").send(Revoke(0, "eve"))
    lan.pass_time(GOODBYE_MS)
    lan.server.take_cut_keys()
    for _ in range(2):
        lan.server.receive(lan.now, b"late", data, eve)
    sent = [out for out in lan.server.flush(lan.now) if out.peer == b"late"]
    assert [type(m) for out in sent for m in decode_server(out.data)] == [Refused]
    lan.pass_time(GOODBYE_MS)
    assert b"late" in lan.server.take_dismissed()


def test_nothing_is_read_any_more_of_a_connection_whose_client_is_revoked() -> None:
    lan = EncryptedLan()
    bob = lan.member("bob")
    lan.local("op", "admin").send(Revoke(0, "bob"))
    told = len(bob.frames)
    lan.put(bob.peer, encode(Lobby(99)))
    lan.settle()
    assert len(bob.frames) == told


def test_a_seat_of_a_revoked_client_that_is_away_is_given_up_too() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.member("bob")
    table = lan.table(ann, GameOptions(seats=3))
    bob.send(Join(0, table))
    lan.cut(bob)
    lan.fall_silent(20_000)
    lan.local("op", "admin").send(Revoke(0, "bob"))
    lan.connect(ann)
    assert seat_state(lan, table) is SeatState.EMPTY


def test_a_client_that_was_revoked_before_a_restart_has_no_session_after_it() -> None:
    lan = EncryptedLan()
    ann, bob = lan.member("ann"), lan.member("bob")
    table = lan.table(ann, GameOptions(seats=3))
    bob.send(Join(0, table))
    lan.crash()
    lan.book.guests.revoke("bob")
    assert lan.start_again() == []
    sessions = lan.server.sessions.by_id.values()
    assert [session.key for session in sessions] == [key_of("ann")]
    assert seat_state(lan, table) is SeatState.EMPTY


def test_sessions_with_keys_wait_while_a_server_is_not_encrypted() -> None:
    lan = EncryptedLan()
    ann = lan.member("ann")
    table = lan.table(ann, GameOptions(seats=2))
    lan.crash()
    lan.encrypted = False
    assert lan.start_again() == []
    assert lan.server.lobby.rooms[table].players
    answer = lan.say(resume(ann), None)
    assert isinstance(answer, Welcome)
    assert not answer.resumed
    lan.crash()
    lan.encrypted = True
    assert lan.start_again() == []
    lan.come_back(ann)
    assert welcomed(ann).resumed


# --- status


def test_a_status_tells_of_clients_denials_and_a_pause() -> None:
    lan = EncryptedLan()
    lan.enrol("ann")
    admin = lan.local("op", "admin")
    for number in range(DENIALS_IN_ALL):
        assert not lan.server.admits(lan.now, f"10.0.0.{number}", key_of("stranger"))
    report = admin.ask(Status(0))
    assert isinstance(report, StatusReport)
    told = (report.clients, report.denials, report.enrolment_paused)
    assert told == (1, DENIALS_IN_ALL, True)
    lan.pass_time(DENIALS_MS)
    report = admin.ask(Status(0))
    assert isinstance(report, StatusReport)
    assert (report.denials, report.enrolment_paused) == (0, False)


def test_a_whole_match_is_played_by_remembered_clients_and_local_engines() -> None:
    lan = EncryptedLan()
    ann = lan.member("ann")
    engine = lan.local("greedy", "bot")
    options = TableOptions(deal="server")
    table = lan.table(ann, GameOptions(seats=2, max_rounds=1), options)
    ann.send(Invite(0, table, "greedy"))
    ann.send(Start(0, table))
    for _ in range(200):
        asked = next((c for c in (ann, engine) if c.tables[table].ask is not None), None)
        if asked is None:
            break
        ask = asked.tables[table].ask
        assert ask is not None
        asked.send(Act(0, table, ask.turn, ask.legal[0]))
        lan.pass_time(1_000, 1_000)  # what an engine does is shown a little later
    assert lan.server.lobby.rooms[table].table.state is TableState.OVER
