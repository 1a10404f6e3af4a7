"""Every message of the protocol, as a type: the one source of truth for codec, schema and spec.

A message is a map with string keys; `type` says which. Unknown keys are ignored, an unknown
`type` is answered `unsupported`. `Request`s go to the server, each with an `id` of the client's,
unique in its session; exactly one message comes back with `re` = that id.
"""

from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Raw, Struct

from passing_protocol.admin_messages import ClientInfo as ClientInfo
from passing_protocol.admin_messages import Clients as Clients
from passing_protocol.admin_messages import ClientsReport as ClientsReport
from passing_protocol.admin_messages import Drain as Drain
from passing_protocol.admin_messages import GuestRole as GuestRole
from passing_protocol.admin_messages import JoinCode as JoinCode
from passing_protocol.admin_messages import JoinCodeReport as JoinCodeReport
from passing_protocol.admin_messages import Presence as Presence
from passing_protocol.admin_messages import Revoke as Revoke
from passing_protocol.admin_messages import RevokeAll as RevokeAll
from passing_protocol.admin_messages import Status as Status
from passing_protocol.admin_messages import StatusReport as StatusReport
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.fair_messages import Contribute as Contribute
from passing_protocol.fair_messages import GiveLink as GiveLink
from passing_protocol.fair_messages import LinkWanted as LinkWanted
from passing_protocol.fair_messages import ShowTip as ShowTip
from passing_protocol.fair_messages import TipsOffered as TipsOffered
from passing_protocol.fair_messages import TipsOk as TipsOk
from passing_protocol.handshake import Agent as Agent
from passing_protocol.handshake import Caps as Caps
from passing_protocol.handshake import Enrol as Enrol
from passing_protocol.handshake import Enrolled as Enrolled
from passing_protocol.handshake import Hello as Hello
from passing_protocol.handshake import Refused as Refused
from passing_protocol.handshake import Resume as Resume
from passing_protocol.handshake import Role as Role
from passing_protocol.handshake import Welcome as Welcome
from passing_protocol.lobby_messages import Create as Create
from passing_protocol.lobby_messages import Decline as Decline
from passing_protocol.lobby_messages import EngineInfo as EngineInfo
from passing_protocol.lobby_messages import Invite as Invite
from passing_protocol.lobby_messages import Invited as Invited
from passing_protocol.lobby_messages import Join as Join
from passing_protocol.lobby_messages import Leave as Leave
from passing_protocol.lobby_messages import Left as Left
from passing_protocol.lobby_messages import Lobby as Lobby
from passing_protocol.lobby_messages import Ready as Ready
from passing_protocol.lobby_messages import Remove as Remove
from passing_protocol.lobby_messages import Start as Start
from passing_protocol.lobby_messages import TableInfo as TableInfo
from passing_protocol.lobby_messages import Tables as Tables
from passing_protocol.lobby_messages import Watch as Watch
from passing_protocol.views import Ask, Mine, PublicView
from passing_protocol.wire import ActionMessage, Count, Identifier

PROTOCOL_VERSION = 0
"""The number that `hello` and `welcome` agree on; grows with each incompatible change."""


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
    | RevokeAll
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
