"""What an engine is: one method to write, and four to add if it wants to know more."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from passing_bots.view import TurnView
from passing_protocol.events import RoundEnded
from passing_protocol.verdicts import Verdict
from passing_rules import Action, Options, Tile


@dataclass(frozen=True, slots=True)
class MatchStart:
    """Tell an engine of the match that it is about to play, or comes into."""

    match: str
    table: str
    seat: int
    options: Options
    seed: str
    """32 hex digits for the engine's own chance: the server's `bot_seed` where it gives one."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Tell an engine of a round that has been dealt."""

    round: int
    leader: int
    hand: tuple[Tile, ...]


class Engine(ABC):
    """Decide for one seat at one table; each table gets an engine of its own.

    What is raised here is reported, and the seat passes.
    """

    @abstractmethod
    def choose(self, view: TurnView) -> Action:
        """Return one of `view.legal`; anything else is reported and becomes a pass."""

    def begin_match(self, match: MatchStart) -> None:  # noqa: B027 (a hook need not be written)
        """Take note that a match begins, or that this engine takes over a seat in one."""

    def begin_round(self, round_: RoundStart) -> None:  # noqa: B027
        """Take note that tiles have been dealt."""

    def end_round(self, result: RoundEnded) -> None:  # noqa: B027
        """Take note how the round ended; `result.hands` shows the hands where they are shown."""

    def judge_deal(self, verdict: Verdict) -> None:  # noqa: B027
        """Take note of what the software has found out about a fair deal; failures are reported."""
