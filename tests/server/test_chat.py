"""What people say at a table: who, how often, how long, and cleaned of what a terminal obeys."""

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Said
from passing_protocol.messages import Chat, Join, Ok, Ready
from passing_protocol.views import GameOptions, TableOptions
from passing_server.limits import LIMITS
from tests.support.duel import PASS, Duel, updates
from tests.support.lan import Lan, LanClient


def said(client: LanClient) -> list[Said]:
    return [e for u in updates(client) for e in u.events if isinstance(e, Said)]


def test_everybody_at_the_table_hears_who_said_what_from_which_seat() -> None:
    lan = Lan()
    duel = Duel(lan)
    watcher = lan.watcher("cyd", duel.table)
    assert isinstance(duel.bob.ask(Chat(0, duel.table, "hello")), Ok)
    assert isinstance(watcher.ask(Chat(0, duel.table, "hi")), Ok)
    for client in (duel.anna, duel.bob, watcher):
        assert said(client) == [Said("bob", "hello", 1), Said("cyd", "hi")]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("\x1b[2Jhi", "hi"),
        ("hi\x1b]52;c;eA==\x07 there", "hi there"),
        ("a\r\nServer: you lost", "a Server: you lost"),
        ("\x9b2Jhi\u202e\u200b", "hi"),
        ("x" * 400, "x" * LIMITS.chat_chars),
    ],
)
def test_chat_is_one_harmless_line_of_200_characters_at_most(sent: str, shown: str) -> None:
    duel = Duel(Lan())
    duel.anna.send(Chat(0, duel.table, sent))
    assert [event.text for event in said(duel.bob)] == [shown]


def test_a_line_of_which_nothing_can_be_read_is_refused() -> None:
    duel = Duel(Lan())
    assert duel.anna.refusal(Chat(0, duel.table, "\x1b[2J\u200b")).code is ErrorCode.MALFORMED


def test_a_person_says_5_lines_in_10_s() -> None:
    duel = Duel(Lan())
    for number in range(LIMITS.chat_count):
        assert isinstance(duel.anna.ask(Chat(0, duel.table, f"{number}")), Ok)
        duel.lan.pass_time(1_000)
    refusal = duel.anna.refusal(Chat(0, duel.table, "more"))
    assert (refusal.code, refusal.retry) == (ErrorCode.RATE_LIMITED, True)
    assert isinstance(duel.bob.ask(Chat(0, duel.table, "I may")), Ok)
    duel.lan.pass_time(5_100)
    assert isinstance(duel.anna.ask(Chat(0, duel.table, "again")), Ok)
    assert duel.anna.refusal(Chat(0, duel.table, "more")).code is ErrorCode.RATE_LIMITED


@pytest.mark.parametrize("wish", [None, True, False])
def test_partners_do_not_talk_in_a_round_unless_the_table_says_so(wish: bool | None) -> None:
    lan = Lan()
    people = [lan.client(name) for name in ("anna", "bob", "cyd", "dan")]
    game = GameOptions(seats=4, partners=True, target=9_999)
    table = lan.table(people[0], game, TableOptions(chat=wish))
    for person in people[1:]:
        person.send(Join(0, table))
    before = people[0].ask(Chat(0, table, "before"))
    assert isinstance(before, Ok) == (wish is not False)
    for person in people:
        person.send(Ready(0, table))
    during = people[0].ask(Chat(0, table, "during"))
    assert isinstance(during, Ok) == (wish is True)
    for _ in range(4):
        next(p for p in people if p.tables[table].ask is not None).act(table, PASS)
    between = people[0].ask(Chat(0, table, "between"))
    assert isinstance(between, Ok) == (wish is not False)


def test_people_on_their_own_talk_whenever_they_like() -> None:
    duel = Duel(Lan())
    assert isinstance(duel.other.ask(Chat(0, duel.table, "take your time")), Ok)
