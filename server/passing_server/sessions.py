"""The sessions of a server: who is connected, what each was sent, and who may come back."""

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.limits import REPLAY_LENGTH
from passing_protocol.messages import Agent, Caps, Role, SplicedUpdate
from passing_protocol.names import NAME_CHARS, clean_chat, name_key
from passing_server.access import hash_token
from passing_server.allowance import Allowance
from passing_server.limits import (
    ENGINES_EACH,
    HEARTBEAT,
    KEPT_ANSWERS,
    LIMITS,
    ORGANISER_SCALE,
    REPLAY_BYTES,
    SESSIONS_EACH,
)
from passing_server.padding import padded
from passing_server.storing import KeptSession


@dataclass(slots=True, eq=False)
class Session:
    """Hold one session across all its connections; the routing id is only where it is now."""

    id: str
    name: str
    agent: Agent
    role: Role
    caps: Caps
    peer: bytes | None
    heard_at: int
    admitted: bytes = b""
    """The token that proved the role, hashed: it is good for as long as that is the same."""
    key: str | None = None
    """The client's own key; nobody comes back to the session with another one."""
    token: bytes = b""
    last_token: bytes | None = None
    fresh_token: str | None = None
    """The newest token as it was given out, until the client has shown that it knows it."""
    greeted: bool = False
    """Whether it was welcomed in this life of the server, and so may have messages of it."""
    seq: int = 0
    sent: deque[tuple[int, bytes]] = field(default_factory=deque[tuple[int, bytes]])
    """The newest messages, of at most `REPLAY_LENGTH` and `REPLAY_BYTES` in all."""
    sent_bytes: int = 0
    answers: OrderedDict[int, bytes] = field(default_factory=OrderedDict[int, bytes])
    tables: dict[str, None] = field(default_factory=dict[str, None])
    watched: dict[str, None] = field(default_factory=dict[str, None])
    invited: dict[str, None] = field(default_factory=dict[str, None])
    allowance: Allowance = field(default_factory=lambda: Allowance(LIMITS.burst, 0))
    done: OrderedDict[int, str | None] = field(default_factory=OrderedDict[int, str | None])
    """What a person has asked and got, by the id of the request: it is not done twice."""
    spoke_at: deque[int] = field(default_factory=lambda: deque[int](maxlen=LIMITS.chat_count))
    stalled: bool = False
    encrypted: bool = False
    is_cut: bool = False
    """Whether its connection is known to be closed, though it is too early to call it away."""

    @property
    def engine(self) -> str | None:
        """Return the program's name and version when an engine is connected."""
        if self.role is not Role.BOT:
            return None
        return clean_chat(f"{self.agent.name} {self.agent.version}", NAME_CHARS)

    @property
    def free_tables(self) -> int:
        """Return at how many more tables this engine plays; 0 for a person."""
        if self.role is not Role.BOT:
            return 0
        return max(0, self.caps.tables - len(self.tables) - len(self.invited))

    def number(self) -> int:
        """Return the number of the next message to this session."""
        self.seq += 1
        return self.seq

    def number_anew(self) -> None:
        """Begin again with message 1, for a client that knows none of this life of the server."""
        self.seq = self.sent_bytes = 0
        self.sent.clear()

    def begin_anew(self, like: Self) -> None:
        """Begin again for another process of the same client, which knows nothing of it."""
        self.number_anew()
        self.answers.clear()
        self.done.clear()
        self.agent, self.caps = like.agent, like.caps

    def keep_sent(self, data: bytes) -> None:
        """Keep the message that bears the last number, for a replay."""
        self.sent.append((self.seq, data))
        self.sent_bytes += len(data)
        while len(self.sent) > REPLAY_LENGTH or self.sent_bytes > REPLAY_BYTES:
            self.sent_bytes -= len(self.sent.popleft()[1])

    def keep_answer(self, request_id: int, data: bytes) -> None:
        """Keep an answer so that the same request is answered the same."""
        self.answers[request_id] = data
        if len(self.answers) > KEPT_ANSWERS:
            self.answers.popitem(last=False)

    def kept(self) -> KeptSession:
        """Return the session as it is stored."""
        return KeptSession(
            id=self.id,
            name=self.name,
            agent=self.agent,
            role=self.role,
            caps=self.caps,
            token=self.token,
            last_token=self.last_token,
            done=dict(self.done),
            watches=[] if self.role is Role.ORGANISER else list(self.watched),
            admitted=self.admitted,
            key=self.key,
        )

    @classmethod
    def restored(cls, kept: KeptSession, now: int) -> Self:
        """Return a session that was stored; it is connected nowhere."""
        session = cls(
            id=kept.id,
            name=kept.name,
            agent=kept.agent,
            role=kept.role,
            caps=kept.caps,
            peer=None,
            heard_at=now,
            admitted=kept.admitted,
            key=kept.key,
            token=kept.token,
            last_token=kept.last_token,
            done=OrderedDict(kept.done),
        )
        session.allowance.at = now
        return session

    def written(self, update: SplicedUpdate) -> bytes:
        """Return an update as it goes to this session."""
        return padded(update) if self.encrypted else encode(update)

    def can_replay_after(self, seq: int) -> bool:
        """Tell whether everything after message `seq` is still kept."""
        return self.seq - len(self.sent) <= seq <= self.seq

    def spend(self, now: int, cost: int = 1) -> None:
        """Take a message out of the allowance. Raises RequestRefused with rate_limited."""
        scale = 1
        if self.role is Role.BOT:
            scale = max(1, len(self.tables))
        elif self.role is Role.ORGANISER:
            scale = ORGANISER_SCALE
        self.allowance.spend(now, LIMITS.messages_per_s * scale, LIMITS.burst * scale, cost)

    def refund(self) -> None:
        """Give a message back: an answer to a question that was asked is free."""
        self.allowance.left += 1

    def speak(self, now: int) -> None:
        """Count one sentence of chat. Raises RequestRefused with rate_limited."""
        full = len(self.spoke_at) == LIMITS.chat_count
        if full and now - self.spoke_at[0] < LIMITS.chat_window_ms:
            raise RequestRefused(
                ErrorCode.RATE_LIMITED,
                f"At most {LIMITS.chat_count} sentences in {LIMITS.chat_window_ms // 1000} s.",
            )
        self.spoke_at.append(now)


def verify_one_seat(session: Session, players: Iterable[Session]) -> None:
    """Raise RequestRefused with seat_taken where a session of the same key sits already.

    An organiser runs tables for many, and so do the programs of this machine.
    """
    if session.key is None or session.role is Role.ORGANISER:
        return
    if any(player.key == session.key and player is not session for player in players):
        detail = "You sit at this table already, with another connection."
        raise RequestRefused(ErrorCode.SEAT_TAKEN, detail, retry=False)


def _most_of_a_key(role: Role) -> int:
    return SESSIONS_EACH if role in (Role.PLAYER, Role.SPECTATOR) else ENGINES_EACH


class Sessions:
    """Find sessions by connection, by id and by resume token."""

    def __init__(self, *, encrypted: bool) -> None:
        """Start without any; what is said in `encrypted` ones is filled up."""
        self._encrypted = encrypted
        self.by_id: dict[str, Session] = {}
        self.by_peer: dict[bytes, Session] = {}
        self._by_token: dict[bytes, Session] = {}
        self._changed: dict[str, Session | None] = {}

    def note(self, session: Session) -> None:
        """Take note that a session is to be stored anew; an admin's has nothing to come back to."""
        if session.role is not Role.ADMIN:
            self._changed[session.id] = session

    def note_done(self, session: Session, request_id: int, table: str | None = None) -> None:
        """Remember what a person has asked and got: a table to be shown, or a plain `ok`."""
        if session.role in (Role.PLAYER, Role.SPECTATOR):
            session.done[request_id] = table
            if len(session.done) > KEPT_ANSWERS:
                session.done.popitem(last=False)
            self.note(session)

    def take_changes(self) -> dict[str, KeptSession | None]:
        """Return, once, the sessions that are to be stored anew, None for those that are gone."""
        changed, self._changed = self._changed, {}
        return {key: session.kept() if session else None for key, session in changed.items()}

    def restore(self, session: Session) -> None:
        """Take in a session that was stored."""
        session.encrypted = self._encrypted
        self.by_id[session.id] = session
        for token in (session.token, session.last_token):
            if token is not None:
                self._by_token[token] = session

    def is_full(self, session: Session) -> bool:
        """Tell whether there are as many sessions as are allowed; an operator's always may come."""
        others = sum(one.role is not Role.ADMIN for one in self.by_id.values())
        return session.role is not Role.ADMIN and others >= LIMITS.sessions

    def is_one_too_many(self, session: Session) -> bool:
        """Tell whether the key of a new session holds as many as one may."""
        if session.key is None or session.role is Role.ADMIN:
            return False
        held = sum(one.key == session.key for one in self.by_id.values())
        return held >= _most_of_a_key(session.role)

    def add(self, session: Session) -> None:
        """Take in a new session. Raises RequestRefused with full at a limit."""
        if self.is_one_too_many(session):
            most = _most_of_a_key(session.role)
            raise RequestRefused(ErrorCode.FULL, f"This client has {most} sessions here already.")
        if self.is_full(session):
            raise RequestRefused(ErrorCode.FULL)
        session.encrypted = self._encrypted
        self.by_id[session.id] = session
        if session.peer is not None:
            self.by_peer[session.peer] = session

    def forget(self, session: Session) -> None:
        """Drop a session and its tokens."""
        del self.by_id[session.id]
        self.disconnect(session)
        self._by_token.pop(session.token, None)
        self.confirm_token(session)
        self._changed[session.id] = None

    def note_cut(self, peer: bytes) -> None:
        """Take note that a connection is closed."""
        session = self.by_peer.get(peer)
        if session is not None:
            session.is_cut = True

    def disconnect(self, session: Session) -> None:
        """Let go of the session's connection; it may come back with its token."""
        if session.peer is not None:
            self.by_peer.pop(session.peer, None)
        session.peer = None

    def keys_called(self, name: str) -> set[str]:
        """Return the keys of the sessions whose names read like that."""
        wanted = name_key(name)
        found = self.by_id.values()
        return {one.key for one in found if one.key and name_key(one.name) == wanted}

    def by_token(self, token: str) -> Session | None:
        """Return the session that a resume token belongs to."""
        return self._by_token.get(hash_token(token))

    def left_behind(self, like: Session) -> Session | None:
        """Return the session that a client's last process has left at a table, by its key.

        It has the same name and was admitted alike, and nobody is connected to it.
        """
        found = [
            session
            for session in self.by_id.values()
            if session.key == like.key
            and (session.role, session.name) == (like.role, like.name)
            and session.admitted == like.admitted
            and (session.peer is None or session.is_cut)
            and session.tables
        ]
        return max(found, key=lambda session: session.heard_at) if like.key and found else None

    def give_token(self, session: Session, token: str, used: str | None = None) -> None:
        """Set a new resume token; the one just `used` stays good until the next message.

        A client that never saw the answer still holds only that one.
        """
        for known in (session.token, session.last_token):
            if known:
                self._by_token.pop(known, None)
        session.fresh_token = token
        session.token = hash_token(token)
        session.last_token = hash_token(used) if used is not None else None
        for good in (session.token, session.last_token):
            if good is not None:
                self._by_token[good] = session
        self.note(session)

    def given_again(self, session: Session, token: str) -> str | None:
        """Return the token that a `hello` with `token` has brought before and brings again.

        None if it is the first one, or if the client has shown since then that it had the answer.
        """
        return session.fresh_token if session.last_token == hash_token(token) else None

    def confirm_token(self, session: Session) -> None:
        """Drop the token before the newest: the client has shown that it knows the new one."""
        session.fresh_token = None
        if session.last_token is not None:
            self._by_token.pop(session.last_token, None)
            session.last_token = None
            self.note(session)

    def move(self, session: Session, peer: bytes) -> bytes | None:
        """Give the session to a new connection and return the one it had before."""
        before = session.peer
        self.disconnect(session)
        session.peer = peer
        session.stalled = session.is_cut = False
        self.by_peer[peer] = session
        return before if before != peer else None

    def silent(self, now: int) -> list[Session]:
        """Return the connected sessions from which nothing has been heard for too long."""
        limit = now - HEARTBEAT.timeout_ms
        return [s for s in self.by_peer.values() if s.heard_at < limit]
