"""A simulated client's part in fair deals: given at once, late, wrongly, or never."""

import random
from collections.abc import Callable
from enum import StrEnum

from msgspec.structs import replace

from passing_protocol.contributing import Contributor
from passing_protocol.messages import (
    GiveLink,
    Request,
    ServerMessage,
    ShowTip,
    TipsOffered,
    TipsOk,
)
from passing_protocol.verdicts import Outcome, Verdict
from tests.simulation.world import Broken, World

FALSE = "ab" * 32
MOST_LATE_MS = 8_000
COPIES = 0.5
"""So often one that answers wrongly shows a tip that it has heard of another."""


class Manner(StrEnum):
    """Name how a client answers what its software is asked for."""

    PROMPT = "prompt"
    LATE = "late"
    WRONG = "wrong"
    NEVER = "never"


class Share:
    """Hear every message of a client, answer in its manner, and hold the server to the checks."""

    def __init__(
        self,
        world: World,
        name: str,
        manner: Manner,
        seed: str,
        send: Callable[[Request], int | None],
        *,
        forgetful: bool,
    ) -> None:
        """Begin without a chain; one that is `forgetful` had one, and has lost it."""
        self.verdicts: list[Verdict] = []
        self._world = world
        self._name = name
        self._manner = manner
        self._chance = random.Random(seed)
        self._contributor = Contributor(self._chance.randbytes, 8)
        self._send = send
        self._forgetful = forgetful
        self._offered: TipsOffered | None = None

    def hears(self, message: ServerMessage) -> None:
        """Take in a message, and answer."""
        if isinstance(message, TipsOffered):
            self._offered = message
        heard = self._contributor.hear(message)
        self.verdicts += heard.verdicts
        for verdict in heard.verdicts:
            excused = self._forgetful or self._manner is Manner.WRONG
            if verdict.outcome is Outcome.FAILED and not excused:
                raise Broken(f"{self._name} finds a deal that is not fair: {verdict}")
        for request in heard.requests:
            self._answer(request)

    def _answer(self, request: Request) -> None:
        match self._manner:
            case Manner.PROMPT:
                self._give(request)
            case Manner.LATE:
                delay = self._chance.randrange(MOST_LATE_MS)
                self._world.after(delay, lambda: self._give(request))
            case Manner.WRONG if self._chance.random() < 0.3:
                self._give(falsified(request))
            case Manner.WRONG:
                self._give(request)
                if self._offered is not None and self._chance.random() < COPIES:
                    self._give(copied(self._offered, self._chance))
            case Manner.NEVER:
                pass

    def sends(self, number: int, request: Request) -> None:
        """Take note of what the client sends: who joins or leaves may have another seat then."""
        self._contributor.sent(number, request)

    def _give(self, request: Request) -> None:
        number = self._send(request)
        if number is not None:
            self._contributor.sent(number, request, own=True)


def copied(offered: TipsOffered, chance: random.Random) -> ShowTip:
    """Any tip of a list, as if it were one's own."""
    shown = [(one.base, one.tip) for one in offered.seats]
    base, tip = chance.choice([(offered.server.base, offered.server.tip), *shown])
    return ShowTip(0, offered.table, offered.match, base, tip)


def falsified(request: Request) -> Request:
    """Something like it that does not fit."""
    match request:
        case ShowTip():
            return replace(request, base=request.base + 1)
        case TipsOk():
            return replace(request, hash=FALSE)
        case GiveLink():
            return replace(request, link=FALSE)
        case _:
            return request
