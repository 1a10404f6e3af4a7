"""One message of every type in its shortest form, and ones that together use every field."""

from msgspec import Raw, Struct
from msgspec.structs import replace

from passing_protocol.codec import encode
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
from passing_protocol.follow import view_hash
from passing_protocol.limits import Heartbeat, Limits
from passing_protocol.messages import (
    Act,
    Agent,
    Batch,
    Bye,
    Caps,
    Chat,
    ClientMessage,
    Create,
    Decline,
    Drain,
    EngineInfo,
    Error,
    Goodbye,
    Hello,
    Invite,
    Invited,
    Join,
    Leave,
    Left,
    Lobby,
    Ok,
    Ping,
    Pong,
    Presence,
    Ready,
    Refused,
    Remove,
    Resume,
    Resync,
    Role,
    ServerMessage,
    Start,
    Status,
    StatusReport,
    TableInfo,
    Tables,
    Update,
    Watch,
    Welcome,
)
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
    TableOptions,
    TableState,
    TrainTile,
)
from passing_protocol.wire import ActionMessage
from passing_rules import Lead, PartnerScoring, Preset
from tests.support.protocol.access_samples import ACCESS_CLIENT, ACCESS_SERVER
from tests.support.protocol.fair_samples import FAIR_CLIENT, FAIR_EVENTS, FAIR_SERVER, TIPS

PLAY = ActionMessage(play="46", end="left")
FIRST = ActionMessage(play="66")
DRAW = ActionMessage(draw=True)
PASS = ActionMessage(pass_=True)

TOKEN = "0123456789abcdef0123456789abcdef"
SEED = "000102030405060708090a0b0c0d0e0f"
AGENT = Agent("greedy", "1.0", author="Bo", build="3f2a")
GAME = GameOptions(
    seats=4,
    partners=True,
    preset=Preset.CELKO,
    target=101,
    lead=Lead.WINNER,
    pass_circles=2,
    out_wins_ties=True,
    partner_scoring=PartnerScoring.OPPONENTS,
    max_rounds=9,
)
TABLE = TableOptions(
    turn_ms=2_000,
    bank_ms=10_000,
    pace_ms=700,
    absent="engine",
    faults="retry:2",
    chat=False,
    reveal="after_block",
    memory=True,
    deal="server",
)
SEATS = [
    SeatInfo(SeatState.TAKEN, "Ann", ready=True),
    SeatInfo(SeatState.TAKEN, "Bo", engine="greedy 1.0", ready=True, strikes=1),
    SeatInfo(SeatState.EMPTY),
    SeatInfo(SeatState.AWAY, "Dee"),
]

CLIENT: dict[str, ClientMessage] = {
    "hello, shortest": Hello((0, 0), "Ann", Agent("terminal", "1.0")),
    "hello, an engine that resumes": Hello(
        (0, 2), "Bo", AGENT, Caps("on_join", 64, fair=True), TOKEN, Resume(TOKEN, 3, 118)
    ),
    "lobby, first page": Lobby(1),
    "lobby, next page": Lobby(2, "t64"),
    "create, shortest": Create(3, "Kitchen"),
    "create, every option": Create(4, "Kitchen", GAME, TABLE, False, SEED),
    "create, deals given": Create(4, "Kitchen", sit=False, given=SEED),
    "create, the same rules in words": Create(
        4,
        "Kitchen",
        GameOptions(lead=Lead.ROTATE, partner_scoring=PartnerScoring.AS_WRITTEN, pass_circles=1),
    ),
    "create, the lead by chance": Create(4, "Kitchen", GameOptions(3, lead=Lead.RANDOM)),
    "create, the deals fair": Create(4, "Kitchen", table=TableOptions(deal="fair")),
    "join, any seat": Join(5, "t1"),
    "join, a certain seat": Join(6, "t1", 0),
    "watch": Watch(7, "t1"),
    "leave": Leave(8, "t1"),
    "ready": Ready(9, "t1"),
    "start": Start(10, "t1"),
    "invite, any seat": Invite(11, "t1", "greedy"),
    "invite, a certain seat": Invite(12, "t1", "greedy", 3),
    "decline": Decline(13, "t1"),
    "remove a player": Remove(14, "t1", seat=2),
    "remove a watcher": Remove(15, "t1", watcher="Eve"),
    "act, the first tile of a round": Act(16, "t1", 1, FIRST),
    "act, a tile at the left end": Act(17, "t1", 2, PLAY),
    "act, a tile at the right end": Act(18, "t1", 3, ActionMessage(play="06", end="right")),
    "act, draw": Act(19, "t1", 4, DRAW),
    "act, pass": Act(20, "t1", 5, PASS),
    "chat": Chat(21, "t1", "Good luck, \u00e5\u4e2d!"),
    "resync": Resync(22, 118),
    "resync, snapshots in any case": Resync(22, 0),
    "ping": Ping(23),
    "ping, the greatest integer": Ping(2**53),
    "bye": Bye(24),
    "status": Status(25),
    "drain": Drain(26, 300_000),
    "drain, at once": Drain(27, 0),
    **FAIR_CLIENT,
    **ACCESS_CLIENT,
}

EVENTS: dict[str, Event] = {
    "seat": SeatChanged(1, SEATS[1]),
    **{
        f"seat, forfeited: {kind}": SeatChanged(
            0, SeatInfo(SeatState.FORFEITED, "Anna"), Fault("player", "in words", 0, kind)
        )
        for kind in ForfeitKind
    },
    "owner": OwnerChanged(0),
    "owner, nobody": OwnerChanged(None),
    "state": StateChanged(TableState.PAUSED),
    "state, with the time until it goes on": StateChanged(TableState.BETWEEN, 20_000),
    "match_began": MatchBegan("m7f", 61),
    "round_began": RoundBegan(1, 2, DealKind.SERVER, [6, 6, 6, 6], 4, 2),
    "acted, first tile": Acted(2, 1, FIRST),
    "acted, play": Acted(3, 2, PLAY),
    "acted, draw": Acted(0, 3, DRAW),
    "acted, pass": Acted(1, 4, PASS),
    "acted, pass on time": Acted(1, 4, PASS, timed_out=True),
    "round_ended, out": RoundEnded(
        1, "out", [0, 8, 17, 30], [0], 55, [55, 0, 0, 0], 0, [[], ["35"], ["56", "06"], ["66"]]
    ),
    "round_ended, blocked and nobody scores": RoundEnded(
        2, "blocked", [3, 3], [], 0, [0, 0], hands=[["03"], ["12"]]
    ),
    "round_ended, passed out with hands hidden": RoundEnded(
        3, "passed_out", [42, 50], [0], 8, [8, 0], 0
    ),
    "match_ended": MatchEnded("target", [61, 12, 7, 0], 0),
    "match_ended, drawn": MatchEnded("max_rounds", [20, 20]),
    "match_ended, forfeit": MatchEnded(
        "forfeit",
        [4, 9],
        0,
        Fault(
            "player",
            "3 strikes: 3 turns without an answer in time",
            1,
            ForfeitKind.NO_ANSWER,
        ),
    ),
    "match_ended, abandoned": MatchEnded(
        "abandoned", [4, 9], fault=Fault("server", "the disk is full")
    ),
    "chat, a player": Said("Ann", "Good luck", 0),
    "chat, a watcher": Said("Eve", "Hello"),
    "watchers": WatchersChanged(2),
    **FAIR_EVENTS,
}

_UNHASHED = PublicView(
    match="m7f",
    rules="1",
    name="Kitchen",
    state=TableState.PLAYING,
    deal=DealKind.SEEDED,
    game=GAME,
    table=TABLE,
    owner=0,
    seats=SEATS,
    scores=[55, 12],
    round=2,
    turn=21,
    rev=40,
    leader=2,
    to_act=1,
    train=[TrainTile("46", 3), TrainTile("66", 2)],
    ends=(4, 6),
    hands=[7, 6, 5, 5],
    boneyard=3,
    drawable=1,
    passes=0,
    actions=[Acted(2, 18, FIRST), Acted(3, 19, PLAY), Acted(0, 20, DRAW)],
)
PUBLIC = replace(_UNHASHED, hash=view_hash(_UNHASHED))
FAIR_PUBLIC = replace(PUBLIC, deal=DealKind.FAIR, tips=TIPS, deal_number=18)
EMPTY_TABLE = PublicView(
    match="-",
    rules="1",
    name="Kitchen",
    state=TableState.OPEN,
    deal=DealKind.SERVER,
    game=GameOptions(),
    table=TableOptions(),
    owner=None,
    seats=[SeatInfo(SeatState.EMPTY)] * 4,
    scores=[0, 0, 0, 0],
)
ASK = Ask(
    21,
    [PLAY, ActionMessage(play="06", end="right"), DRAW, PASS],
    {"11": "does_not_fit"},
    Clock(2_000, 10_000),
)
LIMITS = Limits(
    frame_in=4_096,
    frame_out=65_536,
    sessions=1_000,
    tables=256,
    tables_each=4,
    watchers=32,
    messages_per_s=64,
    burst=128,
    chat_chars=200,
    chat_count=5,
    chat_window_ms=10_000,
    name_columns=24,
)
WELCOME = Welcome(
    0, "Attic", 3, "s1", TOKEN, Role.PLAYER, "Ann", LIMITS, Heartbeat(3_000, 10_000), "1"
)


def _error(code: ErrorCode, seq: int) -> Error:
    """Return the plainest error of a code, as an answer to request 16."""
    meaning = MEANINGS[code]
    return Error(seq, code, meaning.sentence, meaning.retry, re=16)


ERRORS: dict[str, Error] = {
    f"error, {code.value}": _error(code, seq) for seq, code in enumerate(ErrorCode, start=1)
}

TABLES = [
    TableInfo(f"t{number}", "Kitchen", state, deal, GameOptions(), SEATS, [0] * 4, 0, 2)
    for number, (state, deal) in enumerate(
        zip(TableState, [*DealKind, *DealKind], strict=False), start=1
    )
]
SEAT_STATES = [
    *(SeatInfo(state, "Ann") for state in SeatState),
    *(SeatInfo(SeatState.AWAY, "Ann", gone=gone) for gone in Gone),
]

SERVER: dict[str, ServerMessage] = {
    "welcome, shortest": WELCOME,
    "welcome, resumed": Welcome(
        0, "Attic", 3, "s1", TOKEN, Role.BOT, "Bo", LIMITS, Heartbeat(3_000, 10_000), "1", True
    ),
    **{
        f"welcome, a session of role {role.value}": Welcome(
            0, "Attic", 3, "s1", TOKEN, role, "Ann", LIMITS, Heartbeat(3_000, 10_000), "1"
        )
        for role in Role
    },
    "refused, version": Refused(
        ErrorCode.VERSION, "protocol 4 to 5: this server speaks 0.", (0, 0)
    ),
    "refused, not_admitted": Refused(ErrorCode.NOT_ADMITTED, "Say hello first.", (0, 0)),
    "ok, shortest": Ok(1, 7),
    "ok, about a table": Ok(2, 8, "t1"),
    "tables, none": Tables(3, 1, [], []),
    "tables, of every state and more to come": Tables(
        4, 2, TABLES, [EngineInfo("greedy", AGENT, 63)], True
    ),
    "tables, a seat of every state": Tables(
        5,
        3,
        [TableInfo("t1", "K", TableState.OPEN, DealKind.FAIR, GAME, SEAT_STATES, [0, 0], 0, 0)],
        [],
    ),
    "status_report, all is well": StatusReport(
        6, 25, 3, 61_000, 48_000_000, {}, [Presence(Role.ADMIN, 1, 0)], 1, 1, 0, 0, 0, "full"
    ),
    "status_report, nothing can be stored and the server is ending": StatusReport(
        seq=7,
        re=26,
        epoch=4,
        uptime_ms=86_400_000,
        memory=96_000_000,
        tables={state: number for number, state in enumerate(TableState)},
        sessions=[Presence(role, 3, 1) for role in Role],
        in_per_s=2_000,
        out_per_s=8_000,
        commits_per_s=700,
        answer_p50_us=1_900,
        answer_p99_us=7_400,
        durability="fast",
        ailment="full.sqlite3: the disk is full.",
        draining=True,
        clients=12,
        denials=61,
        enrolment_paused=True,
    ),
    "update, shortest": Update(5, "t1", 9, []),
    "update, answers create": Update(6, "t1", 1, [], re=3, public=EMPTY_TABLE),
    "update, every field": Update(
        7,
        "t1",
        40,
        [Acted(0, 20, DRAW)],
        re=19,
        duplicate=True,
        hash=PUBLIC.hash,
        public=PUBLIC,
        mine=Mine(1, ["06", "11", "46"], "11", SEED),
        ask=ASK,
    ),
    "update, a question without a clock": Update(
        8, "t1", 41, [], mine=Mine(0, ["66"]), ask=Ask(1, [FIRST, PASS], {"draw": "boneyard_floor"})
    ),
    "update, a fair deal": Update(8, "t1", 41, [], public=FAIR_PUBLIC),
    **{f"update, event {name}": Update(9, "t1", 42, [event]) for name, event in EVENTS.items()},
    "invited": Invited(10, "t1", 3, 10_000),
    "left, removed": Left(11, "t1", "removed"),
    "left, closed": Left(12, "t1", "closed"),
    "left, replaced": Left(13, "t1", "replaced"),
    "pong": Pong(13, 23),
    "goodbye, answers bye": Goodbye(re=24),
    "goodbye, superseded": Goodbye(ErrorCode.SUPERSEDED, MEANINGS[ErrorCode.SUPERSEDED].sentence),
    "error, every field": Error(
        14,
        ErrorCode.STALE_TURN,
        "It is turn 21 now, not turn 19.",
        False,
        re=17,
        table="t1",
        turn=21,
        field="turn",
    ),
    "error, to what was no request": Error(
        15, ErrorCode.MALFORMED, "A message is a map with string keys.", False
    ),
    **FAIR_SERVER,
    **ACCESS_SERVER,
    **ERRORS,
}


def batch(*messages: Struct) -> bytes:
    """Return one frame that holds several messages."""
    return encode(Batch([Raw(encode(message)) for message in messages]))
