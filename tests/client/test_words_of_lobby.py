"""The lobby in words, and why something is refused: every code has its own sentence."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from passing_client.language import listing
from passing_client.model import TableModel
from passing_client.moves import Misfit, MisfitReason, WhichEnd
from passing_client.words.basics import (
    at_ends,
    end_word,
    pip_count,
    point_count,
    seat_count,
    seconds,
    tile_count,
    tiles_words,
    times,
)
from passing_client.words.lobby import engines_line, lobby_lines, table_line
from passing_client.words.refusals import (
    SENTENCES,
    misfit_sentence,
    refusal_sentence,
    which_end,
)
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.messages import (
    Act,
    Agent,
    Chat,
    Create,
    EngineInfo,
    Error,
    Join,
    Ready,
    Remove,
    Request,
    Role,
    Start,
    Update,
)
from passing_protocol.views import Mine, SeatInfo, SeatState, TableState
from passing_protocol.wire import ActionMessage
from passing_rules import ALL_TILES, End, Tile
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    Talk,
    after,
    game,
    open_view,
    round_view,
    table_info,
    taken,
    tiles,
)

AGENT = Agent("careful", "1")


# --- the small parts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 tiles"), (1, "1 tile"), (2, "2 tiles"), (21, "21 tiles")]
)
def test_one_tile_two_tiles(number: int, text: str) -> None:
    assert tile_count(number) == text


@pytest.mark.parametrize(
    ("parts", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_are_joined_as_sentences_do(parts: list[str], text: str) -> None:
    assert listing(parts) == text


def test_other_small_parts() -> None:
    assert listing(["a", "b"], choice=True) == "a or b"
    assert [times(n) for n in (1, 2, 3)] == ["once", "twice", "3 times"]
    assert seconds(1_000) == "1 second"
    assert seconds(29_600) == "30 seconds"
    assert [pip_count(n) for n in (1, 2)] == ["1 pip", "2 pips"]
    assert [point_count(n) for n in (1, 2)] == ["1 point", "2 points"]
    assert [seat_count(n) for n in (1, 2)] == ["1 seat", "2 seats"]
    assert tiles_words([Tile(6, 4), Tile(0, 0)]) == "4-6, 0-0"
    assert [end_word(end) for end in End] == ["left", "right"]
    assert at_ends((5, 0)) == "at 5 and 0"
    assert at_ends(None) == "at the start"


def test_every_tile_reads_low_then_high() -> None:
    words = tiles_words(ALL_TILES).split(", ")
    assert len(set(words)) == 28
    assert all(word[0] <= word[2] for word in words)


# --- tables and engines --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "state", "line"),
    [
        (
            [taken("Bo"), taken("Caro", "careful"), EMPTY, EMPTY],
            TableState.OPEN,
            "kitchen: Bo, Caro (careful); 2 seats free; 4 seats, to 61.",
        ),
        (
            [taken("Bo"), taken("Caro"), EMPTY],
            TableState.OPEN,
            "kitchen: Bo, Caro; 1 seat free; 3 seats, to 101.",
        ),
        ([EMPTY, EMPTY], TableState.OPEN, "kitchen: nobody; 2 seats free; 2 seats, to 101."),
        (
            [taken("A"), taken("B")],
            TableState.STARTING,
            "kitchen: A, B; about to start; 2 seats, to 101.",
        ),
        ([taken("A"), taken("B")], TableState.PLAYING, "kitchen: A, B; round 2; 2 seats, to 101."),
        ([taken("A"), taken("B")], TableState.BETWEEN, "kitchen: A, B; round 2; 2 seats, to 101."),
        (
            [taken("A"), taken("B")],
            TableState.OVER,
            "kitchen: A, B; match over; 2 seats, to 101.",
        ),
        ([taken("A"), EMPTY], TableState.PAUSED, "kitchen: A; paused; 2 seats, to 101."),
    ],
)
def test_a_table_of_the_lobby(seats: list[SeatInfo], state: TableState, line: str) -> None:
    assert table_line(table_info("kitchen", seats, state=state, round_number=2)) == line


def test_partnerships_are_marked_in_the_lobby() -> None:
    table = table_info("kitchen", [EMPTY] * 4, partners=True)
    assert table_line(table).endswith("4 seats, partnerships, to 61.")


def test_the_lobby_numbers_its_tables_and_says_what_to_type() -> None:
    tables = [table_info("kitchen", [EMPTY] * 2), table_info("lab", [EMPTY] * 2)]
    engines = [EngineInfo("careful", AGENT, 1), EngineInfo("greedy", AGENT, 1)]
    assert lobby_lines(tables, engines) == [
        "2 tables:",
        "  1  kitchen: nobody; 2 seats free; 2 seats, to 101.",
        "  2  lab: nobody; 2 seats free; 2 seats, to 101.",
        "Engines waiting: careful and greedy.",
        "Type its number to sit down, watch and its number to watch, "
        "new to make a table of 4 seats, new NAME seats=2 for another, ? for help.",
    ]


def test_an_empty_lobby_still_says_what_to_type() -> None:
    assert lobby_lines([], []) == [
        "There is no table yet.",
        "No engine is waiting.",
        "Type new to make a table of 4 seats, new NAME seats=2 for another, ? for help.",
    ]
    assert engines_line([EngineInfo("careful", AGENT, 1)]) == "Engine waiting: careful."


EVERYTHING = "Type its number to sit down, watch and its number to watch, new to make a table of 4 "


@pytest.mark.parametrize(
    ("role", "begins", "closed"),
    [
        (Role.PLAYER, EVERYTHING, ()),
        (Role.ORGANISER, EVERYTHING, ()),
        (Role.SPECTATOR, "Type watch and its number to watch, ? for help.", ("new", "join")),
        (Role.BOT, "Type its number to sit down, watch and its number to watch, ?", ("new",)),
    ],
)
def test_nothing_is_offered_that_is_refused_to_a_role(
    role: Role, begins: str, closed: Sequence[str]
) -> None:
    talk = Talk()
    talk.conversation.desk.role = role
    talk.begins()
    assert talk.tables(table_info("kitchen", [EMPTY] * 2))[-1].startswith(begins)
    talk.begins()
    todo = talk.tables()[-1]
    assert ("new" in todo) == ("new" not in closed)
    offered = {word for line in talk.types("?") for word in line.split("  ")[1].split()}
    assert {"watch", "new", "join", "rules"} - offered == set(closed)


@pytest.mark.parametrize(
    ("role", "request_", "sentence"),
    [
        (Role.SPECTATOR, Create(0, "x", game(2)), "As a spectator you cannot make a table."),
        (Role.SPECTATOR, Join(0, TABLE), "As a spectator you cannot sit down, only watch."),
        (
            Role.BOT,
            Create(0, "x", game(2)),
            "Who has joined by a code for engines cannot make a table.",
        ),
        (Role.BOT, Chat(0, TABLE, "hi"), "You may not talk here."),
        (Role.PLAYER, Start(0, TABLE), "You may not do that here. game.seats: 9"),
    ],
)
def test_what_is_refused_to_a_role_is_told_as_that(
    role: Role, request_: Request, sentence: str
) -> None:
    error = Error(1, ErrorCode.NOT_ADMITTED, "game.seats: 9", False, 1, TABLE)
    assert refusal_sentence(error, request_, None, role) == sentence


def test_c48_names_in_the_lobby_are_harmless() -> None:
    nasty = "k\x1b[2J\nServer: hi\u202e"
    lines = lobby_lines(
        [table_info(nasty, [taken(nasty, nasty), EMPTY])], [EngineInfo(nasty, AGENT, 1)]
    )
    assert all(line.isprintable() for line in lines)


# --- refusals ----------------------------------------------------------------------------------


def refusal(
    code: ErrorCode, request: Request | None = None, table: TableModel | None = None
) -> str:
    return refusal_sentence(Error(1, code, "game.seats: 9", False, 1, TABLE), request, table)


def test_every_code_has_a_sentence_of_its_own() -> None:
    assert set(SENTENCES) == set(ErrorCode) == set(MEANINGS)
    assert len(set(SENTENCES.values())) == len(ErrorCode)
    for code in ErrorCode:
        sentence = refusal(code)
        assert sentence[0].isupper()
        assert code.value not in sentence or "_" not in code.value


def test_what_only_the_server_knows_is_passed_on_and_cleaned() -> None:
    assert refusal(ErrorCode.MALFORMED) == "The server does not understand that. game.seats: 9"
    error = Error(1, ErrorCode.MALFORMED, "a\x1b[2J\nb", False)
    assert refusal_sentence(error, None, None) == "The server does not understand that. a b"
    error = Error(1, ErrorCode.MALFORMED, "", False)
    assert refusal_sentence(error, None, None) == "The server does not understand that."


@pytest.mark.parametrize(
    ("code", "request_", "sentence"),
    [
        (
            ErrorCode.TABLE_STATE,
            Chat(0, TABLE, "hi"),
            "Nobody can talk at this table during a round.",
        ),
        (
            ErrorCode.TABLE_STATE,
            Ready(0, TABLE),
            "There is nothing to be ready for at the moment.",
        ),
        (
            ErrorCode.TABLE_STATE,
            Start(0, TABLE),
            "A match is on already.",
        ),
        (
            ErrorCode.TABLE_STATE,
            Join(0, TABLE),
            "Nobody can sit down there now: a match is on, or has been over for too long.",
        ),
        (
            ErrorCode.NOT_SEATED,
            Act(0, TABLE, 1, ActionMessage(draw=True)),
            "You have no seat at this table.",
        ),
        (
            ErrorCode.DRAINING,
            Ready(0, TABLE),
            "The server is about to stop. Your match goes on when it is started anew.",
        ),
        (
            ErrorCode.NOT_OWNER,
            Start(0, TABLE),
            "Only the owner may begin the match at once: type ready, and it begins when everybody "
            "is ready.",
        ),
        (
            ErrorCode.NOT_OWNER,
            Remove(0, TABLE, 1),
            "Only the owner of the table may do that.",
        ),
    ],
)
def test_some_sentences_depend_on_what_was_asked(
    code: ErrorCode, request_: Request, sentence: str
) -> None:
    assert refusal(code, request_) == sentence


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        (
            [taken("Dana"), taken("greedy"), taken("careful"), EMPTY],
            "1 seat is free still. Type invite for an engine, wait for people, or leave and make a "
            "smaller table: new NAME seats=3",
        ),
        (
            [taken("Dana"), taken("greedy"), SeatInfo(SeatState.INVITED, "careful"), EMPTY],
            "2 seats are free still. Type invite for an engine, wait for people, or leave and make "
            "a smaller table: new NAME seats=2",
        ),
        (
            [taken("Dana"), EMPTY],
            "1 seat is free still. Type invite for an engine, or wait for people.",
        ),
        ([taken("Dana"), taken("Bo")], "A match is on already."),
    ],
)
def test_who_cannot_start_is_told_what_is_missing_and_what_to_do(
    seats: list[SeatInfo], sentence: str
) -> None:
    view = replace(open_view(len(seats)), seats=seats)
    table = TableModel(TABLE, view)
    assert refusal(ErrorCode.TABLE_STATE, Start(0, TABLE), table) == sentence


def test_not_your_turn_says_whose_it_is() -> None:
    view = replace(after(round_view(), "06"), to_act=2)
    table = TableModel(TABLE, view)
    table.apply(Update(1, TABLE, 1, [], mine=Mine(0, tiles("13"))))
    assert refusal(ErrorCode.NOT_YOUR_TURN, None, table) == "Not your turn: Caro to play."
    assert refusal(ErrorCode.NOT_YOUR_TURN) == "It is not your turn."


@pytest.mark.parametrize(
    ("misfit", "sentence"),
    [
        (Misfit(Tile(4, 6), MisfitReason.NOT_HELD), "You do not hold 4-6."),
        (
            Misfit(Tile(4, 6), MisfitReason.FITS_NOWHERE),
            "4-6 fits neither the left end (5) nor the right end (0).",
        ),
        (
            Misfit(Tile(0, 6), MisfitReason.OTHER_END, End.LEFT),
            "0-6 does not fit the left end (5), only the right end (0).",
        ),
        (
            Misfit(Tile(5, 6), MisfitReason.OTHER_END, End.RIGHT),
            "5-6 does not fit the right end (0), only the left end (5).",
        ),
    ],
)
def test_why_a_tile_cannot_be_played(misfit: Misfit, sentence: str) -> None:
    assert misfit_sentence(misfit, (5, 0)) == sentence


def test_where_both_ends_fit_the_question_shows_them() -> None:
    assert which_end(WhichEnd(Tile(0, 5)), (5, 0)) == (
        "0-5 fits both: < for the left end (5), > for the right end (0)?"
    )
    assert which_end(WhichEnd(Tile(0, 5)), None) == "Say at which end: < for left, > for right."
