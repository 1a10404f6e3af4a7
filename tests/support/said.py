"""All that a person can be told about a table, and a round between two who type at a server."""

from collections.abc import Iterator
from itertools import product
from unittest.mock import patch

from msgspec.structs import replace

from passing_client.conversation import Conversation
from passing_client.deal_tally import DealTally
from passing_client.joined_servers import JoinedServers
from passing_client.language import listing
from passing_client.model import Moment, TableModel
from passing_client.moves import Misfit, MisfitReason, WhichEnd
from passing_client.verifying import ImpossibleTable
from passing_client.words import looks
from passing_client.words.arrivals import arrival_lines
from passing_client.words.basics import at_ends, seat_count, times
from passing_client.words.deals import deal_lines, tally_line, verdict_line
from passing_client.words.denials import asking_sentence, denied_sentence
from passing_client.words.events import moment_lines
from passing_client.words.links import (
    bad_address_sentence,
    bad_code_sentence,
    cannot_reach_sentence,
    impossible_sentence,
    news_sentence,
    turned_away_sentence,
)
from passing_client.words.lobby import (
    come_here,
    first_time,
    lobby_lines,
    no_engine_line,
    open_to_all,
    role_lines,
    seat_kept,
)
from passing_client.words.people import people_of
from passing_client.words.refusals import (
    cannot_start,
    misfit_sentence,
    refusal_sentence,
    which_end,
)
from passing_client.words.servers import nothing_found, server_line, servers_heading
from passing_link import words
from passing_link.address import Address, InvalidAddress
from passing_link.denials import AccessDenied
from passing_link.finding import Found
from passing_link.hints import hint_for
from passing_link.news import CannotReach, LinkNews, NewsKind, TurnedAway
from passing_link.sentences import Sentence
from passing_link.transport import Sign
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.events import (
    Event,
    Fault,
    ForfeitKind,
    MatchBegan,
    MatchEnded,
    OwnerChanged,
    RoundBegan,
    RoundEnded,
    Said,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.follow import follow
from passing_protocol.join_codes import InvalidCode
from passing_protocol.messages import (
    Act,
    Agent,
    Chat,
    Create,
    EngineInfo,
    Error,
    Join,
    Ready,
    Refused,
    Request,
    Role,
    Start,
    Update,
)
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import (
    Acted,
    Ask,
    Clock,
    DealKind,
    GameOptions,
    Gone,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    SeatTip,
    TableOptions,
    TableState,
    Tip,
    TipList,
)
from passing_protocol.wire import ActionMessage
from passing_rules import End, Lead, PartnerScoring, Play, Tile
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    FakeFace,
    acted,
    after,
    ask,
    full_view,
    open_view,
    round_ended,
    round_view,
    table_info,
    taken,
    tiles,
)
from tests.support.lan import Lan, LanClient
from tests.support.servers_found import KEY, server_found

BEGUN = round_view()
LATER = after(BEGUN, "06", "d", "00<")
PLAYERS = (0, 1, None)
LAPS = 40
"""More than any round of two has: 28 tiles, and passes between them."""
FAULTS = (
    None,
    Fault("server", "17:42"),
    *(Fault("player", "17:42", seat, kind) for seat in (0, 1) for kind in ForfeitKind),
)


def everything_said() -> list[str]:
    """Return every sentence about tables, turns, rounds and refusals, some more than once."""
    return [
        *_of_events(),
        *_of_looks(),
        *_of_lobby(),
        *_of_refusals(),
        *_of_links(),
        *_of_servers(),
        *_of_deals(),
        times(1),
        times(2),
        times(3),
        seat_count(4),
        listing(["1", "2"], choice=True),
    ]


# --- events ------------------------------------------------------------------------------------


def _of_events() -> Iterator[str]:
    for view, event in (*_actions(), *_table_life(), *_seat_changes(), *_endings()):
        for me, drew in product(PLAYERS, (None, Tile(4, 5))):
            yield from moment_lines(Moment(event, view, follow(view, event), drew), me)


def _actions() -> Iterator[tuple[PublicView, Event]]:
    for played, text in (
        ((), "06"),
        (("-",), "06"),
        ((), "d"),
        ((), "-"),
        (("-",), "-"),
        (("06",), "00<"),
        (("06",), "26>"),
        (("06", "-", "-"), "02<"),
        (("06", "-", "-"), "d"),
        (("06", "-", "-"), "-"),
    ):
        view = after(BEGUN, *played)
        assert view.to_act is not None
        yield view, acted(view.to_act, view.turn, text)
    for hands, late in product(([1, 1, 1, 1], [2, 2, 2, 2]), (False, True)):
        view = replace(BEGUN, hands=hands)
        yield view, acted(1, 20, "06")
        yield view, acted(1, 20, "-", timed_out=late)
    yield (
        replace(BEGUN, seats=[taken("Dana"), taken("\u200b"), *BEGUN.seats[2:]]),
        acted(1, 20, "-"),
    )
    lead = round_view(leader=0)
    yield lead, acted(0, 20, "06")
    yield after(lead, "06"), Acted(1, 21, ActionMessage(draw=True))


def _table_life() -> Iterator[tuple[PublicView, Event]]:
    for kind in DealKind:
        yield BEGUN, RoundBegan(4, 2, kind, [6] * 4, 4, 2)
    yield BEGUN, RoundBegan(4, 0, DealKind.SERVER, [6] * 4, 4, 2)
    for partners in (False, True):
        yield full_view(partners=partners), MatchBegan("m2", 61)
    for state, view, ms in product(TableState, (BEGUN, full_view()), (None, 1_000, 20_000)):
        yield view, StateChanged(state, ms)
    yield replace(full_view(), owner=1), StateChanged(TableState.STARTING, None)
    for owner in (0, 2):
        yield BEGUN, OwnerChanged(owner)
    for count in (1, 2):
        yield BEGUN, WatchersChanged(count)
    for seat in (0, 1, None):
        yield BEGUN, Said("Bo", "17:42", seat)


def _seat_changes() -> Iterator[tuple[PublicView, Event]]:
    view = full_view()
    infos = [
        EMPTY,
        taken("Bo"),
        taken("Bo", ready=True),
        taken("Ann", "careful"),
        SeatInfo(SeatState.TAKEN, "Bo", None, False, 1),
        *(SeatInfo(state, "Bo") for state in SeatState if state is not SeatState.EMPTY),
        *(SeatInfo(SeatState.AWAY, "Bo", gone=gone) for gone in Gone),
        SeatInfo(SeatState.SUBSTITUTE, "Ann", "careful", gone=Gone.LEFT),
    ]
    for before, now in product(infos, infos):
        seats = [view.seats[0], before, *view.seats[2:]]
        for fault in FAULTS[:4]:
            yield replace(view, seats=seats), SeatChanged(1, now, fault)
    for absent in ("engine", "pass", "forfeit"):
        table = TableOptions(absent=absent)
        yield replace(view, table=table), SeatChanged(1, infos[-2])
    for info in infos[1:]:
        seats = [BEGUN.seats[0], info, *BEGUN.seats[2:]]
        yield replace(BEGUN, seats=seats), acted(1, 20, "-", timed_out=True)


def _endings() -> Iterator[tuple[PublicView, Event]]:
    for partners in (False, True):
        view = after(round_view(partners=partners), "06")
        opponents = replace(view.game, partner_scoring=PartnerScoring.OPPONENTS, pass_circles=2)
        for game in (view.game, opponents):
            for ended in _round_endings():
                yield (
                    replace(view, game=game),
                    replace(ended, scores=ended.scores[: len(view.scores)]),
                )
            for over in _match_endings():
                yield (
                    replace(view, game=game),
                    replace(over, scores=over.scores[: len(view.scores)]),
                )


def _round_endings() -> Iterator[RoundEnded]:
    scores = [37, 12, 44, 40]
    hands = ["13", "66", "33", "11"]
    yield round_ended("out", ["13", "", "33", "11"], scores, winners=[1], side=1, points=20)
    yield round_ended("blocked", hands, scores, winners=[0], side=0, points=20)
    yield round_ended("blocked", hands, scores, winners=[1, 3], side=1, points=1)
    yield round_ended("passed_out", ["01", "01", "66", "66"], scores, shown=False)


def _match_endings() -> Iterator[MatchEnded]:
    scores = [61, 12, 44, 40]
    for fault in FAULTS:
        yield MatchEnded("abandoned", scores, None, fault)
        for winner in (0, 1):
            yield MatchEnded("forfeit", scores, winner, fault)
    for points in (1, 61):
        yield MatchEnded("target", [points, points, 0, 0], 0)
        yield MatchEnded("target", [points, points, 0, 0], 1)
    yield MatchEnded("max_rounds", scores)


# --- looking -----------------------------------------------------------------------------------


def table_of(
    view: PublicView, hand: str | None = "02 04 13 46", question: Ask | None = None
) -> TableModel:
    """Return what Dana, or without a hand a watcher, knows of a table."""
    model = TableModel(TABLE, view)
    mine = Mine(0, tiles(hand)) if hand is not None else None
    model.apply(Update(1, TABLE, 1, [], public=view, mine=mine, ask=question))
    return model


def _questions() -> Iterator[TableModel]:
    for legal in ("02< 04< 46> d -", "06< 06> -", "d -", "-"):
        for clock in (None, Clock(30_000, 120_000), Clock(1_000, 0)):
            yield table_of(LATER, question=ask(23, legal, clock=clock))
    for legal in ("02 13 d -", "02 13 -"):
        yield table_of(round_view(leader=0), "02 13", ask(20, legal))


def _tables() -> Iterator[TableModel]:
    yield from _questions()
    idle = after(BEGUN, "-", "06", "d", "-", "-", "d", "03<", "-", "-")
    held = [SeatInfo(state, "Bo") for state in SeatState if state is not SeatState.EMPTY]
    away = [held[-1], *held[:2], EMPTY]
    gone = [held[0], SeatInfo(SeatState.AWAY, "Bo", gone=Gone.LEFT), *held[:2]]
    views = [
        LATER,
        idle,
        BEGUN,
        full_view(),
        open_view(2),
        round_view(partners=True),
        replace(LATER, to_act=1),
        replace(LATER, to_act=None),
        replace(LATER, seats=away, state=TableState.STARTING),
        replace(LATER, seats=held[-4:], hands=[1, 1, 1, 1]),
        replace(LATER, seats=gone),
        _every_option(),
    ]
    for view, hand in product(views, ("02 06 13", "13", "", None)):
        yield table_of(view, hand)


def _every_option() -> PublicView:
    view = full_view(partners=True)
    options = GameOptions(
        seats=4,
        partners=True,
        target=61,
        pass_circles=2,
        out_wins_ties=True,
        partner_scoring=PartnerScoring.OPPONENTS,
        max_rounds=1,
    )
    return replace(view, game=options, table=replace(view.table, memory=True))


def _of_looks() -> Iterator[str]:
    for table in _tables():
        yield from (looks.question(table), looks.not_your_turn(table), looks.who_line(table))
        yield from (looks.train_line(table.view), looks.ends_line(table.view))
        yield from (looks.yard_line(table.view), looks.options_line(table.view))
        yield from (looks.passes_line(table), looks.score_line(table))
        yield looks.pass_question(table)
        yield from looks.hand_lines(table)
        yield from looks.seat_lines(table)
        yield from looks.log_lines(table, 8)
        yield from arrival_lines(table)
        yield from map(people_of(table).called, range(len(table.view.seats)))
    yield at_ends(None)
    yield from arrival_lines(_came_late())
    yield looks.score_line(_came_late())
    view = full_view()
    for kind, lead in product(DealKind, Lead):
        yield looks.options_line(replace(view, deal=kind, game=replace(view.game, lead=lead)))


def _of_lobby() -> Iterator[str]:
    agent = Agent("bot", "1")
    engines = [EngineInfo("robo", agent, 1), EngineInfo("nano", agent, 1)]
    seats = [taken("Dana"), taken("Bo", "17"), EMPTY, EMPTY]
    tables = [
        table_info("17", seats, state=state, partners=partners, round_number=3)
        for state, partners in product(TableState, (False, True))
    ]
    empty = table_info("18", [EMPTY] * 2)
    full = table_info("19", [taken("Dana"), EMPTY])
    for chosen in ([], [empty], [*tables, full]):
        for count, role in product(range(3), Role):
            yield from lobby_lines(chosen, engines[:count], role)
    for role in Role:
        yield from role_lines(role)


# --- refusals ------------------------------------------------------------------------------------


def _came_late() -> TableModel:
    """Return a table at which one has sat down after a match of others."""
    return table_of(replace(round_view(), state=TableState.OVER, to_act=None), hand="")


def _of_refusals() -> Iterator[str]:
    requests: list[Request | None] = [
        None,
        Chat(0, TABLE, "17"),
        Ready(0, TABLE),
        Start(0, TABLE),
        Join(0, TABLE),
        Act(0, TABLE, 1, ActionMessage(draw=True)),
        Create(0, "17", GameOptions()),
    ]
    for code, request, again in product(MEANINGS, requests, (False, True)):
        yield refusal_sentence(Error(1, code, "17", again), request, None)
    for role, request in product(Role, requests):
        yield refusal_sentence(Error(1, ErrorCode.NOT_ADMITTED, "17", False), request, None, role)
    yield refusal_sentence(Error(1, ErrorCode.TABLE_STATE, "17", False), requests[2], _came_late())
    for seats, free in product((2, 3, 4), (1, 2)):
        view = full_view(seats)
        yield cannot_start(replace(view, seats=[*view.seats[free:], *[EMPTY] * free]))
    for reason, end in product(MisfitReason, End):
        yield misfit_sentence(Misfit(Tile(4, 6), reason, end), (5, 0))
    yield which_end(WhichEnd(Tile(0, 5)), (5, 0))


def _of_ways(place: str) -> Iterator[Sentence]:
    """Yield what the link says where no server is reached."""
    for sign, reached in product((Sign.CLOSED, Sign.SILENT, Sign.NOT_ZMTP), (False, True)):
        yield words.of_sign(sign, place, reached)
    yield from (words.no_answer(place, reached) for reached in (False, True))
    yield words.gave_up(words.unproven(place), 5)
    yield words.tells_no_key(place)
    yield words.nonsense(place, "17:42")
    yield words.unknown_machine(place)
    yield words.of_sign(Sign.CLOSED, place, False, hint_for(Address("fe80::1")))


def _of_links() -> Iterator[str]:
    ends = (None, ErrorCode.DRAINING, ErrorCode.NOT_ADMITTED, ErrorCode.KEY_CHANGED)
    for kind, code in product(NewsKind, ends):
        yield news_sentence(LinkNews(kind, "17:42", code))
    place = Address("127.0.0.1", 28066)
    yield cannot_reach_sentence(CannotReach("17:42"), place)
    yield from (cannot_reach_sentence(CannotReach(told), place) for told in _of_ways("127.0.0.1"))
    yield impossible_sentence(ImpossibleTable("17:42"), "127.0.0.1")
    for code in (ErrorCode.VERSION, ErrorCode.FULL, ErrorCode.NOT_ADMITTED):
        yield turned_away_sentence(TurnedAway(Refused(code, "17:42", (1, 1))))
    yield bad_address_sentence(InvalidAddress("17:42"))
    yield from (come_here("127.0.0.1", encrypted=encrypted) for encrypted in (False, True))
    yield from (no_engine_line(encrypted=encrypted) for encrypted in (False, True))
    yield from (first_time(), seat_kept(), open_to_all(), bad_code_sentence(InvalidCode("17:42")))
    for denial in AccessDenied.__subclasses__():
        yield from (denied_sentence(denial("17:42")), asking_sentence(denial("17:42")))


def _of_servers() -> Iterator[str]:
    """Yield what is said of servers that were found, and of none, on a machine of every kind."""
    found = server_found("Bo")
    for here in (
        found.answer,
        replace(found.answer, versions=(8, 9)),
        replace(found.answer, key=KEY, tables=1, seats=1, people=1, engines=2),
    ):
        for joined in (
            JoinedServers(),
            JoinedServers(frozenset({KEY})),
            JoinedServers(places={found.address: "o" * 40}),
        ):
            yield server_line(Found(found.address, here), joined)
    yield from (servers_heading(1), servers_heading(2))
    for system, ports in product(("Linux", "Darwin"), ([1], [1, 2])):
        with patch("platform.system", return_value=system):
            yield from nothing_found(ports)


# --- a round at a server -----------------------------------------------------------------------


class LanLink:
    """Send what a conversation sends to the server of the LAN."""

    def __init__(self, client: LanClient) -> None:
        self._client = client

    def send(self, message: Request) -> int:
        return self._client.send(message)


class Typist:
    """A person in line mode at a client of the LAN, who types what the rules allow."""

    def __init__(self, client: LanClient) -> None:
        self.client = client
        self.face = FakeFace()
        self.conversation = Conversation(LanLink(client), self.face)
        self._heard = len(client.messages)

    def types(self, line: str) -> None:
        self.conversation.type(line, self.conversation.desk.shown_turn)
        self.hears()

    def hears(self) -> None:
        """Take in all messages that have come."""
        while self._heard < len(self.client.messages):
            self._heard += 1
            self.conversation.hear(self.client.messages[self._heard - 1])

    @property
    def table(self) -> TableModel | None:
        return self.conversation.desk.table

    def acts(self) -> None:
        """Act if it is the turn, play rather than draw and that rather than pass."""
        table = self.table
        if table is None or table.ask is None:
            return
        plays = [action for action in table.legal if isinstance(action, Play)]
        marks = {End.LEFT: "<", End.RIGHT: ">", None: ""}
        if plays:
            tile, end = plays[0].tile, plays[0].end
            self.types(f"{tile.low}{tile.high}{marks[end]}")
        else:
            self.types("d" if len(table.legal) > 1 else "p")


def played_round() -> list[str]:
    """Let two people meet at a server and play until a round is over; return all they read."""
    lan = Lan("typed")
    one, two = Typist(lan.client("Dana")), Typist(lan.client("Bo"))
    both = (one, two)
    one.types("new kitchen seats=2")
    two.types("tables")
    two.types("1")
    for typist in both:
        typist.hears()
        typist.types("ready")
    one.types("start")
    for typist in [*both] * LAPS:
        typist.hears()
        if typist.table is not None and typist.table.round_end is not None:
            break
        typist.types("hand")
        typist.acts()
        typist.types("who")
    for typist in both:
        typist.hears()
        for line in ("?", "help new", "log", "passes", "options", "seats", "99", "train", "quit"):
            typist.types(line)
    return [line for typist in both for line in typist.face.lines]


def _of_deals() -> Iterator[str]:
    """Yield what is said of how tiles are dealt, and of what was found out about it."""
    tips = TipList(1, Tip(0, "0" * 64), [SeatTip(0, 0, "1" * 64)])
    for kind in DealKind:
        table = TableModel(TABLE, replace(BEGUN, deal=kind, tips=tips))
        for state in TableState:
            view = replace(BEGUN, deal=kind, tips=tips, state=state)
            yield from deal_lines(TableModel(TABLE, view), None, DealTally())
        found = Verdict(TABLE, BEGUN.match, 1, 1, Outcome.CHECKED)
        yield from deal_lines(table, found, DealTally())
        for outcome, reason in product(Outcome, Reason):
            seats = (0, 1) if reason is Reason.ABSENT else ()
            yield verdict_line(Verdict(TABLE, "m", 1, 1, outcome, reason, seats), table)
    yield from _of_tallies()


def _of_tallies() -> Iterator[str]:
    for number, outcome in product((1, 2), (Outcome.CHECKED, Outcome.UNCHECKED, Outcome.FAILED)):
        for reason in Reason:
            tally = DealTally()
            for deal in range(number):
                tally.note(Verdict(TABLE, "m", deal, deal, outcome, reason), "m")
            yield tally_line(tally)
