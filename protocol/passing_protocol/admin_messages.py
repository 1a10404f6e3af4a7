"""The messages by which a server is looked after (`messages` has all of them)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from passing_protocol.handshake import Role
from passing_protocol.views import TableState
from passing_protocol.wire import Count, Milliseconds, Name, PublicKey


class Status(Struct, frozen=True, tag_field="type", tag="status"):
    """Ask how the server is; for an admin."""

    id: Count


class Drain(Struct, frozen=True, tag_field="type", tag="drain"):
    """Let the server end when the rounds that are played are over; for an admin.

    It ends after `grace_ms` in any case, with everything stored.
    """

    id: Count
    grace_ms: Milliseconds


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
    """Forget every client of that name, or key, and end its sessions; for an admin.

    `name` may be the first 8 characters of a key too, or all of it. The join code of each role
    that they had is replaced by a new one.
    """

    id: Count
    name: Name


class RevokeAll(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="revoke_all"):
    """Forget all clients, or those of a `role`, and end their sessions; for an admin.

    One answer tells of a page of them: while there is `more` others are left, and are forgotten
    when it is asked again. With the last page the join codes of these roles are replaced.
    """

    id: Count
    role: GuestRole | None = None


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
    """Answer `clients`, or tell whom `revoke` or `revoke_all` has forgotten.

    `more` tells of another page.
    """

    seq: Count
    re: Count
    clients: list[ClientInfo]
    more: bool = False
