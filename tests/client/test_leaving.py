"""How a match that was watched ends, what is told of commands, and what a new session keeps."""

from passing_client.conversation import Conversation
from passing_client.language import slashed
from passing_client.visiting import greeting
from passing_client.words.rounds import result_of
from passing_link.exits import ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import MatchEnded
from passing_protocol.messages import Leave, Left, Update, Watch
from passing_protocol.views import TableState
from tests.support.client_scene import TABLE, FakeFace, FakeLink, Talk, after, round_view, seated


def watched_to_the_end(*, lingers: bool) -> Conversation:
    """A match that was watched to its end, after which the server has closed the table."""
    watched = Conversation(FakeLink(), FakeFace(), to_the_end=True, lingers=lingers)
    watched.desk.send(Watch(0, TABLE))
    watched.hear(Update(1, TABLE, 0, [], re=1, public=round_view()))
    watched.hear(Update(2, TABLE, 1, [MatchEnded("target", [61, 0, 0, 0], 0)]))
    watched.hear(Left(3, TABLE, "closed"))
    return watched


def test_the_end_of_a_watched_match_lingers_where_it_would_vanish_with_the_table() -> None:
    assert watched_to_the_end(lingers=False).desk.over is ExitCode.DONE
    watched = watched_to_the_end(lingers=True)
    table = watched.desk.table
    assert table is not None
    assert (table.view.state, watched.desk.over) == (TableState.CLOSED, None)
    assert result_of(table) == "The match is over: Dana wins with 61 points."
    watched.type("leave", None)
    assert watched.desk.over is ExitCode.DONE
    assert not any(isinstance(request, Leave) for request in watched.desk.pending.values())


def test_commands_are_told_as_they_are_typed_here() -> None:
    talk = Talk()
    talk.begins()
    talk.tables()
    plain = "There is no table '9'; type tables to see which there are."
    talk.types("watch 9")
    assert talk.tables() == [plain]
    with slashed():
        talk.types("watch 9")
        assert talk.tables() == [plain.replace("tables to", "/tables to")]
        assert greeting() == "Type ? for help, /rules for the rules, /quit to leave."
    talk.types("watch 9")
    assert talk.tables() == [plain]


def test_a_new_session_has_no_match_of_the_one_before() -> None:
    talk = seated()
    story = talk.conversation.desk.story
    matches = story.matches
    talk.hears(LinkNews(NewsKind.NEW_SESSION, "It has forgotten us."))
    talk.sits(after(round_view(), "06"), hand="02")
    assert story.matches == matches + 1
