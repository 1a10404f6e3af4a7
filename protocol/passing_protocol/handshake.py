"""The messages that open a session, and who one may be in it (`messages` has all of them)."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from passing_protocol.errors import ErrorCode
from passing_protocol.limits import Heartbeat, Limits
from passing_protocol.names import NAME_CHARS, VERSION_CHARS
from passing_protocol.wire import Count, Identifier, Name, PublicKey, Token


class Role(StrEnum):
    """Name what a connection may do; it follows from how one was admitted, never from `hello`."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    BOT = "bot"
    ORGANISER = "organiser"
    ADMIN = "admin"


class Agent(Struct, frozen=True, omit_defaults=True):
    """Name the program that connects."""

    name: Name
    version: Annotated[str, Meta(max_length=VERSION_CHARS)]
    author: Annotated[str, Meta(max_length=NAME_CHARS)] | None = None
    build: Annotated[str, Meta(max_length=NAME_CHARS)] | None = None


class Caps(Struct, frozen=True, omit_defaults=True):
    """Say what the client can do.

    `view` is `ask` to get the view with every question, `on_join` to get it once and follow
    events. `tables` is how many tables an engine takes at once; 0 when it waits for none. `fair`
    tells that the client takes part in fair deals: it answers `contribute`, `tips` and
    `link_wanted` by itself.
    """

    view: Literal["ask", "on_join"] = "ask"
    tables: Annotated[int, Meta(ge=0, le=4096)] = 0
    fair: bool = False


class Resume(Struct, frozen=True):
    """Name the session to go on with, and the last message of it that arrived."""

    token: Token
    epoch: Count
    seq: Count


class Hello(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="hello"):
    """Open a session. `protocol` is the lowest and the highest version the client speaks.

    `token` is one of the server's connection file; without it one is a player.
    """

    protocol: tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]
    name: Name
    agent: Agent
    caps: Caps = Caps()
    token: Token | None = None
    resume: Resume | None = None


class Welcome(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="welcome"):
    """Accept a client. `resumed` tells whether the session named in `hello` goes on.

    `open_to_all` tells that other machines reach the server and nothing is encrypted.
    """

    protocol: Count
    server: Name
    epoch: Count
    session: Identifier
    resume_token: Token
    role: Role
    name: Name
    limits: Limits
    heartbeat: Heartbeat
    rules: str
    resumed: bool = False
    open_to_all: bool = False


class Refused(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="refused"):
    """Turn a client away; `supported` is the lowest and the highest version of the server."""

    code: ErrorCode
    detail: str
    supported: tuple[int, int]


class Enrol(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="enrol"):
    """Have a key of one's own remembered; the one thing to do with the key of a join code.

    The answer is `enrolled` or `refused`. Then the client connects anew with `client_key`.
    """

    protocol: tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]
    client_key: PublicKey
    name: Name


class Enrolled(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="enrolled"):
    """Tell that a key is remembered, and in which role it connects from now on.

    `code_role` is the role that the code gives, where the key was remembered in another one: a
    new key enrolled by the same code gets it.
    """

    role: Role
    name: Name
    code_role: Role | None = None
