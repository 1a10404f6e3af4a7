"""The server's front: who comes in as whom, and what waits to be sent to each connection."""

from collections.abc import Callable

from passing_protocol.codec import CodecError, decode_client, encode
from passing_protocol.errors import MEANINGS, ErrorCode, RequestRefused
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Enrol,
    Enrolled,
    Goodbye,
    Hello,
    Refused,
    Request,
    Role,
    Welcome,
)
from passing_protocol.names import clean_name
from passing_protocol.views import RULES_VERSION
from passing_server.access import Access
from passing_server.allowance import Allowances
from passing_server.clock import SteadyClock
from passing_server.draining import Draining
from passing_server.guests import Guest
from passing_server.keeping import Keeping
from passing_server.limits import HEARTBEAT, HELLO_BURST, HELLOS_PER_S, LIMITS
from passing_server.lobby import TheLobby
from passing_server.making import readable, readable_agent
from passing_server.patience import Patience
from passing_server.sessions import Session, Sessions

SUPPORTED = (PROTOCOL_VERSION, PROTOCOL_VERSION)
TO_ENROL_ALONE = "The key of a join code is good for enrolling a key of one's own, and no more."


class Front:
    """Take clients in, give them their sessions back, and keep what is to be sent."""

    def __init__(
        self,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        keep: Callable[[Sessions], Keeping],
    ) -> None:
        """Start without sessions or tables; `keep` makes what collects what is to be stored."""
        self.name = clean_name(name) or "server"
        self.epoch = epoch
        self.sessions = Sessions(encrypted=access.guests is not None)
        self._keeping = keep(self.sessions)
        self.lobby = TheLobby(self.sessions, entropy, self.post, self._keeping)
        self._clock = SteadyClock()
        self._access = access
        self._entropy = entropy
        self._outbox: dict[bytes, list[bytes]] = {}
        self._greetings = Allowances(HELLO_BURST, HELLOS_PER_S)
        self._patience = Patience()
        self._open_to_all = False
        self.draining = Draining()

    @property
    def running(self) -> int:
        """Return the time by which limits are counted, in ms."""
        return self._clock.running

    @property
    def local_key(self) -> str | None:
        """Return the key of this machine's own programs, None without encryption."""
        return self._access.guests.local_key if self._access.guests is not None else None

    def take_cuts(self) -> list[bytes]:
        """Return, once, the connections that are to be closed; nothing from them is read."""
        return self._patience.take_cuts()

    def take_dismissed(self) -> list[bytes]:
        """Return, once, the connections that are to be closed after their goodbye."""
        return self._patience.take_dismissed(self._clock.running)

    def take_cut_keys(self) -> list[str]:
        """Return, once, the keys of which every connection is to be closed."""
        return self._patience.take_cut_keys(self._clock.running)

    def _lets_in(self, key: str | None) -> bool:
        """Tell whether a connection that has come in would be let in still."""
        guests = self._access.guests
        return guests is None or (key is not None and guests.knows(key))

    def _hello(self, now: int, peer: bytes, hello: Hello, key: str | None) -> None:
        try:
            self._greetings.spend(self._clock.running, peer)
            _verify_version(hello.protocol)
            guest = self._access.who(key)
            if guest.joining:
                raise RequestRefused(ErrorCode.NOT_ADMITTED, TO_ENROL_ALONE)
            if not self._resume(now, peer, hello, guest):
                self._open(now, peer, hello, guest)
        except RequestRefused as refused:
            self._turn_away(peer, refused.code, refused.detail)

    def _enrol(self, peer: bytes, enrol: Enrol, key: str | None) -> None:
        """Remember the client that comes with a join code; nothing is told that is not kept."""
        try:
            self._greetings.spend(self._clock.running, peer)
            _verify_version(enrol.protocol)
            if self._access.guests is None or key is None:
                raise RequestRefused(ErrorCode.NOT_ADMITTED, "No join code is needed here.")
            name = readable("name", enrol.name)
            client, code_role = self._access.guests.enrol(
                self._clock.running, key, enrol.client_key, name
            )
        except RequestRefused as refused:
            self._turn_away(peer, refused.code, refused.detail)
        else:
            other = Role(code_role) if code_role != client.role else None
            self._put(peer, encode(Enrolled(Role(client.role), client.name, other)))

    def _open(self, now: int, peer: bytes, hello: Hello, guest: Guest) -> None:
        role = self._access.role(hello.token, hello.name, guest)
        session = Session(
            id=self._entropy(8).hex(),
            name=readable("name", hello.name),
            agent=readable_agent(hello.agent),
            role=role,
            caps=hello.caps,
            peer=peer,
            heard_at=now,
            admitted=b"" if hello.token is None else self._access.proof(role),
            key=guest.key,
        )
        left = self.sessions.left_behind(session)
        if left is not None:
            self._give_back(now, peer, left, session)
            return
        self.draining.verify_newcomer(role)
        session.allowance.at = self._clock.running
        if self.sessions.is_one_too_many(session):
            self.lobby.forget_longest_away(now, session.key)
        elif self.sessions.is_full(session):
            self.lobby.forget_longest_away(now)
        self.sessions.add(session)
        if guest.key is not None and self._access.guests is not None:
            self._access.guests.rename(self._clock.running, guest.key, session.name)
        self._welcome(session, self._new_token(session), resumed=False)

    def _give_back(self, now: int, peer: bytes, session: Session, like: Session) -> None:
        """Give a client that lost all but its key the session it has left, with its places.

        It knows nothing of that session: requests count from the beginning, and all is shown.
        """
        self.lobby.drop_requests(session)
        self.lobby.tell_places(now, session)
        session.begin_anew(like)
        self.sessions.move(session, peer)
        session.heard_at = now
        self._welcome(session, self._new_token(session), resumed=False)
        self.lobby.snapshots(now, session)
        self.lobby.back(now, session)

    def _is_admin(self, data: bytes | None) -> bool:
        """Tell whether a message opens a session for an admin."""
        try:
            message = decode_client(data or b"")
            return (
                isinstance(message, Hello)
                and message.resume is None
                and self._access.role(message.token, message.name) is Role.ADMIN
            )
        except (CodecError, RequestRefused):
            return False

    def _resume(self, now: int, peer: bytes, hello: Hello, guest: Guest) -> bool:
        """Give a session to its newest connection; False when there is none to give.

        A session is bound to its key: with another one its token is as unknown as any.

        A `hello` that was on its way for long may come after the one that followed it, of the same
        client. Nobody can tell which is the newer: neither is told that it is superseded, and both
        bring the same token, so that the one that is heard again can come back with it.
        """
        resume = hello.resume
        session = self.sessions.by_token(resume.token) if resume is not None else None
        if resume is None or session is None or session.key != guest.key:
            return False
        if resume.epoch != self.epoch and not session.greeted:
            self.lobby.tell_places(now, session)  # before: what follows are snapshots
            session.number_anew()
        again = self.sessions.given_again(session, resume.token)
        before = self.sessions.move(session, peer)
        if before is not None and again is None:
            gone = Goodbye(ErrorCode.SUPERSEDED, MEANINGS[ErrorCode.SUPERSEDED].sentence)
            self._put(before, encode(gone))
        session.heard_at = now
        session.caps = hello.caps
        token = again or self._new_token(session, resume.token)
        self._welcome(session, token, resumed=True)
        known = resume.epoch == self.epoch and session.can_replay_after(resume.seq)
        self._catch_up(now, session, resume.seq if known else None)
        self.lobby.back(now, session)
        return True

    def _new_token(self, session: Session, used: str | None = None) -> str:
        token = self._entropy(32).hex()
        self.sessions.give_token(session, token, used)
        return token

    def _welcome(self, session: Session, token: str, *, resumed: bool) -> None:
        session.greeted = True
        welcome = Welcome(
            protocol=PROTOCOL_VERSION,
            server=self.name,
            epoch=self.epoch,
            session=session.id,
            resume_token=token,
            role=session.role,
            name=session.name,
            limits=LIMITS,
            heartbeat=HEARTBEAT,
            rules=RULES_VERSION,
            resumed=resumed,
            open_to_all=self._open_to_all,
        )
        self._put_to(session, encode(welcome))

    def _catch_up(self, now: int, session: Session, seq: int | None) -> None:
        """Send what was missed after `seq`, or snapshots when that is not kept any more."""
        if seq is None:
            self.lobby.snapshots(now, session)
            return
        for number, data in session.sent:
            if number > seq:
                self._put_to(session, data)
        self.lobby.show_clocks(now, session)

    def _turn_away(self, peer: bytes, code: ErrorCode, detail: str) -> None:
        self._put(peer, encode(Refused(code, detail, SUPPORTED)))
        self._patience.count(self._clock.running, peer)

    def post(self, session: Session, data: bytes) -> None:
        """Keep a numbered message for a replay, and send it if the session is connected."""
        session.keep_sent(data)
        if not session.stalled:
            self._put_to(session, data)

    def _put_to(self, session: Session, data: bytes) -> None:
        if session.peer is not None:
            self._put(session.peer, data)

    def _put(self, peer: bytes, data: bytes) -> None:
        self._outbox.setdefault(peer, []).append(data)


def _verify_version(protocol: tuple[int, int]) -> None:
    """Raise RequestRefused with version for a client that speaks none of ours."""
    lowest, highest = protocol
    if not lowest <= PROTOCOL_VERSION <= highest:
        raise RequestRefused(
            ErrorCode.VERSION,
            f"protocol {lowest} to {highest}: this server speaks {PROTOCOL_VERSION}.",
        )


def table_of(request: Request) -> str | None:
    """Return the table that a request is about; `create` has options under that name."""
    table = getattr(request, "table", None)
    return table if isinstance(table, str) else None
