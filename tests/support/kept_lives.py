"""Lives of tables, lived twice: by a table, and by one that is restored again and again."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from passing_protocol.errors import RequestRefused
from passing_protocol.fair_messages import GiveLink, LinkWanted, TipsOk
from passing_protocol.views import DealKind, GameOptions, TableOptions, TableState, options_of
from passing_rules import ALL_TILES, Action, Draw, Pass, Play
from passing_table import (
    Change,
    DealSource,
    FairDeals,
    GivenDeals,
    KeptRow,
    KeptTable,
    Occupant,
    SeededDeals,
    ServerDeals,
    Table,
    TableSettings,
    keep,
    kept_bytes,
    read_kept,
    read_row,
    restore,
    row_bytes,
    view,
)
from passing_table.dealing import Wanted
from tests.support.contributing import Part, Software
from tests.support.sitting import engine, person

PEOPLE: Final = [
    *(replace(person(name), fair=True) for name in ("anna", "bob", "cyd")),
    person("dan"),
]
ENGINES: Final = [
    *(replace(engine(name), fair=True) for name in ("greedy", "calm", "slow")),
    engine("mild"),
]
EVERYBODY: Final = [*PEOPLE, *ENGINES]
MAKER: Final = "maker"
WAITS: Final = (
    *(0, 1, 50, 300, 699, 700, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000),
    *(5_000, 20_000, 60_000, 90_000, 150_000, 300_000, 600_000, 86_400_000),
)
GAPS: Final = (0, 1, 1_000, 90_000, 10**9)
CLOSED_STEPS: Final = 3
TICKS: Final = 40
"""So many times at most a table is looked at while one waits."""


Call = Callable[[Table, int], object]
Store = Callable[[KeptTable], KeptTable]
"""Returns what is left of what was kept when it is stored and read again."""


def as_bytes(kept: KeptTable) -> KeptTable:
    return read_kept(kept_bytes(kept))


@dataclass(frozen=True)
class Plan:
    """How a table is made, and who fills its seats first: bit i of `engines` is seat i's.

    The other table is restored before every call of `calls`, 0 for when a step says so alone.
    """

    game: GameOptions
    wishes: TableOptions
    deal: DealKind
    clocked: bool
    engines: int
    calls: int


@dataclass(frozen=True)
class Step:
    """One thing that happens: what, to whom, and a number that chooses among what is possible."""

    name: str
    who: int
    number: int


class World:
    """One table, its clock, and what a store has of its matches."""

    def __init__(self, plan: Plan) -> None:
        self.now = 10_000
        self.logs: dict[str, list[KeptRow]] = {}
        self._bytes = 0
        self._matches = 0
        options = options_of(plan.game)
        self.table = Table(
            table_id="t1",
            name="kitchen",
            options=options,
            settings=TableSettings(plan.wishes, plan.clocked, options.partners),
            deals=self._deals(plan.deal),
            new_match_id=self.new_match_id,
            maker=MAKER,
            now=self.now,
        )

    def _deals(self, kind: DealKind) -> DealSource | FairDeals:
        if kind is DealKind.SERVER:
            return ServerDeals(self.entropy)
        if kind is DealKind.FAIR:
            return FairDeals(self.entropy)
        return (SeededDeals if kind is DealKind.SEEDED else GivenDeals)(b"a key")

    def entropy(self, count: int) -> bytes:
        self._bytes += 1
        return hashlib.sha256(str(self._bytes).encode()).digest()[:count]

    def new_match_id(self) -> str:
        self._matches += 1
        return f"m{self._matches}"

    def call(self, what: Call) -> object:
        try:
            return what(self.table, self.now)
        except RequestRefused as refused:
            return refused.code, refused.detail, refused.retry

    def take(self) -> Change | None:
        """Take what is to be told, and store the rows as a store would."""
        change = self.table.take_change()
        for new in change.rows if change is not None else []:
            log = self.logs.setdefault(new.match, [])
            log.append(new.row)
            assert new.number == len(log)
        return change

    def restart(self, gap: int, stored_as: Store) -> KeptTable:
        """Go on with what is stored, so much later; returns what was kept."""
        kept = stored_as(keep(self.table, self.now))
        log = self.logs[kept.play.match] if kept.play is not None else []
        stored = [read_row(row_bytes(row)) for row in log]
        self.now += gap
        self.table = restore(kept, stored, self.entropy, self.new_match_id, self.now)
        return kept


def keyed(method: Callable[[Table, int, str], object], key: str) -> Call:
    return lambda table, now: method(table, now, key)


def contributing(key: str, part: Part) -> Call:
    return lambda table, now: table.contribute(now, key, part)


def seated(occupant: Occupant) -> Call:
    return lambda table, now: table.sit(now, occupant, None)


@dataclass
class Life:
    """Do the same to both tables and find no difference."""

    plan: Plan
    store: Store = as_bytes
    acts: list[tuple[int, int, Action]] = field(default_factory=list[tuple[int, int, Action]])
    seen: Counter[str] = field(default_factory=Counter[str])
    software: dict[str, Software] = field(default_factory=dict[str, Software])

    def __post_init__(self) -> None:
        self.one = World(self.plan)
        self.other = World(self.plan)
        self._calls = 0

    @property
    def table(self) -> Table:
        """The table that was never restored: what is done next is chosen by it."""
        return self.one.table

    def live(self, steps: Iterable[Step]) -> None:
        """Take the steps, few of them after the table is closed."""
        closed = 0
        for step in steps:
            STEPS[step.name](self, step)
            if self.plan.deal is DealKind.FAIR and step.number % 4:
                self.contribute(step)
            self.verify()
            closed += self.table.state is TableState.CLOSED
            if closed > CLOSED_STEPS:
                break

    def both(self, what: Call) -> None:
        """Call both tables and compare what they answer and what they tell."""
        self._calls += 1
        if self.plan.calls and self._calls % self.plan.calls == 0:
            self.other.restart(GAPS[self._calls % len(GAPS)], self.store)
        assert self.one.call(what) == self.other.call(what)
        told = self.one.take()
        assert told == self.other.take()
        self.seen.update(type(event).__name__ for event in (told.events if told else []))

    def verify(self) -> None:
        """Compare all that can be asked of the tables, and what would be kept of them."""
        assert sight(self.one) == sight(self.other)
        if self.store is as_bytes:
            kept = [keep(world.table, world.now) for world in (self.one, self.other)]
            assert kept[0] == kept[1]
        self.seen[self.table.state] += 1
        self.seen.update(seat.state for seat in self.table.seats)

    def restart(self, step: Step) -> None:
        gap = GAPS[step.number % len(GAPS)]
        kept = self.other.restart(gap, self.store)
        assert self.other.table.take_change() is None
        play = kept.play
        if play is not None and play.unshown is not None:
            self.seen["held" if play.unshown.show_ms is not None else "never shown"] += 1

    # --- seats

    def sit(self, step: Step) -> None:
        wanted = step.number % 5 if step.number % 3 == 0 else None
        self.both(lambda table, now: table.sit(now, EVERYBODY[step.who], wanted))

    def fill(self, step: Step) -> None:
        """Sit down at every free seat, and be ready."""
        for seat in range(len(self.table.seats)):
            group = ENGINES if self.plan.engines >> seat & 1 else PEOPLE
            self.both(seated(group[seat]))
        self.ready_all(step)

    def ready(self, step: Step) -> None:
        self.both(keyed(Table.ready, EVERYBODY[step.who].key))

    def ready_all(self, step: Step) -> None:
        for somebody in EVERYBODY:
            self.both(keyed(Table.ready, somebody.key))

    def start(self, step: Step) -> None:
        self.both(lambda table, now: table.start(now))

    def invite(self, step: Step) -> None:
        wanted = step.number % 5 if step.number % 2 else None
        self.both(lambda table, now: table.invite(now, ENGINES[step.who % 4], wanted))

    def substitute(self, step: Step) -> None:
        """Invite an engine for an absent player, as a server does, if the table wants one."""
        seat = self.table.wants_substitute(self.one.now)
        occupant = ENGINES[step.who % 4]
        if seat is not None and self.table.seats.seat_of(occupant.key) is None:
            self.both(lambda table, now: table.seats.invite(now, seat, occupant))
            if step.number % 4:
                self.accept(step)

    def accept(self, step: Step) -> None:
        for occupant in ENGINES:
            if self.table.seats.invited_seat(occupant.key) is not None:
                self.both(seated(occupant))

    def stand_in(self, step: Step) -> None:
        """Let the player of a seat be away until an engine stands in."""
        player = self.table.seats[step.who % len(self.table.seats)].occupant
        if player is not None:
            self.both(keyed(Table.away, player.key))
        self.wait(Step("wait", step.who, WAITS.index(90_000)))
        self.tick(step)
        self.substitute(step)

    def strand(self, step: Step) -> None:
        """Let the player opposite stay away, too."""
        for who in (step.who, step.who + 2):
            self.stand_in(Step("stand_in", who, step.number))

    def relieve(self, step: Step) -> None:
        """Let a player for whom an engine stands in be back, in time or not."""
        for seat in self.table.seats:
            if seat.keeper is not None:
                self.both(keyed(Table.back, seat.keeper.key))

    def decline(self, step: Step) -> None:
        self.both(lambda table, now: table.decline(ENGINES[step.who % 4].key))

    def _holder(self, step: Step) -> Occupant:
        """Somebody who has a claim on a seat, if anybody has."""
        there = [who for seat in self.table.seats for who in seat.claimants]
        return there[step.who % len(there)] if there else EVERYBODY[step.who]

    def leave(self, step: Step) -> None:
        self.both(keyed(Table.leave, self._holder(step).key))

    def remove(self, step: Step) -> None:
        self.both(lambda table, now: table.remove(now, step.number % 5))

    def away(self, step: Step) -> None:
        self.both(keyed(Table.away, self._holder(step).key))

    def all_away(self, step: Step) -> None:
        for somebody in EVERYBODY:
            self.both(keyed(Table.away, somebody.key))

    def back(self, step: Step) -> None:
        self.both(keyed(Table.back, self._holder(step).key))

    def all_back(self, step: Step) -> None:
        for somebody in EVERYBODY:
            self.both(keyed(Table.back, somebody.key))

    # --- fair deals

    def contribute(self, step: Step) -> None:
        """Let all software do what it is asked for, now and then one that answers wrongly."""
        while asked := self._asked():
            for key, wanted in asked:
                part = self.software.setdefault(key, Software(key)).answer(wanted)
                self.both(contributing(key, part))
                self.seen[str(wanted.__struct_config__.tag)] += 1
            if step.number % 3 == 0:
                return

    def answer_wrongly(self, step: Step) -> None:
        """Let the software at a seat give something that does not fit, or lose its chain."""
        for key, wanted in self._asked()[step.who % 4 :][:1]:
            software = self.software.setdefault(key, Software(key))
            part = software.answer(wanted)
            if isinstance(wanted, LinkWanted) and step.number % 2:
                software.forget()
                part = software.tip(wanted.table, wanted.match, wanted.deal)
            elif isinstance(part, TipsOk):
                part = replace(part, hash="ab" * 32)
            elif isinstance(part, GiveLink):
                part = replace(part, link="ab" * 32)
            self.both(contributing(key, part))

    def interrupt(self, step: Step) -> None:
        """Cut everybody off, as the end of a server does."""
        self.both(Table.interrupt)
        self.all_away(step)

    def _asked(self) -> list[tuple[str, Wanted]]:
        seats = [(who.key, self.table.seats.decides(who.key)) for who in EVERYBODY]
        found = [
            (key, view.wanted(self.table, seat, self.one.now))
            for key, seat in seats
            if seat is not None
        ]
        return [(key, wanted) for key, wanted in found if wanted is not None]

    # --- turns

    def _act(self, seat: int, turn: int, action: Action) -> None:
        self.acts.append((seat, turn, action))
        self.both(lambda table, now: table.act(now, seat, turn, action))

    def act(self, step: Step) -> None:
        """Answer the question with something legal; the pass comes last and the draw before."""
        play = self.table.play
        if play is not None and play.to_act is not None:
            legal = play.dealt.legal_actions()
            self._act(play.to_act, play.turn, legal[step.number % len(legal)])

    def several(self, step: Step) -> None:
        for turn in range(1 + step.number % 12):
            self.act(Step("act", step.who, step.number >> 1 if turn % 5 else step.number + turn))

    def pass_round(self, step: Step) -> None:
        for _ in range(9):
            self.act(Step("act", step.who, -1))
            self.wait(Step("wait", step.who, 5))

    def wrong(self, step: Step) -> None:
        """Act as the rules or the turn do not allow, or may not."""
        play = self.table.play
        if play is None or play.to_act is None:
            return
        tile = ALL_TILES[step.number % len(ALL_TILES)]
        action = (Play(tile, None), Draw(), Pass())[step.number % 8 % 3]
        seat = (play.to_act + (step.who == 0)) % len(self.table.seats)
        for _ in range(1 + step.number % 3):
            self._act(seat, play.turn + (step.who == 1) - (step.who in (2, 3)), action)

    def refused(self, step: Step) -> None:
        """Act with a tile that is not in the hand, once or more."""
        play = self.table.play
        for _ in range(1 + step.number % 3):
            if play is not None and play.to_act is not None:
                held = play.dealt.hand(play.to_act)
                tile = next(tile for tile in ALL_TILES if tile not in held)
                self._act(play.to_act, play.turn, Play(tile, None))

    def repeat(self, step: Step) -> None:
        """Answer once more what was answered before, or answer it otherwise."""
        if self.acts:
            seat, turn, action = self.acts[-1 - step.number % min(8, len(self.acts))]
            self._act(seat, turn, Draw() if step.who == 0 else action)

    # --- time

    def wait(self, step: Step) -> None:
        """Let time pass, and look at what is due when it is."""
        end = self.one.now + WAITS[step.number % len(WAITS)]
        for _ in range(TICKS):
            due = self.table.due
            if due is None or due > end:
                break
            self._pass(max(0, due - self.one.now))
            self.tick(step)
        self._pass(end - self.one.now)

    def late(self, step: Step) -> None:
        """Let time pass, and look at nothing."""
        self._pass(WAITS[step.number % len(WAITS)])

    def tick(self, step: Step) -> None:
        self.both(lambda table, now: table.tick(now))

    def _pass(self, milliseconds: int) -> None:
        self.one.now += milliseconds
        self.other.now += milliseconds

    # --- talk

    def say(self, step: Step) -> None:
        self.both(lambda table, now: table.say("anna", 0, "hello"))
        self.both(lambda table, now: table.watchers(step.number))


def sight(world: World) -> list[object]:
    """Everything that can be asked of a table, times counted from now."""
    table, now = world.table, world.now
    digest = view.table_hash(table)
    due = table.due
    seats = range(len(table.seats))
    return [
        digest,
        view.public_view(table, digest),
        [view.mine_at_the_join(table, seat) for seat in seats],
        [view.question(table, seat, now) for seat in seats],
        [view.wanted(table, seat, now) for seat in seats],
        None if due is None else due - now,
        table.wants_substitute(now),
        [table.is_owner(key) for key in (MAKER, *(who.key for who in EVERYBODY))],
        [table.holds(seat) for seat in seats],
        [table.seats.decides(who.key) for who in EVERYBODY],
    ]


STEPS: Final[dict[str, Callable[[Life, Step], None]]] = {
    name: getattr(Life, name)
    for name in (
        *("sit", "fill", "ready", "ready_all", "start", "invite", "substitute", "accept"),
        *("decline", "leave", "remove", "away", "all_away", "back", "all_back", "act", "several"),
        *("stand_in", "strand", "relieve", "refused", "answer_wrongly", "interrupt"),
        *("pass_round", "wrong", "repeat", "wait", "late", "tick", "say", "restart"),
    )
}
CHOICES: Final = (
    *STEPS,
    *("restart", "several", "act", "wait", "pass_round", "ready_all", "wrong", "refused") * 2,
    *("restart", "away", "back", "fill", "stand_in", "act", "wait", "back", "all_back") * 2,
)
"""The names of steps, and once more those without which little happens."""
