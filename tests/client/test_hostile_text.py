"""A server may send any text: the client cleans it again, wherever it shows or prints it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle

import msgspec
import pytest
from msgspec.structs import replace

from passing_client.joined_servers import JoinedServers
from passing_client.screen.scene import Overlay
from passing_client.screen.title import title
from passing_client.verifying import ImpossibleTable
from passing_client.words.links import news_sentence, turned_away_sentence
from passing_client.words.servers import server_line
from passing_link.address import Address
from passing_link.finding import Found
from passing_link.news import LinkNews, NewsKind, TurnedAway
from passing_protocol.discovery import read_answer
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.messages import Agent, EngineInfo, Error, Refused, Tables
from passing_protocol.views import PublicView, TableState
from tests.support.client_scene import (
    TABLE,
    Talk,
    full_view,
    open_view,
    round_view,
    table_info,
    taken,
)
from tests.support.hostile_text import HOSTILE, harm, with_text
from tests.support.protocol.discovery_vectors import NONCE, PLAIN
from tests.support.protocol.samples import EVENTS
from tests.support.screen_talk import ScreenTalk

SIZES = ((80, 24), (60, 12), (140, 40))
WORDS = ("turn", "train", "who", "passes", "log", "seats", "scores", "options", "help", "tables")
each_text = pytest.mark.parametrize("text", HOSTILE, ids=ascii)


def views(text: str) -> Iterator[PublicView]:
    """Yield tables at every point of their lives, the name of each and of all there hostile."""
    for view in (open_view(), full_view(), round_view()):
        for state in (view.state, TableState.BETWEEN, TableState.OVER, TableState.PAUSED):
            seats = [with_text(seat, text) for seat in view.seats]
            yield replace(view, name=text[:64], seats=seats, state=state)


def looked(talk: Talk) -> Iterator[str]:
    """Yield what the client says of a table when it is asked."""
    for word in WORDS:
        yield from talk.types(word)


def told_of(text: str) -> Iterator[Event]:
    """Yield every event that holds a text of somebody's, with that one."""
    for event in EVENTS.values():
        hostile = with_text(event, text)
        if hostile != event:
            yield hostile


def in_lines(text: str) -> Iterator[str]:
    """Yield all that line mode says of what a server sends with that text."""
    for view in views(text):
        talk = Talk()
        yield from talk.sits(view, hand="02 46")
        yield from looked(talk)
        for code in (ErrorCode.MALFORMED, ErrorCode.TABLE_STATE, ErrorCode.FULL):
            yield from talk.error(code, text)
    for event in told_of(text):
        talk = Talk()
        talk.sits(round_view(), hand="02 46")
        with suppress(ImpossibleTable):  # not every event has its place there
            yield from talk.update(event)
        yield from talk.hears(LinkNews(NewsKind.CLOSED, text), LinkNews(NewsKind.LOST, text))
    yield from in_the_lobby(Talk(), text)


def in_the_lobby(talk: Talk, text: str) -> list[str]:
    seats = [taken(text[:64]), taken(text[:64], text[:64])]
    engine = EngineInfo(text[:64], Agent(text[:64], text[:32], text[:64], text[:64]), 1)
    talk.begins()
    listed = Tables(talk.seq(), talk.answers_last(), [table_info(text[:64], seats)], [engine])
    return [*talk.hears(listed), *looked(talk)]


@each_text
def test_c48_line_mode_says_nothing_that_does_harm(text: str) -> None:
    lines = list(in_lines(text))
    assert len(lines) > 100
    assert [(line, found) for line in lines if (found := harm(line))] == []


@each_text
def test_c48_no_screen_and_no_title_shows_what_does_harm(text: str) -> None:
    shown: list[str] = []
    sizes = cycle(SIZES)
    for view in views(text):
        talk = ScreenTalk()
        talk.sits(view, hand="02 46")
        talk.hears(Error(talk.seq(), ErrorCode.TABLE_STATE, text, retry=False, re=1, table=TABLE))
        shown += [title(talk.scene), talk.picture(*next(sizes))]
        if view.state is TableState.PLAYING:
            for overlay in Overlay:
                talk.scene.overlay = overlay
                shown.append(talk.picture())
    for event in told_of(text):
        talk = ScreenTalk()
        talk.sits(round_view(), hand="02 46")
        with suppress(ImpossibleTable):  # not every event has its place there
            talk.update(event)
        shown += [title(talk.scene), talk.picture(*SIZES[0]), *talk.scene.log]
    talk = ScreenTalk()
    shown += in_the_lobby(talk, text)
    shown += [talk.picture(*size) for size in SIZES]
    assert [(page, found) for page in shown if (found := harm(page))] == []


@each_text
def test_c48_no_sentence_about_a_connection_or_a_server_does_harm(text: str) -> None:
    told = msgspec.msgpack.encode(replace(PLAIN, name=text[:64]))
    here = read_answer(told, NONCE)
    said = [
        *(news_sentence(LinkNews(kind, text)) for kind in NewsKind),
        *(turned_away_sentence(TurnedAway(Refused(code, text, (0, 0)))) for code in ErrorCode),
        server_line(Found(Address("192.168.1.7", 28_066), here), JoinedServers()),
    ]
    assert [(line, found) for line in said if (found := harm(line))] == []
