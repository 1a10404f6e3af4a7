"""The states of both ends of a session, and which message leads from which to which.

Everything that changes a state is in TRANSITIONS; the diagram in PROTOCOL.md is drawn from it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar, cast, get_args

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Numbered, Request


class ProtocolError(Exception):
    """Raised when an end of a session does what its state does not allow; see its two kinds."""

    def __init__(self, code: ErrorCode, detail: str) -> None:
        """Keep the code that the other end is answered with."""
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class LocalProtocolError(ProtocolError):
    """Raised when this end is about to break the protocol."""


class RemoteProtocolError(ProtocolError):
    """Raised when the other end has broken the protocol."""


class ClientState(StrEnum):
    """Name where a client is: before `hello`, waiting for `welcome`, in a session, or out of it.

    Who comes with a join code enrols first.
    """

    IDLE = "idle"
    ENROLLING = "enrolling"
    GREETING = "greeting"
    OPEN = "open"
    CLOSED = "closed"


class ServerState(StrEnum):
    """Name where a server is with one connection: before `hello`, in a session, or done with it."""

    AWAITING = "awaiting"
    OPEN = "open"
    CLOSED = "closed"


def _types(union: object) -> frozenset[str]:
    return frozenset(str(kind.__struct_config__.tag) for kind in get_args(union))


REQUEST_TYPES: Final = _types(Request)
CLIENT_TYPES: Final = REQUEST_TYPES | {"hello", "enrol"}
NEWS_TYPES: Final = _types(Numbered) | {"pong"}

State = TypeVar("State", ClientState, ServerState)
AnyState = ClientState | ServerState


def _all(types: frozenset[str], state: AnyState) -> dict[str, AnyState]:
    return dict.fromkeys(types, state)


TRANSITIONS: Final[Mapping[type[AnyState], Mapping[AnyState, Mapping[str, AnyState]]]] = {
    ClientState: {
        ClientState.IDLE: {"hello": ClientState.GREETING, "enrol": ClientState.ENROLLING},
        ClientState.ENROLLING: {
            "enrol": ClientState.ENROLLING,  # the connection was lost before an answer came
            "enrolled": ClientState.IDLE,  # and on with a new connection, of its own key
            "refused": ClientState.CLOSED,
        },
        ClientState.GREETING: {
            "hello": ClientState.GREETING,  # the connection was lost before an answer came
            "welcome": ClientState.OPEN,
            "refused": ClientState.CLOSED,
            "goodbye": ClientState.CLOSED,
        },
        ClientState.OPEN: {
            **_all(REQUEST_TYPES | NEWS_TYPES, ClientState.OPEN),
            "hello": ClientState.GREETING,  # on a new connection
            "refused": ClientState.CLOSED,  # the server does not know this connection
            "goodbye": ClientState.CLOSED,
        },
        ClientState.CLOSED: {
            "hello": ClientState.GREETING,
            "refused": ClientState.CLOSED,  # each of several requests that were on their way
        },
    },
    ServerState: {
        ServerState.AWAITING: {
            "hello": ServerState.AWAITING,
            "enrol": ServerState.AWAITING,
            "enrolled": ServerState.AWAITING,
            "welcome": ServerState.OPEN,
            "refused": ServerState.AWAITING,
        },
        ServerState.OPEN: {
            **_all(REQUEST_TYPES | NEWS_TYPES, ServerState.OPEN),
            "goodbye": ServerState.CLOSED,
        },
        ServerState.CLOSED: {},
    },
}


def advance(state: State, message_type: str) -> State:
    """Return the state after a message was sent or came in.

    Raises LocalProtocolError for a message that this end may not send now, and
    RemoteProtocolError for one that the other end may not.
    """
    following = TRANSITIONS[type(state)][state].get(message_type)
    if following is not None:
        return cast("State", following)
    detail = f"{message_type} has no place in state {state}."
    if isinstance(state, ClientState) == (message_type in CLIENT_TYPES):
        raise LocalProtocolError(ErrorCode.MALFORMED, detail)
    if state is ServerState.AWAITING:
        raise RemoteProtocolError(ErrorCode.NOT_ADMITTED, f"{detail} Say hello first.")
    raise RemoteProtocolError(ErrorCode.MALFORMED, detail)
