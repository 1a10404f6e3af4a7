"""One table with fair deals, without a server: software that answers at once, late or never."""

from passing_protocol.errors import RequestRefused
from passing_protocol.events import DealRevealed, Event, TipsAgreed
from passing_protocol.views import TableOptions, TableState
from passing_rules import Deal, Options, Pass
from passing_table import (
    FairDeals,
    Occupant,
    Table,
    TableSettings,
    keep,
    kept_bytes,
    read_kept,
    restore,
    view,
)
from passing_table.dealing import Wanted
from passing_table.rows import KeptDeal, KeptRow
from tests.support.contributing import Checks, Part, Software
from tests.support.lan import counted_entropy
from tests.support.sitting import Sitting


def fair(name: str) -> Occupant:
    """A person whose software contributes."""
    return Occupant(name, name, None, True)


def fair_engine(name: str) -> Occupant:
    return Occupant(name, name, f"{name} 1.0", True)


class FairSitting(Sitting):
    """A table whose deals are fair; `silent` are the keys whose software does not answer."""

    def __init__(
        self, options: Options, wishes: TableOptions | None = None, *, clocked: bool = True
    ) -> None:
        super().__init__(options, wishes, clocked=clocked)
        self.entropy = counted_entropy("fair sitting")
        self.table = Table(
            table_id="t1",
            name="kitchen",
            options=options,
            settings=TableSettings(wishes or TableOptions(), clocked, options.partners),
            deals=FairDeals(self.entropy),
            new_match_id=self._new_match_id,
            maker="maker",
            now=self.now,
        )
        self.software: dict[str, Software] = {}
        self.silent: set[str] = set()
        self.checks = Checks()
        self.logs: dict[str, list[KeptRow]] = {}

    def take(self) -> list[Event]:
        events = super().take()
        self.checks.take(events)
        for new in self.change.rows:
            log = self.logs.setdefault(new.match, [])
            log.append(new.row)
            assert new.number == len(log)
        return events

    def wanted(self, key: str) -> Wanted | None:
        """What is asked of the software of a key."""
        seat = self.table.seats.decides(key)
        return view.wanted(self.table, seat, self.now) if seat is not None else None

    def answer(self, key: str) -> Part:
        """Let the software of a key answer once."""
        wanted = self.wanted(key)
        assert wanted is not None, f"{key} is asked for nothing"
        part = self.software.setdefault(key, Software(key)).answer(wanted)
        self.give(key, part)
        return part

    def give(self, key: str, part: Part) -> None:
        self.table.contribute(self.now, key, part)
        self.take()

    def answer_all(self) -> None:
        """Let all software answer that does, until nothing is asked for."""
        self.take()
        while asked := [key for key in self._keys() if self.wanted(key) is not None]:
            for key in asked:
                if self.wanted(key) is not None:
                    self.answer(key)

    def _keys(self) -> list[str]:
        keys = [seat.occupant.key for seat in self.table.seats if seat.occupant is not None]
        return [key for key in keys if key not in self.silent]

    def begin(self, *occupants: Occupant) -> None:
        """Fill the seats, and deal the first round of a match."""
        self.sit(*occupants)
        self.ready(*[who.key for who in occupants if who.engine is None])
        self.answer_all()
        assert self.state() is TableState.PLAYING

    def pass_round(self) -> None:
        """Let everybody pass until the round is over; nothing is answered after that."""
        self.take()
        play = self.table.play
        assert play is not None
        number = play.match.round_number
        while self.to_act is not None and play.match.round_number == number:
            self.table.act(self.now, self.to_act, self.turn, Pass())
        self.take()

    def next_round(self) -> None:
        """Let everybody be ready and contribute."""
        for seat in self.table.seats:
            if seat.is_person and seat.present and not seat.ready and seat.occupant is not None:
                self.ready(seat.occupant.key)
        self.answer_all()

    def restart(self, gap: int = 0) -> None:
        """Go on with what is stored, so much later, as a server does that was killed."""
        self.take()
        kept = read_kept(kept_bytes(keep(self.table, self.now)))
        log = self.logs.get(kept.play.match, []) if kept.play is not None else []
        self.now += gap
        self.table = restore(kept, log, self.entropy, self._new_match_id, self.now)
        self.table.interrupt(self.now)
        for seat in self.table.seats:
            for occupant in seat.claimants:
                self.table.away(self.now, occupant.key)

    def back(self, *keys: str) -> None:
        for key in keys:
            self.table.back(self.now, key)

    @property
    def reveals(self) -> list[DealRevealed]:
        self.take()
        return [event for event in self.events if isinstance(event, DealRevealed)]

    @property
    def agreed(self) -> list[TipsAgreed]:
        self.take()
        return [event for event in self.events if isinstance(event, TipsAgreed)]

    def contributors(self) -> list[int]:
        """The seats on the newest list that was agreed to."""
        return [entry.seat for entry in self.agreed[-1].tips.seats]

    def verify_dealt(self) -> None:
        """See that every round that was revealed was dealt as the links say."""
        rounds = [row for log in self.logs.values() for row in log if isinstance(row, KeptDeal)]
        shown = [event for event in self.reveals if not event.void]
        assert len(shown) <= len(rounds)
        for event, row in zip(shown, rounds, strict=False):
            deal, leader = self.checks.deal(event.match, event.deal, len(self.table.seats))
            assert Deal.parse(row.deal) == deal
            assert row.round > 1 or row.leader == leader or self.table.options.lead != "random"

    def refused(self, key: str, part: Part) -> RequestRefused:
        try:
            self.give(key, part)
        except RequestRefused as refused:
            self.take()
            return refused
        raise AssertionError(f"{part} was not refused")
