"""One table without a server: seats filled in a line, a clock by hand, and what was told."""

from collections.abc import Sequence

from passing_protocol import deals
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import Event, MatchEnded, RoundEnded, SeatChanged, StateChanged
from passing_protocol.views import DealKind, SeatState, TableOptions, TableState
from passing_rules import ALL_TILES, Deal, Options, Pass, Round, parse_action
from passing_table import Change, Occupant, Outcome, Table, TableSettings

KEY = b"a table for tests"


class GivenDeals:
    """Deal what the test says, then from a fixed key; seat 0 leads where chance leads."""

    key = KEY
    kind = DealKind.GIVEN

    def __init__(self, *given: Deal) -> None:
        self._given = list(given)

    def deal(self, match: int, round_number: int, seats: int) -> tuple[Deal, int]:
        if self._given:
            return self._given.pop(0), 0
        return deals.deal_and_leader(KEY, match, round_number, seats)[0], 0

    def bot_seed(self, seat: int) -> str | None:
        return deals.bot_seed(KEY, seat)


def person(name: str) -> Occupant:
    return Occupant(name, name)


def engine(name: str) -> Occupant:
    return Occupant(name, name, f"{name} 1.0")


class Sitting:
    """A table with the methods that tests need: time in steps, and texts for actions."""

    def __init__(
        self,
        options: Options,
        wishes: TableOptions | None = None,
        given: Sequence[Deal] = (),
        *,
        clocked: bool = True,
    ) -> None:
        self.now: int = 10_000
        self.events: list[Event] = []
        self.change = Change()
        self._matches = 0
        self.table = Table(
            table_id="t1",
            name="kitchen",
            options=options,
            settings=TableSettings(wishes or TableOptions(), clocked, options.partners),
            deals=GivenDeals(*given),
            new_match_id=self._new_match_id,
            maker="maker",
            now=self.now,
        )

    def _new_match_id(self) -> str:
        self._matches += 1
        return f"m{self._matches}"

    def take(self) -> list[Event]:
        """What has been told since the last call."""
        change = self.table.take_change()
        self.change = change or Change()
        events = self.change.events
        self.events += events
        return events

    def told(self, kind: type[Event]) -> list[Event]:
        self.take()
        return [event for event in self.events if isinstance(event, kind)]

    def sit(self, *occupants: Occupant) -> None:
        for occupant in occupants:
            self.table.sit(self.now, occupant, None)

    def ready(self, *keys: str) -> None:
        for key in keys:
            self.table.ready(self.now, key)

    def begin(self, *occupants: Occupant) -> None:
        """Fill the seats and begin the match."""
        self.sit(*occupants)
        self.ready(*[who.key for who in occupants if who.engine is None])
        assert self.state() is TableState.PLAYING

    def state(self) -> TableState:
        return self.table.state

    @property
    def turn(self) -> int:
        assert self.table.play is not None
        return self.table.play.turn

    @property
    def dealt(self) -> Round:
        """The round that was dealt last."""
        assert self.table.play is not None
        return self.table.play.dealt

    def tile_not_held(self, seat: int) -> str:
        held = self.dealt.hand(seat)
        return next(str(tile) for tile in ALL_TILES if tile not in held)

    @property
    def to_act(self) -> int | None:
        return self.table.play.to_act if self.table.play is not None else None

    def seat(self, number: int) -> SeatState:
        return self.table.seats[number].state

    def act(self, text: str, *, seat: int | None = None, turn: int | None = None) -> Outcome:
        number = self.to_act if seat is None else seat
        assert number is not None
        chosen = self.turn if turn is None else turn
        return self.table.act(self.now, number, chosen, parse_action(text))

    def play(self, texts: str) -> None:
        for text in texts.split():
            self.act(text)

    def pass_round(self) -> None:
        """Let everybody pass until the round is over."""
        assert self.table.play is not None
        number = self.table.play.match.round_number
        while self.state() is TableState.PLAYING and self.table.play.match.round_number == number:
            if self.to_act is None:
                break
            self.table.act(self.now, self.to_act, self.turn, Pass())

    def refusal(self, text: str, *, seat: int | None = None, turn: int | None = None) -> ErrorCode:
        try:
            outcome = self.act(text, seat=seat, turn=turn)
        except RequestRefused as refused:
            return refused.code
        raise AssertionError(f"{text} was not refused but {outcome}")

    def wait(self, milliseconds: int, step: int = 20) -> None:
        """Let time pass; the table looks at what is due as a server's loop does."""
        end = self.now + milliseconds
        while self.now < end:
            self.now = min(end, self.now + step)
            due = self.table.due
            if due is not None and due <= self.now:
                self.table.tick(self.now)

    def states(self) -> list[TableState]:
        self.take()
        return [event.state for event in self.events if isinstance(event, StateChanged)]

    def seat_told(self, number: int) -> list[SeatState]:
        self.take()
        return [
            event.info.state
            for event in self.events
            if isinstance(event, SeatChanged) and event.seat == number
        ]

    def round_ends(self) -> list[RoundEnded]:
        self.take()
        return [event for event in self.events if isinstance(event, RoundEnded)]

    def match_end(self) -> MatchEnded:
        self.take()
        found = [event for event in self.events if isinstance(event, MatchEnded)]
        assert len(found) == 1
        return found[0]
