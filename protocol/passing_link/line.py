"""How a client keeps one session alive over connections that come and go; pure but for chance.

`Line` decides: when to dial, to greet, to ping, to give up an attempt and to try again. What
carries its frames tells it what happened and the time, in seconds of any steady clock.
"""

import secrets
from collections import deque
from enum import StrEnum
from typing import Final

from passing_link import words
from passing_link.answers import Answer, Answers
from passing_link.denials import AccessDenied, NotAdmitted
from passing_link.news import (
    Item,
    LinkDown,
    LinkEnded,
    LinkNews,
    NewsKind,
)
from passing_link.pauses import jittered
from passing_link.sentences import NOTHING, Sentence
from passing_link.transport import Sign
from passing_protocol.contributing import Contributor
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.messages import (
    ClientsReport,
    Error,
    Goodbye,
    JoinCodeReport,
    Ok,
    Ping,
    Pong,
    Refused,
    Request,
    ServerMessage,
    StatusReport,
    Tables,
    UpdateOf,
    Welcome,
)
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    RemoteProtocolError,
)

DIAL_S: Final = 4.0
"""How long reaching a machine and agreeing on ZMTP may take."""

HELLO_S: Final = 4.0
"""How long the answer to `hello` may take."""

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
"""The pause between attempts doubles from the first to the longest, and is jittered."""

STEADY_S: Final = 1.0
"""How long a connection has to stand before the pause after it is the first again."""

TELL_EVERY_S: Final = 5.0
"""How often, at most, it is told that the line is still trying."""

_HANG_UPS: Final = (Sign.NOT_ZMTP, Sign.OTHER_SECURITY)
"""Which of the two is seen of a server that wants to be spoken to otherwise is chance."""

_PING_SHARE: Final = 0.7
"""A ping goes out when this share of the heartbeat interval passed without anything sent."""


class Phase(StrEnum):
    """Name where a line is: between attempts, in one of an attempt's three steps, or done."""

    RESTING = "resting"
    DIALLING = "dialling"
    GREETING = "greeting"
    OPEN = "open"
    ENDED = "ended"


class Line:
    """Keep a session over any number of attempts to connect.

    `place` is the server as people know it, `choices` how many numbers its name has: they are
    tried one after the other before there is a pause. `secured` tells whether the attempts are
    encrypted, `tables` at how many an engine plays at once. `inbox` holds what is for the user,
    `outbox` what is to be sent.
    """

    def __init__(
        self,
        session: ClientSession,
        place: str,
        now: float,
        choices: int = 1,
        *,
        secured: bool = False,
        tables: int = 0,
    ) -> None:
        """Begin with an attempt that is due at once."""
        self.session = session
        self.phase = Phase.RESTING
        self.inbox: deque[Item] = deque()
        self.outbox: deque[bytes] = deque()
        self.refusal: Refused | None = None
        self.denial: AccessDenied | None = None
        """Why the server must not be spoken to, or does not let us in."""
        self.doubt: Sentence | None = None
        """What is wrong, for people, where the server has hung up for one of several reasons."""
        self.hint = NOTHING
        """What may be wrong with the way to where the attempt goes, for people."""
        self.last_news: LinkNews | None = None
        """The news that ended the line."""
        self.trouble = words.no_answer(place, reached=False)
        """What went wrong with the last attempt, for people."""
        self._place = place
        self._secured = secured
        self.choices = choices
        self._attempts = 0
        self._deadline = now
        self._apart_since = now
        self._open_since = now
        self._told_at = now - TELL_EVERY_S
        self._sent_at = now
        self._heard_at = now
        self._reached = False
        self.was_open = False
        """Whether the server has welcomed us, now or ever."""
        self._epoch = 0
        self._ping_s = 0.0
        self._silence_s = 0.0
        self._pings: set[int] = set()
        self._answers = Answers()
        self._contributor = Contributor(secrets.token_bytes, tables)
        self._due: deque[Request] = deque()  # the contributor's, to be sent

    @property
    def due(self) -> float | None:
        """Return when `tick` has something to do next; None when never."""
        if self.phase is Phase.ENDED:
            return None
        if self.phase is Phase.OPEN:
            return min(self._sent_at + self._ping_s, self._heard_at + self._silence_s)
        return self._deadline

    # --- what happens ----------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Do what is due at this time."""
        due = self.due
        if due is None or now < due:
            return
        if self.phase is Phase.RESTING:
            self.phase = Phase.DIALLING
            self._deadline = now + DIAL_S
            self._reached = False
        elif self.phase is not Phase.OPEN:
            trouble = words.no_answer(self._place, self._reached, self.hint)
            self._fail(trouble, now, hopeless=self._reached)
        elif now >= self._heard_at + self._silence_s:
            self._lose(words.silent(self._place), now)
        else:
            self._pings.add(self._send(Ping(0), now))

    def notice(self, sign: Sign, now: float) -> None:
        """Take note of what the monitor shows."""
        if self.phase in (Phase.RESTING, Phase.ENDED):
            return
        if sign is Sign.REACHED:
            self._reached = True
        elif sign is Sign.AGREED:
            self.phase = Phase.GREETING
            self.doubt = None
            self._deadline = now + HELLO_S
            self.outbox.append(self.session.connect())
        elif self.phase is Phase.OPEN:
            self._lose(words.lost(self._place), now)
        else:
            self._miss(sign, now)

    def take(self, frame: bytes, now: float) -> None:
        """Take a frame in; what it holds for the user is in `inbox` then."""
        if self.phase not in (Phase.GREETING, Phase.OPEN):
            return
        self._heard_at = now
        try:
            messages = self.session.receive(frame)
        except RemoteProtocolError as error:
            self._fail(words.nonsense(self._place, error.detail), now, hopeless=True)
            return
        for message in messages:
            self._hear(message, now)
        if self.phase is Phase.OPEN:
            self._post(self.session.outgoing(), now)
            while self._due:
                self._send(self._due.popleft(), now, own=True)

    def settle(self, denial: AccessDenied | None) -> None:
        """End a doubt: by a denial, or by nothing, which ends only a line that was never open."""
        doubt, self.doubt = self.doubt, None
        if doubt is None or self.phase is Phase.ENDED:
            return
        if denial is not None:
            self._deny(denial)
        elif not self.was_open:
            self._end(NewsKind.CLOSED, doubt)

    # --- requests --------------------------------------------------------------------------

    def send(self, message: Request, now: float) -> int:
        """Send a request and return its id; its answer comes to `inbox`.

        Raises LinkEnded, and LinkDown while there is no connection: nothing waits to act itself
        out later. What was sent and not answered when a connection broke is sent again.
        """
        if self.last_news is not None:
            raise LinkEnded(self.last_news)
        if self.phase is not Phase.OPEN:
            raise LinkDown(words.down(self._place))
        return self._send(message, now)

    def ask(self, message: Request, now: float) -> int:
        """Send a request whose answer is fetched with `answer`; raises as `send` does."""
        number = self.send(message, now)
        self._answers.expect(number)
        return number

    def answer(self, number: int) -> Answer | None:
        """Return and forget the answer to `ask`, None while there is none.

        Raises RequestFailed for an error, RequestLost and LinkEnded when none can come.
        """
        answer = self._answers.fetch(number)
        if answer is None and self.last_news is not None:
            self.forget(number)
            raise LinkEnded(self.last_news)
        return answer

    def forget(self, number: int) -> None:
        """Wait no longer for an answer; should it come, it goes to `inbox`."""
        self._answers.forget(number)

    # --- inside ----------------------------------------------------------------------------

    def _hear(self, message: ServerMessage, now: float) -> None:
        """Let the software that takes part in fair deals hear a message first."""
        heard = self._contributor.hear(message)
        if not heard.own:
            self._sort(message, now)
        self.inbox.extend(heard.verdicts)
        self._due.extend(heard.requests)

    def _sort(self, message: ServerMessage, now: float) -> None:
        match message:
            case Welcome():
                self._welcomed(message, now)
            case Refused():
                self._refused(message, now)
            case Goodbye():
                self._answers.keep(message.re, message)
                self._dismissed(message, now)
            case Pong() if message.re in self._pings:
                self._pings.discard(message.re)
            case (
                Ok()
                | Error()
                | Tables()
                | StatusReport()
                | JoinCodeReport()
                | ClientsReport()
                | UpdateOf()
                | Pong()
            ):
                if not self._answers.keep(message.re, message):
                    self.inbox.append(message)
            case _:
                self.inbox.append(message)

    def _welcomed(self, welcome: Welcome, now: float) -> None:
        first = not self.was_open
        self.was_open = True
        self._open_since = now
        self.phase = Phase.OPEN
        self._sent_at = now
        self._ping_s = welcome.heartbeat.interval_ms / 1000 * _PING_SHARE
        self._silence_s = welcome.heartbeat.timeout_ms / 1000
        restarted = welcome.epoch != self._epoch
        self._epoch = welcome.epoch
        if welcome.resumed:
            kind = NewsKind.RESTARTED if restarted else NewsKind.BACK
            apart_s = now - self._apart_since
            self._tell(kind, words.back(self._place, apart_s, restarted=restarted))
        elif not first:
            self._due.clear()
            self._pings.clear()
            self._answers.lose(self.session.dropped)
            self._tell(NewsKind.NEW_SESSION, words.new_session(self._place))

    def _refused(self, refused: Refused, now: float) -> None:
        if self.phase is Phase.OPEN:  # it has forgotten this connection, not the session
            self._lose(words.lost(self._place), now)
            return
        if self.was_open and MEANINGS[refused.code].retry:
            self._fail(words.refused(refused.detail), now)
            return
        self.refusal = refused
        if refused.code is ErrorCode.SUPERSEDED:
            self._end(NewsKind.SUPERSEDED, words.superseded())
        else:
            self._end(NewsKind.REFUSED, words.refused(refused.detail))

    def _dismissed(self, goodbye: Goodbye, now: float) -> None:
        if goodbye.code is ErrorCode.SUPERSEDED:
            self._end(NewsKind.SUPERSEDED, words.superseded())
        elif goodbye.code is not None and MEANINGS[goodbye.code].retry:
            self._lose(words.closed(self._place, goodbye.detail), now, goodbye.code)
        elif goodbye.code is ErrorCode.NOT_ADMITTED:  # revoked, so coming back would be in vain
            sentence = words.closed(self._place, goodbye.detail)
            self._end(NewsKind.REFUSED, sentence, goodbye.code)
        else:
            self._end(NewsKind.CLOSED, words.closed(self._place, goodbye.detail))

    def _send(self, message: Request, now: float, *, own: bool = False) -> int:
        number, frame = self.session.request(message)
        self._contributor.sent(number, message, own=own)
        self._post([frame], now)
        return number

    def _post(self, frames: list[bytes], now: float) -> None:
        if frames:
            self._sent_at = now
            self.outbox.extend(frames)

    def _lose(self, sentence: str, now: float, code: ErrorCode | None = None) -> None:
        """Go from a connection that was open to trying again.

        One that did not stand for a while makes the next pause longer, or a server that cuts us for
        what we send would be asked again and again without a rest.
        """
        if now >= self._open_since + STEADY_S:
            self._attempts = 0
        self._apart_since = now
        self._told_at = now
        self.inbox.append(LinkNews(NewsKind.LOST, sentence, code))
        self._rest(now)

    def _miss(self, sign: Sign, now: float) -> None:
        """Take an attempt for failed, by what the monitor shows of it."""
        if sign is Sign.NOT_LET_IN:
            self._deny(NotAdmitted(self._place))
            return
        hung_up = sign in _HANG_UPS or (sign is Sign.CLOSED and self._reached)
        greeted = self.phase is Phase.GREETING
        trouble = words.of_sign(sign, self._place, self._reached, self.hint)
        if hung_up and not greeted:
            self.doubt = trouble = words.unproven(self._place) if self._secured else trouble
        self._fail(trouble, now, hopeless=hung_up and greeted)

    def _deny(self, denial: AccessDenied) -> None:
        self.denial = denial
        self._end(NewsKind.REFUSED, str(denial), denial.code)

    def _fail(self, trouble: Sentence, now: float, *, hopeless: bool = False) -> None:
        """Give up an attempt; one that nothing can mend ends a line that was never open."""
        self.trouble = trouble
        if self.phase is Phase.OPEN:
            self._lose(trouble, now)
            return
        if hopeless and not self.was_open:
            self._end(NewsKind.CLOSED, trouble)
            return
        rounds, rest = divmod(self._attempts + 1, self.choices)
        # A doubt is looked into first: what comes of it is more worth telling.
        due = rounds > (self.doubt is not None) and now >= self._told_at + TELL_EVERY_S
        if due and rest == 0:
            self._told_at = now
            self._tell(NewsKind.TRYING, words.trying(trouble, now - self._apart_since))
        self._rest(now)

    def _rest(self, now: float) -> None:
        self.outbox.clear()
        self.phase = Phase.RESTING
        self._attempts += 1
        rounds, rest = divmod(self._attempts, self.choices)
        longer = 2.0 ** min(rounds - 1, 10)
        pause = 0.0 if rest else min(FIRST_PAUSE_S * longer, LONGEST_PAUSE_S)
        self._deadline = now + jittered(pause)

    def _end(self, kind: NewsKind, sentence: str, code: ErrorCode | None = None) -> None:
        self.phase = Phase.ENDED
        self.last_news = LinkNews(kind, sentence, code)
        self.inbox.append(self.last_news)

    def _tell(self, kind: NewsKind, sentence: str) -> None:
        self.inbox.append(LinkNews(kind, sentence))
