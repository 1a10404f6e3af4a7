"""A server answers who looks for servers: with counts alone, and not without limit."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.discovery import DATAGRAM_BYTES, Here, query, read_answer
from passing_protocol.messages import Caps, Create, Join
from passing_protocol.views import GameOptions
from passing_server.limits import (
    ALL_QUERIES_BURST,
    ALL_QUERIES_PER_S,
    HEARTBEAT,
    QUERIES_PER_S,
    QUERY_BURST,
)
from passing_server.signpost import Signpost, id_of
from tests.support.lan import Lan
from tests.support.servers_found import KEY, NONCE

QUERY = query(NONCE)


def signpost(lan: Lan, key: str | None = None) -> Signpost:
    return Signpost(lan.server, id_of("secret"), 28066, key)


def told(post: Signpost, now: int = 0, source: str = "10.0.0.1") -> Here:
    data = post.answer(now, QUERY, source)
    assert data is not None
    assert len(data) <= len(QUERY)
    return read_answer(data, NONCE)


# --- what it tells


def test_it_counts_tables_free_seats_people_and_engines() -> None:
    lan = Lan()
    anna, ben = lan.client("anna"), lan.client("ben")
    lan.client("careful", "bot")
    lan.client("root", "admin")
    table = lan.table(anna, GameOptions(seats=3))
    ben.ask(Join(0, table))
    here = told(signpost(lan))
    assert (here.tables, here.seats, here.people, here.engines) == (1, 1, 2, 1)


def test_who_is_away_counts_for_nothing() -> None:
    lan = Lan()
    anna, _ben = lan.client("anna"), lan.client("ben")
    lan.cut(anna)
    lan.pass_time(HEARTBEAT.timeout_ms + 1_000)
    assert told(signpost(lan)).people == 1


def test_a_table_whose_seats_are_filled_has_none_free() -> None:
    lan = Lan()
    anna, ben = lan.client("anna"), lan.client("ben")
    table = lan.table(anna, GameOptions(seats=2))
    assert told(signpost(lan)).seats == 1
    ben.ask(Join(0, table))
    here = told(signpost(lan))
    assert (here.tables, here.seats) == (1, 0)


def test_no_answer_names_anybody_or_any_table() -> None:
    lan = Lan()
    anna = lan.client("anna-the-player", caps=Caps())
    anna.ask(Create(0, "secret-table", GameOptions(seats=2)))
    data = signpost(lan).answer(0, QUERY, "10.0.0.1")
    assert data is not None
    assert b"anna" not in data
    assert b"secret" not in data
    assert set(msgpack.unpackb(data)) == {
        *("passing", "nonce", "versions", "id", "name", "port"),
        *("tables", "seats", "people", "engines"),
    }


@pytest.mark.parametrize("key", [None, KEY])
def test_it_tells_its_key_where_it_encrypts(key: str | None) -> None:
    assert told(signpost(Lan(), key)).key == key


def test_an_id_is_kept_and_gives_no_secret_away() -> None:
    assert id_of("secret") == id_of("secret") != id_of("another")
    assert "secret" not in id_of("secret")
    assert len(id_of("secret")) == 16


# --- what it does not answer


@given(st.binary(max_size=600))
def test_garbage_is_not_answered(data: bytes) -> None:
    assert signpost(_LAN).answer(0, data, "10.0.0.1") is None


_LAN = Lan()


@pytest.mark.parametrize("length", [1, 100, DATAGRAM_BYTES - 1])
def test_nobody_is_sent_more_than_was_asked_with(length: int) -> None:
    assert signpost(Lan()).answer(0, QUERY[:length], "10.0.0.1") is None


def test_a_host_is_answered_so_often_and_others_still_are() -> None:
    post = signpost(Lan())
    answers = [post.answer(0, QUERY, "10.0.0.1") for _ in range(QUERY_BURST + 5)]
    assert sum(answer is not None for answer in answers) == QUERY_BURST
    assert post.answer(0, QUERY, "10.0.0.2") is not None
    later = [post.answer(1_000, QUERY, "10.0.0.1") for _ in range(QUERY_BURST)]
    assert sum(answer is not None for answer in later) == QUERIES_PER_S


def test_all_hosts_together_are_answered_so_often() -> None:
    post = signpost(Lan())
    hosts = [f"10.0.{number // 250}.{number % 250}" for number in range(ALL_QUERIES_BURST + 9)]
    answers = [post.answer(0, QUERY, host) for host in hosts]
    assert sum(answer is not None for answer in answers) == ALL_QUERIES_BURST
    later = [post.answer(1_000, QUERY, host) for host in hosts]
    assert sum(answer is not None for answer in later) == ALL_QUERIES_PER_S


def test_garbage_costs_a_host_nothing() -> None:
    post = signpost(Lan())
    for _ in range(QUERY_BURST * 2):
        post.answer(0, b"garbage", "10.0.0.1")
    assert post.answer(0, QUERY, "10.0.0.1") is not None
