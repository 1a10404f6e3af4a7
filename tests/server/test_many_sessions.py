"""How many sessions there may be: of the server, of one key, and never too many for an operator."""

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Bye, GuestRole, Refused, Role, Status, StatusReport, Welcome
from passing_protocol.views import GameOptions
from passing_server.limits import ENGINES_EACH, LIMITS, SESSIONS_EACH
from tests.support.encrypted_lan import EncryptedLan
from tests.support.guests import LOCAL, key_of
from tests.support.lan import TOKENS, Lan, LanClient

MOST: dict[GuestRole, int] = {
    "player": SESSIONS_EACH,
    "spectator": SESSIONS_EACH,
    "bot": ENGINES_EACH,
}


def filled(lan: EncryptedLan, role: GuestRole) -> list[LanClient]:
    """Open as many sessions as the key of a client may hold."""
    key = lan.enrol("eve", role)
    return [lan.client(f"eve {number}", key=key) for number in range(MOST[role])]


@pytest.mark.parametrize("role", list(MOST))
def test_a_key_holds_no_more_sessions_than_that_and_takes_none_from_others(role: GuestRole) -> None:
    lan = EncryptedLan()
    ann = lan.enrol("ann")
    filled(lan, role)
    answer = lan.hello("eve", key_of("eve"))
    assert isinstance(answer, Refused)
    assert (answer.code, str(MOST[role]) in answer.detail) == (ErrorCode.FULL, True)
    assert len(lan.server.sessions.by_id) == MOST[role]
    assert isinstance(lan.hello("ann", ann), Welcome)


def test_engines_are_more_by_their_token_too() -> None:
    lan = EncryptedLan()
    key = lan.enrol("eve")
    for number in range(ENGINES_EACH):
        assert isinstance(lan.hello(f"e{number}", key, TOKENS["bot"]), Welcome)
    assert isinstance(lan.hello("one more", key, TOKENS["bot"]), Refused)


def test_who_ends_a_session_may_open_another() -> None:
    lan = EncryptedLan()
    filled(lan, "player")[3].send(Bye(0))
    assert isinstance(lan.hello("eve", key_of("eve")), Welcome)


def test_of_a_key_the_session_goes_first_that_is_longest_away_without_a_seat() -> None:
    lan = EncryptedLan()
    other = lan.member("ann")
    lan.cut(other)
    lan.pass_time(1_000)
    eves = filled(lan, "player")
    lan.table(eves[0], GameOptions(seats=2))
    for gone in eves[:3]:
        lan.cut(gone)
        lan.pass_time(1_000)
    lan.pass_time(12_000)
    assert isinstance(lan.hello("new", key_of("eve")), Welcome)
    names = {session.name for session in lan.server.sessions.by_id.values()}
    assert {"ann", "new", "eve 0", "eve 2"} <= names
    assert "eve 1" not in names


def test_a_session_whose_connection_is_known_to_be_closed_gives_way_at_once() -> None:
    lan = EncryptedLan()
    gone = filled(lan, "player")[5]
    lan.server.sessions.note_cut(gone.peer)
    assert isinstance(lan.hello("new", key_of("eve")), Welcome)
    assert gone.peer not in lan.server.sessions.by_peer


def test_who_sits_everywhere_gives_no_seat_up_for_one_session_more() -> None:
    lan = EncryptedLan()
    for client in filled(lan, "player"):
        lan.table(client, GameOptions(seats=2))
        lan.cut(client)
    lan.pass_time(12_000)
    assert isinstance(lan.hello("new", key_of("eve")), Refused)


def test_the_programs_of_this_machine_are_not_counted_by_their_key() -> None:
    lan = EncryptedLan()
    for number in range(ENGINES_EACH + 1):
        assert isinstance(lan.hello(f"p{number}", LOCAL), Welcome)


def test_an_operator_comes_in_at_a_server_that_is_full_and_takes_nobodys_place() -> None:
    lan = Lan()
    clients = [lan.client(f"p{number}") for number in range(LIMITS.sessions)]
    lan.cut(clients[0])
    operator = lan.client("operator", "admin")
    assert isinstance(operator.ask(Status(0)), StatusReport)
    roles = [session.role for session in lan.server.sessions.by_id.values()]
    assert (roles.count(Role.ADMIN), roles.count(Role.PLAYER)) == (1, LIMITS.sessions)


def test_operators_take_no_place_of_others() -> None:
    lan = Lan()
    for number in range(LIMITS.sessions):
        lan.client(f"o{number}", "admin")
    welcome = lan.client("anna").session.welcome
    assert welcome is not None
    assert welcome.role is Role.PLAYER
