"""The turns that a seat has lost in a row, and how they are told when it is forfeited."""

from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode
from passing_protocol.events import ForfeitKind
from passing_table.settings import REFUSALS


class Strikes(Struct, frozen=True, omit_defaults=True):
    """Count the turns lost in a row: without an answer in time, or by refused actions.

    `last_refusal` is why the last action of a turn lost by refusals was refused. As text it is
    the evidence of a forfeit, which everybody is told: it holds no tile (R6.1).
    """

    unanswered: int = 0
    refused: int = 0
    last_refusal: ErrorCode | None = None

    @property
    def count(self) -> int:
        """Return how many there are."""
        return self.unanswered + self.refused

    @property
    def kind(self) -> ForfeitKind:
        """Return what a seat is forfeited for by these: refused actions if they lost any turn."""
        return ForfeitKind.REFUSED if self.refused else ForfeitKind.NO_ANSWER

    def one_more(self, refusal: ErrorCode | None) -> Self:
        """Return these with another one: a last refused action, None for no answer in time."""
        if refusal is None:
            return replace(self, unanswered=self.unanswered + 1)
        return replace(self, refused=self.refused + 1, last_refusal=refusal)

    def __str__(self) -> str:
        """Return what happened, such as `3 strikes: 3 turns without an answer in time`.

        There is at least one.
        """
        parts: list[str] = []
        if self.unanswered:
            parts.append(f"{_count(self.unanswered, 'turn')} without an answer in time")
        if self.last_refusal is not None:
            each = " each" if self.refused > 1 else ""
            actions = f"{REFUSALS} refused actions{each}, the last {self.last_refusal}"
            parts.append(f"{_count(self.refused, 'turn')} with {actions}")
        return f"{_count(self.count, 'strike')}: {', '.join(parts)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


NO_STRIKES: Final = Strikes()
