"""The core of engines at a desk: it is sent what a server would send, and what it does is kept."""

from collections.abc import Sequence

from msgspec.structs import replace

from passing_bots import Action, Draw, Engine, EngineSession, MatchStart, RoundStart, TurnView
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event, RoundEnded
from passing_protocol.messages import Error, Invited, Request, Update
from passing_protocol.verdicts import Verdict
from passing_protocol.views import Ask, Mine
from passing_rules import Options, Round
from tests.support.arena import deal_of, view_of

OPTIONS = Options.of(2, pass_circles=2)


class Recorder(Engine):
    """Note all that is told, and draw."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.views: list[TurnView] = []

    def begin_match(self, match: MatchStart) -> None:
        self.told.append(match)

    def begin_round(self, round_: RoundStart) -> None:
        self.told.append(round_)

    def end_round(self, result: RoundEnded) -> None:
        self.told.append(result)

    def judge_deal(self, verdict: Verdict) -> None:
        self.told.append(verdict)

    def choose(self, view: TurnView) -> Action:
        self.views.append(view)
        return Draw()


class EngineDesk:
    """Hold a session and send it what a server would; `last` is the last update sent."""

    last: Update

    def __init__(
        self, make: type[Engine] = Recorder, tables: int = 2, *, strict: bool = False
    ) -> None:
        self.engines: list[Engine] = []
        self.reports: list[str] = []
        self.seq = 0

        def new() -> Engine:
            self.engines.append(make())
            return self.engines[-1]

        self.session = EngineSession(new, tables, self.reports.append, strict=strict)

    @property
    def recorder(self) -> Recorder:
        (engine,) = self.engines
        assert isinstance(engine, Recorder)
        return engine

    def invite(self, table: str = "t1", seat: int = 0) -> list[Request]:
        self.seq += 1
        return self.session.receive(Invited(self.seq, table, seat, 10_000))

    def update(
        self,
        events: Sequence[Event] = (),
        *,
        table: str = "t1",
        turn: int | None = None,
        view: bool = False,
        round_: int = 1,
        bot_seed: str | None = "5" * 32,
        rev: int = 1,
        duplicate: bool = False,
    ) -> list[Request]:
        """Send an update: with the views on request, and a question when there is a turn."""
        self.seq += 1
        shown = view_of(Round(deal_of(1, OPTIONS), 0, 2), OPTIONS, [], "")
        public = replace(shown.public, round=round_, turn=turn or 0)
        wanted = view or turn is not None
        hand = shown.mine.hand if round_ else []
        self.last = Update(
            self.seq,
            table,
            rev,
            list(events),
            duplicate=duplicate,
            public=public if wanted else None,
            mine=Mine(shown.seat, hand, bot_seed=bot_seed) if wanted else None,
            ask=Ask(turn, shown.ask.legal) if turn is not None else None,
        )
        return self.session.receive(self.last)

    def seat(self, table: str = "t1") -> None:
        self.invite(table)
        assert self.update(table=table, view=True, round_=0) == []

    def error(
        self, code: ErrorCode, turn: int | None = None, table: str | None = "t1"
    ) -> list[Request]:
        self.seq += 1
        return self.session.receive(
            Error(self.seq, code, f"Because {code}.", False, re=1, table=table, turn=turn)
        )
