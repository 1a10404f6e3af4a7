"""The list of tables as it comes in pages, is looked at without a word, and is chosen from."""

import pytest

from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Join, Leave, Lobby, Request, TableInfo, Tables, Watch
from tests.support.client_scene import EMPTY, Talk, round_view, seated, table_info, taken


def info(name: str, table: str) -> TableInfo:
    return table_info(name, [taken("Bo"), EMPTY], table=table)


def lobby(*tables: TableInfo) -> Talk:
    """Return a talk with somebody who has been told of these tables."""
    talk = Talk()
    talk.begins()
    talk.tables(*tables, engines="careful")
    talk.sent()
    return talk


def names(talk: Talk) -> list[str]:
    return [table.table for table in talk.conversation.desk.tables]


def test_a_list_of_several_pages_is_told_once_when_all_of_it_has_come() -> None:
    talk = Talk()
    talk.begins()
    assert talk.tables(info("kitchen", "t1"), more=True) == []
    assert names(talk) == []
    assert talk.sent()[-1] == Lobby(0, "t1")
    assert len(talk.tables(info("attic", "t2"))) > 1
    assert names(talk) == ["t1", "t2"]


def test_a_page_that_cannot_be_asked_for_leaves_the_list_as_it_was() -> None:
    talk = lobby(info("kitchen", "t1"), info("attic", "t2"))
    talk.types("tables")
    talk.link.down = True
    talk.tables(info("cellar", "t3"), more=True)
    assert names(talk) == ["t1", "t2"]


def test_two_lists_on_the_way_are_not_mixed() -> None:
    talk = lobby(info("kitchen", "t1"))
    desk = talk.conversation.desk
    talk.conversation.look_around()
    talk.types("tables")
    first, second = list(desk.pending)
    talk.hears(*(page(talk, re, info("kitchen", "t1"), more=True) for re in (first, second)))
    later = list(desk.pending)
    talk.hears(*(page(talk, re, info("attic", "t2")) for re in later))
    assert names(talk) == ["t1", "t2"]


def test_a_look_around_is_told_of_with_no_word_whatever_comes_of_it() -> None:
    talk = lobby(info("kitchen", "t1"))
    talk.conversation.look_around()
    assert talk.sent() == [Lobby(0)]
    assert not talk.conversation.busy
    assert talk.tables(info("attic", "t2"), more=True) == []
    assert talk.tables(info("cellar", "t3")) == []
    assert names(talk) == ["t2", "t3"]
    talk.conversation.look_around()
    assert talk.error(ErrorCode.RATE_LIMITED) == []
    assert len(talk.types("tables")) == 0
    assert talk.tables(info("attic", "t2")) != []


def test_nobody_looks_around_while_something_is_waited_for() -> None:
    talk = lobby(info("kitchen", "t1"))
    talk.types("join 1")
    talk.conversation.look_around()
    assert talk.sent() == [Join(0, "t1")]
    talk.error(ErrorCode.TABLE_FULL)
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    talk.conversation.look_around()
    assert talk.sent() == []


def test_a_new_session_knows_nothing_of_a_list_that_was_on_its_way() -> None:
    talk = lobby(info("kitchen", "t1"))
    talk.conversation.look_around()
    talk.hears(LinkNews(NewsKind.NEW_SESSION, "This is a new session."))
    assert talk.conversation.busy
    assert talk.tables(info("attic", "t2")) != []


def test_a_number_means_its_place_in_the_list_whatever_tables_are_named() -> None:
    talk = lobby(info("2", "t1"), info("t1", "t2"), info("attic", "t3"))
    for text, table in (("2", "t2"), ("t1", "t1"), ("t3", "t3"), ("attic", "t3")):
        talk.types(f"watch {text}")
        assert talk.sent() == [Watch(0, table)]
        talk.error(ErrorCode.TABLE_FULL)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("j 1", Join(0, "t1")),
        ("1 2", Join(0, "t1", 1)),
        ("kitchen", Join(0, "t1")),
        ("w 1", Watch(0, "t1")),
        ("watch", Watch(0, "t1")),
    ],
)
def test_a_table_that_was_made_since_the_list_was_shown_is_gone_to(
    line: str, request_: Request
) -> None:
    talk = lobby()
    talk.types(line if line[0] in "j1w" else f"join {line}")
    assert talk.sent() == [Lobby(0)]
    assert talk.tables(info("kitchen", "t1"), more=True) == []
    assert talk.sent() == [Lobby(0, "t1")]
    assert talk.tables(info("attic", "t2")) == []
    assert talk.sent() == [request_]


def test_a_number_that_was_shown_means_what_it_was_shown_for() -> None:
    talk = lobby(info("kitchen", "t1"))
    talk.types("j 1")
    assert talk.sent() == [Join(0, "t1")]


def test_whoever_looks_around_meanwhile_is_told_of_no_list() -> None:
    talk = lobby()
    talk.conversation.look_around()
    talk.types("j 1")
    quiet, asked = list(talk.conversation.desk.pending)
    assert talk.hears(page(talk, quiet, info("kitchen", "t1"))) == []
    assert talk.sent() == [Lobby(0), Lobby(0)]
    assert talk.hears(page(talk, asked, info("attic", "t2"))) == []
    assert talk.sent() == [Join(0, "t2")]


def test_what_was_looked_for_is_forgotten_where_the_server_refuses_to_tell() -> None:
    talk = lobby()
    talk.types("j 1")
    assert talk.error(ErrorCode.RATE_LIMITED) != []
    talk.types("tables")
    assert len(talk.tables(info("kitchen", "t1"))) > 1
    assert Join(0, "t1") not in talk.sent()
    talk.link.down = True
    assert talk.types("j 7") == ["The connection is down: that was not sent."]
    assert talk.conversation.desk.sought is None


def test_a_server_can_be_left_while_it_does_not_answer() -> None:
    talk = lobby(info("kitchen", "t1"))
    talk.types("join 1")
    assert talk.conversation.must_wait("watch 1")
    assert not talk.conversation.must_wait(" quit ")
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    assert not talk.conversation.must_wait("watch 1")


def test_without_a_connection_nothing_is_asked_about_that_could_not_be_sent() -> None:
    talk = seated()
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    for word in ("p", "leave"):
        assert talk.types(word) == ["The connection is down: that was not sent."]
    assert not talk.conversation.desk.leaving
    assert talk.types("quit") != []


def test_what_was_left_is_asked_about_again_when_the_server_refuses_it() -> None:
    talk = Talk()
    talk.sits(round_view(), hand="02")
    talk.types("leave")
    assert talk.types("leave") == []
    assert talk.sent() == [Leave(0, "t1")]
    talk.error(ErrorCode.TABLE_STATE)
    assert "again leaves" in talk.types("leave")[0]


def page(talk: Talk, re: int, table: TableInfo, *, more: bool = False) -> Tables:
    """Return a page of the list that answers a request."""
    return Tables(talk.seq(), re, [table], [], more)
