"""Every message of the protocol, as a type: the one source of truth for codec, schema and spec.

A message is a map with string keys; `type` says which. Unknown keys are ignored, an unknown
`type` is answered `unsupported`. `Request`s go to the server, each with an `id` of the client's,
unique in its session; exactly one message comes back with `re` = that id.
"""

from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Raw, Struct

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.handshake import Agent as Agent
from passing_protocol.handshake import Caps as Caps
from passing_protocol.handshake import Enrol as Enrol
from passing_protocol.handshake import Enrolled as Enrolled
from passing_protocol.handshake import Hello as Hello
from passing_protocol.handshake import Refused as Refused
from passing_protocol.handshake import Resume as Resume
from passing_protocol.handshake import Role as Role
from passing_protocol.handshake import Welcome as Welcome
from passing_protocol.views import (
    Ask,
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatInfo,
    SeatTip,
    TableOptions,
    TableState,
    Tip,
)
from passing_protocol.wire import (
    ActionMessage,
    Count,
    HexBytes32,
    HexSeed,
    Identifier,
    Milliseconds,
    Name,
    PublicKey,
    SeatNumber,
)

PROTOCOL_VERSION = 0
"""The number that `hello` and `welcome` agree on; grows with each incompatible change."""


class Lobby(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="lobby"):
    """Ask for the tables, those after the table `after`, and the engines that wait."""

    id: Count
    after: Identifier | None = None


class Create(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="create"):
    """Make a table; `sit` takes a seat there too, without it one watches.

    An organiser may fix the deals, the first leader and each engine's `bot_seed` by one of
    `seed` and `given` (32 hex digits); with `given` clocks run, and only invited engines sit.
    """

    id: Count
    name: Name
    game: GameOptions = GameOptions()
    table: TableOptions = TableOptions()
    sit: bool = True
    seed: HexSeed | None = None
    given: HexSeed | None = None


class Join(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="join"):
    """Take a seat, the first free one when none is named; also how an invitation is accepted."""

    id: Count
    table: Identifier
    seat: SeatNumber | None = None


class Watch(Struct, frozen=True, tag_field="type", tag="watch"):
    """Watch a table without a seat (R6.3)."""

    id: Count
    table: Identifier


class Leave(Struct, frozen=True, tag_field="type", tag="leave"):
    """Give up the seat or the watcher's place at a table."""

    id: Count
    table: Identifier


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    """Say that one is ready: for the start, the next round or a rematch."""

    id: Count
    table: Identifier


class Start(Struct, frozen=True, tag_field="type", tag="start"):
    """Start the match now that every seat is filled; for the owner."""

    id: Count
    table: Identifier


class Invite(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="invite"):
    """Invite a waiting engine, by its name in the lobby, to a seat; for the owner."""

    id: Count
    table: Identifier
    engine: Name
    seat: SeatNumber | None = None


class Decline(Struct, frozen=True, tag_field="type", tag="decline"):
    """Turn an invitation down."""

    id: Count
    table: Identifier


class Remove(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="remove"):
    """Take a seat from whoever holds it, or send a watcher away by name; for the owner."""

    id: Count
    table: Identifier
    seat: SeatNumber | None = None
    watcher: Name | None = None


class Act(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="act"):
    """Answer the question of a turn with one action (R2.1)."""

    id: Count
    table: Identifier
    turn: Count
    action: ActionMessage


CHAT_SENT_CHARS = 400
"""The most characters of a chat request; what is shown of them may be fewer."""


class Chat(Struct, frozen=True, tag_field="type", tag="chat"):
    """Say something to the table."""

    id: Count
    table: Identifier
    text: Annotated[str, Meta(min_length=1, max_length=CHAT_SENT_CHARS)]


class Resync(Struct, frozen=True, tag_field="type", tag="resync"):
    """Ask for everything after message `seq` of this session; 0 brings snapshots in any case."""

    id: Count
    seq: Count


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Show that one is still there."""

    id: Count


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """End the session: every seat and watcher's place is given up."""

    id: Count


class Status(Struct, frozen=True, tag_field="type", tag="status"):
    """Ask how the server is; for an admin."""

    id: Count


class Drain(Struct, frozen=True, tag_field="type", tag="drain"):
    """Let the server end when the rounds that are played are over; for an admin.

    It ends after `grace_ms` in any case, with everything stored.
    """

    id: Count
    grace_ms: Milliseconds


class ShowTip(Struct, frozen=True, tag_field="type", tag="tip"):
    """Answer `contribute`: the tip of a hash chain made for this match at this table.

    Its first link is for deal `base` + 1.
    """

    id: Count
    table: Identifier
    match: Identifier
    base: Count
    tip: HexBytes32


class TipsOk(Struct, frozen=True, tag_field="type", tag="tips_ok"):
    """Answer `tips`: the hash of the list, which is agreed to with that."""

    id: Count
    table: Identifier
    match: Identifier
    version: Count
    hash: HexBytes32


class GiveLink(Struct, frozen=True, tag_field="type", tag="link"):
    """Answer `link_wanted`: one's link for that deal."""

    id: Count
    table: Identifier
    match: Identifier
    deal: Count
    link: HexBytes32


GuestRole = Literal["player", "spectator", "bot"]
"""The roles that a join code gives."""


class JoinCode(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="join_code"):
    """Ask for the token of the join code of a role, a new one if so wished; for an admin."""

    id: Count
    role: GuestRole
    new: bool = False


class Clients(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="clients"):
    """Ask for the clients that are remembered, those after the key `after`; for an admin."""

    id: Count
    after: PublicKey | None = None


class Revoke(Struct, frozen=True, tag_field="type", tag="revoke"):
    """Forget every client of that name, and end its sessions; for an admin.

    The join code of each role that they had is replaced by a new one.
    """

    id: Count
    name: Name


Request = (
    Lobby
    | Create
    | Join
    | Watch
    | Leave
    | Ready
    | Start
    | Invite
    | Decline
    | Remove
    | Act
    | Chat
    | Resync
    | Ping
    | Bye
    | Status
    | Drain
    | ShowTip
    | TipsOk
    | GiveLink
    | JoinCode
    | Clients
    | Revoke
)
ClientMessage = Hello | Enrol | Request


# --- answers and news -----------------------------------------------------------------------

EventsT = TypeVar("EventsT")
PublicT = TypeVar("PublicT")


class Ok(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="ok"):
    """Confirm a request that has no other answer."""

    seq: Count
    re: Count
    table: Identifier | None = None


class Error(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="error"):
    """Refuse a request, or a frame that was none (`re` absent).

    `turn` is the table's current turn where the refusal is about turns; `field` names the part
    of the message that is wrong; `retry` tells whether the same request may succeed later.
    """

    seq: Count
    code: ErrorCode
    detail: str
    retry: bool
    re: Count | None = None
    table: Identifier | None = None
    turn: Count | None = None
    field: str | None = None


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """Describe a table to those who are looking for one."""

    table: Identifier
    name: Name
    state: TableState
    deal: DealKind
    game: GameOptions
    seats: list[SeatInfo]
    scores: list[Count]
    round: Count
    watchers: Count


class EngineInfo(Struct, frozen=True, omit_defaults=True):
    """Describe an engine that waits for an invitation; `free` is at how many more tables."""

    name: Name
    agent: Agent
    free: Count


class Tables(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="tables"):
    """Answer `lobby`; `more` tells that a further page follows the last table here."""

    seq: Count
    re: Count
    tables: list[TableInfo]
    engines: list[EngineInfo]
    more: bool = False


class Presence(Struct, frozen=True):
    """Count the sessions of a role: those that are connected, and those that are away."""

    role: Role
    connected: Count
    away: Count


class StatusReport(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="status_report"):
    """Answer `status`: counts and rates, nothing of any game.

    `memory` is in bytes. Rates are those of the last seconds, in messages or commits a second. Half
    of the newest messages took no longer than `answer_p50_us` from being read to when all that
    they caused was sent, and 99 of 100 no longer than `answer_p99_us`, in microseconds.
    `durability` is that of the tables that people make; `ailment` says why nothing can be stored
    at the moment, and is absent while all is well. `draining` tells that the server is ending.
    `clients` is how many are remembered, `denials` how many connections were not admitted within
    the last minute; `enrolment_paused` tells that those were so many that no code is taken.
    """

    seq: Count
    re: Count
    epoch: Count
    uptime_ms: Count
    memory: Count
    tables: dict[TableState, Count]
    sessions: list[Presence]
    in_per_s: Count
    out_per_s: Count
    commits_per_s: Count
    answer_p50_us: Count
    answer_p99_us: Count
    durability: Literal["full", "fast", "none"]
    ailment: str | None = None
    draining: bool = False
    clients: Count = 0
    denials: Count = 0
    enrolment_paused: bool = False


class JoinCodeReport(Struct, frozen=True, tag_field="type", tag="join_code_report"):
    """Answer `join_code`: the token of the role's code, and for how much longer it is good."""

    seq: Count
    re: Count
    role: GuestRole
    token: Annotated[str, Meta(pattern="^[0-9A-HJKMNP-TV-Z]{8}$", max_length=8)]
    left_ms: Milliseconds


class ClientInfo(Struct, frozen=True):
    """Describe a remembered client: its last name, its role, and since which day it is known.

    `since` counts days from 1970-01-01; `connected` is how many connections it has.
    """

    key: PublicKey
    name: Name
    role: GuestRole
    since: Count
    connected: Count


class ClientsReport(
    Struct, frozen=True, omit_defaults=True, tag_field="type", tag="clients_report"
):
    """Answer `clients`, or `revoke` with those that are forgotten; `more` tells of another page."""

    seq: Count
    re: Count
    clients: list[ClientInfo]
    more: bool = False


class UpdateOf(
    Struct, Generic[EventsT, PublicT], frozen=True, omit_defaults=True,
    tag_field="type", tag="update",
):  # fmt: skip
    """Hold the fields of `update`, whether its large parts are decoded or bytes."""

    seq: Count
    table: Identifier
    rev: Count
    events: EventsT
    re: Count | None = None
    duplicate: bool = False
    hash: str | None = None
    public: PublicT | None = None
    mine: Mine | None = None
    ask: Ask | None = None


class Update(
    UpdateOf[list[Event], PublicView], frozen=True, omit_defaults=True,
    tag_field="type", tag="update",
):  # fmt: skip
    """Carry all that one recipient is told about one table at one moment.

    `rev` is the number of the table's last event here. `re` answers the recipient's own request,
    `duplicate` marks the first answer given again. `ask` is the question when it is the
    recipient's turn. `public` comes with every question (or once, as the client asked in
    `hello`), on joining and as a snapshot after a gap; `hash` checks a follower's own state.
    """


class SplicedUpdate(
    UpdateOf[Raw, Raw], frozen=True, omit_defaults=True, tag_field="type", tag="update",
):  # fmt: skip
    """Carry the same message as the server builds it, from parts encoded once for everybody."""


class Invited(Struct, frozen=True, tag_field="type", tag="invited"):
    """Invite an engine to a seat; `join` or `decline` answers, within `within_ms`."""

    seq: Count
    table: Identifier
    seat: SeatNumber
    within_ms: Milliseconds


class Contribute(Struct, frozen=True, tag_field="type", tag="contribute"):
    """Ask the software at a seat for the tip of a new chain; `base` deals have been begun."""

    seq: Count
    table: Identifier
    match: Identifier
    base: Count
    within_ms: Milliseconds


class TipsOffered(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="tips"):
    """Ask the software at a seat to agree to a list of tips; `version` counts the lists of a match.

    `server` is the server's own tip, `seats` has those who contribute, by seat.
    """

    seq: Count
    table: Identifier
    match: Identifier
    version: Count
    server: Tip
    seats: list[SeatTip]
    within_ms: Milliseconds


class LinkWanted(Struct, frozen=True, tag_field="type", tag="link_wanted"):
    """Ask the software at a seat for its link of a deal, under the agreed list `version`."""

    seq: Count
    table: Identifier
    match: Identifier
    version: Count
    deal: Count
    within_ms: Milliseconds


class Left(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="left"):
    """Tell that one has no place at a table any more, and why when it was not one's own wish."""

    seq: Count
    table: Identifier
    reason: Literal["removed", "closed", "replaced"]


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """Answer `ping`; `seq` repeats the number of the last numbered message."""

    seq: Count
    re: Count


class Goodbye(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="goodbye"):
    """Close the session; answers `bye` (`re`), or tells that the server ends it and why."""

    code: ErrorCode | None = None
    detail: str | None = None
    re: Count | None = None


class Batch(Struct, frozen=True, tag_field="type", tag="batch"):
    """Hold several messages for one recipient in one frame."""

    items: list[Raw]


Numbered = (
    Ok
    | Error
    | Tables
    | StatusReport
    | Update
    | Invited
    | Left
    | Contribute
    | TipsOffered
    | LinkWanted
    | JoinCodeReport
    | ClientsReport
)
ServerMessage = Welcome | Enrolled | Refused | Numbered | Pong | Goodbye | Batch
