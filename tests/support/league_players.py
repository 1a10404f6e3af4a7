"""What decides for the processes of a league in one process: scripts that misbehave."""

from collections.abc import Callable, Sequence

from passing_bots import Action, MatchStart, Play, Tile, TurnView
from passing_bots.engines.greedy import GreedyEngine
from passing_link.news import LinkNews
from passing_protocol.messages import (
    Act,
    Decline,
    Invited,
    Join,
    Leave,
    Request,
    ServerMessage,
    UpdateOf,
)
from passing_protocol.views import Ask
from passing_protocol.wire import action_message
from tests.support.league_lan import Death, Maker, Player, Process, sdk

Answer = Callable[[str, Ask], Sequence[Request]]
"""What is sent when a table asks."""


class Script:
    """Reply to invitations and to questions by two functions."""

    def __init__(self, answer: Answer, reply: Callable[[Invited], list[Request]]) -> None:
        self._answer = answer
        self._reply = reply

    def receive(self, message: ServerMessage | LinkNews, /) -> list[Request]:
        match message:
            case Invited():
                return self._reply(message)
            case UpdateOf(ask=Ask() as ask):
                return list(self._answer(message.table, ask))
            case _:
                return []


def join(invited: Invited) -> list[Request]:
    return [Join(0, invited.table, invited.seat)]


def decline(invited: Invited) -> list[Request]:
    return [Decline(0, invited.table)]


def ignore(_: Invited) -> list[Request]:
    return []


def script(answer: Answer, reply: Callable[[Invited], list[Request]] = join) -> Maker:
    return lambda process: Script(answer, reply)


def nothing(table: str, ask: Ask) -> Sequence[Request]:
    return []


def illegal(table: str, ask: Ask) -> Sequence[Request]:
    """Three actions that are refused."""
    legal = {message.action for message in ask.legal}
    wrong = (Play(Tile(low, high), None) for low in range(7) for high in range(low, 7))
    action = next(play for play in wrong if play not in legal)
    return [Act(0, table, ask.turn, action_message(action))] * 3


def leave(table: str, ask: Ask) -> Sequence[Request]:
    """One proper answer, and then away."""
    if ask.turn <= 2:
        return [Act(0, table, ask.turn, ask.legal[0])]
    return [Leave(0, table)]


def never_connects(process: Process) -> Player | None:
    return None


def does_not_start(process: Process) -> Player | None:
    raise Death(1, "It has lost its weights.")


class Illegal(GreedyEngine):
    """Choose a tile that is not there; strict, the SDK gives up the seat for that."""

    def choose(self, view: TurnView) -> Action:
        return Play(view.unseen[0], None)


class Failing(GreedyEngine):
    """Raise at every question."""

    def choose(self, view: TurnView) -> Action:
        raise RuntimeError("fell over")


def dying(code: int, turn: int = 0, *, bye: bool = False) -> Maker:
    """An engine that takes its process along, at a question from that turn on."""

    class Dying(GreedyEngine):
        def choose(self, view: TurnView) -> Action:
            if view.turn >= turn:
                raise Death(code, "fell over", bye=bye)
            return super().choose(view)

    return sdk(Dying)


def killed(times: int) -> Maker:
    """An engine whose process is killed at its first question, the first so many times."""
    count = 0

    class Killed(GreedyEngine):
        def choose(self, view: TurnView) -> Action:
            nonlocal count
            count += 1
            if count <= times:
                raise Death(-9)
            return super().choose(view)

    return sdk(Killed)


def hanging(process: Process) -> Player:
    """A process that stops at its first question, and is not heard any more."""

    def hang(table: str, ask: Ask) -> Sequence[Request]:
        process.hangs = True
        return []

    return Script(hang, join)


class Unwilling(GreedyEngine):
    """Raise before the first tile is dealt."""

    def begin_match(self, match: MatchStart) -> None:
        raise RuntimeError("not today")
