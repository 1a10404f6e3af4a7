"""A sitting whose table can be restored: what is kept of it, and the rows of its matches."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from passing_protocol.views import TableOptions
from passing_rules import Options
from passing_table import Change, KeptRow, KeptTable, Table, keep, restore
from tests.support.sitting import Sitting


def no_entropy(count: int) -> bytes:
    raise AssertionError(f"{count} bytes were wanted")


def no_match_id() -> str:
    raise AssertionError("a match has begun")


@dataclass
class Keeping:
    """Deal from a key that is kept, and store rows as they come."""

    options: Options
    wishes: TableOptions | None = None
    logs: dict[str, list[KeptRow]] = field(default_factory=dict[str, list[KeptRow]])

    def __post_init__(self) -> None:
        self.sitting = Sitting(self.options, self.wishes)

    def take(self) -> Change:
        self.sitting.take()
        for new in self.sitting.change.rows:
            log = self.logs.setdefault(new.match, [])
            log.append(new.row)
            assert new.number == len(log)
        return self.sitting.change

    @property
    def rows(self) -> list[KeptRow]:
        """The rows of the match that is played, or was played last."""
        self.take()
        play = self.sitting.table.play
        return self.logs[play.id] if play is not None else []

    def kept(self) -> KeptTable:
        self.take()
        return keep(self.sitting.table, self.sitting.now)

    def restored(self, later: int = 0) -> Table:
        return restored(self.kept(), self.rows, self.sitting.now + later)


def restored(kept: KeptTable, rows: Sequence[KeptRow], now: int = 0) -> Table:
    return restore(kept, rows, no_entropy, no_match_id, now)
