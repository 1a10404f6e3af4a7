"""The league as a client of its server, pure: news in, requests and events of the log out.

It makes a table for each game, invites the lanes that play there, follows what happens, and says
whose fault it is when a game does not go as it should.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Final

from passing_bots.league.game import Blame, Game, Stage
from passing_bots.league.ledger import Ledger
from passing_bots.league.log import (
    EngineOut,
    FaultKind,
    FaultNoted,
    FaultOwner,
    GameOver,
    LeagueEvent,
)
from passing_bots.league.plan import GameKey, block_key, games, seating
from passing_bots.league.referee import Missed, OutOfStep, Referee
from passing_bots.league.roster import Lane, Processes, Roster
from passing_bots.league.schedule import Schedule
from passing_bots.league.settings import LeagueSettings
from passing_bots.league.words import absence, death, forfeit
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Create,
    Error,
    Invite,
    Leave,
    Remove,
    Request,
    ServerMessage,
    Update,
    UpdateOf,
)
from passing_protocol.views import SeatState

RETRY_S: Final = 0.1
"""After how long a request that came too early is sent again."""

TRIES: Final = 3
"""How often one game is begun again for the server's or the network's sake."""

KILLED: Final = -9
"""The exit code of a process that was killed from outside, as when memory runs out."""

TOO_EARLY: Final = (ErrorCode.NO_SUCH_ENGINE, ErrorCode.RATE_LIMITED)


class LeagueBroken(Exception):
    """Raised when the league cannot go on, and no engine is to blame for it."""


class Organiser:
    """Play the games of a plan that are not done yet.

    `done` is what the log tells already. Times are in seconds of a clock that never goes back.
    """

    def __init__(
        self, settings: LeagueSettings, processes: Processes, done: Iterable[LeagueEvent] = ()
    ) -> None:
        """Begin where the log ends."""
        self._settings = settings
        self._ledger = Ledger(settings.faults)
        self._roster = Roster(settings.engines, processes)
        self._finished: set[GameKey] = set()
        for event in done:
            self._recall(event)
        self._schedule = Schedule(games(settings), self._is_off)
        self._games: dict[Game, None] = {}
        self._tables: dict[str, Game] = {}
        self._asked: dict[int, tuple[Game, Request]] = {}
        self._outbox: deque[tuple[Request, Game | None]] = deque()
        self._retries: list[tuple[float, Request, Game]] = []
        self._tries: Counter[GameKey] = Counter()
        self._events: list[LeagueEvent] = []
        self._may_fit = True

    def _recall(self, event: LeagueEvent) -> None:
        """Take over what the log tells."""
        match event:
            case GameOver():
                self._finished.add(event.game)
                for engine in dict.fromkeys(event.engines):
                    if engine in event.forfeits:
                        self._ledger.failed(engine)
                    else:
                        self._ledger.played(engine)
            case FaultNoted(owner="worker", engine=str(engine)):
                self._ledger.replayed(engine)
            case EngineOut():
                self._ledger.put_out(event.engine, event.reason)
            case _:
                pass

    def _is_off(self, key: GameKey) -> bool:
        return key in self._finished or any(map(self._ledger.is_out, key.pairing))

    # --- what the outside asks and brings

    @property
    def over(self) -> bool:
        """Tell whether nothing is played any more and nothing is left to play."""
        return not self._games and self._schedule.empty

    @property
    def playing(self) -> int:
        """Count the games that are being played."""
        return len(self._games)

    def take_events(self) -> list[LeagueEvent]:
        """Return what is to be logged since the last call."""
        events, self._events = self._events, []
        return events

    def send_all(self, send: Callable[[Request], int]) -> None:
        """Send all requests; `send` returns the id of each, and what it raises stops here."""
        while self._outbox:
            request, game = self._outbox[0]
            number = send(request)
            self._outbox.popleft()
            if game is not None:
                self._asked[number] = (game, request)

    def tick(self, now: float) -> None:
        """Begin as many games as fit, and do what is due."""
        due = [retry for retry in self._retries if retry[0] <= now]
        self._retries = [retry for retry in self._retries if retry[0] > now]
        self._outbox.extend((request, game) for _, request, game in due if game in self._games)
        for game in list(self._games):
            late = now - game.began > self._settings.faults.connect_s
            if late and game.stage is Stage.SEATING:
                self._not_seated(game)
        while self._may_fit and len(self._games) < self._settings.tables:
            key = self._schedule.next(self._fits)
            if key is None:
                self._may_fit = False  # until a lane is free again
            else:
                self._begin(key, now)

    def receive(self, message: ServerMessage | LinkNews, now: float) -> None:
        """Take in a message or news of the link. Raises LeagueBroken."""
        match message:
            case UpdateOf():
                made = self._asked.pop(message.re, None) if message.re is not None else None
                if made is not None:
                    self._made(made[0], message.table)
                game = self._tables.get(message.table)
                if game is not None:
                    self._news(game, message)
            case Error():
                self._refused(message, now)
            case LinkNews(kind=NewsKind.NEW_SESSION):
                self._asked.clear()
                for game in list(self._games):
                    self._void(game, "server", "the server lost the league's session")
            case _:
                self._asked.pop(getattr(message, "re", None) or 0, None)

    # --- a game begins

    def _lanes(self, key: GameKey) -> list[Lane]:
        return [Lane(engine, seat) for seat, engine in enumerate(seating(self._settings, key))]

    def _fits(self, key: GameKey) -> bool:
        return self._roster.fits(self._lanes(key))

    def _begin(self, key: GameKey, now: float) -> None:
        settings = self._settings
        given = block_key(settings, key.pairing, key.block)
        engines = seating(settings, key)
        game = Game(key, engines, Referee(settings.options, bytes.fromhex(given)), now)
        self._games[game] = None
        for lane in game.lanes:
            self._roster.enter(lane, now)
        create = Create(
            0, settings.name, settings.game_options, settings.table_options, sit=False, given=given
        )
        self._outbox.append((create, game))

    def _made(self, game: Game, table: str) -> None:
        if game not in self._games:  # it was given up meanwhile
            self._outbox.append((Leave(0, table), None))
            return
        game.table = table
        game.stage = Stage.SEATING
        self._tables[table] = game
        for lane in game.lanes:
            invite = Invite(0, table, self._roster.name(lane), lane.seat)
            self._outbox.append((invite, game))

    def _refused(self, error: Error, now: float) -> None:
        """Try again what came too early; nothing else may be refused while a game is on."""
        game, request = self._asked.pop(error.re or 0, (None, None))
        if game is None or request is None or game not in self._games:
            return
        if error.code in TOO_EARLY:
            self._retries.append((now + RETRY_S, request, game))
        elif game.stage in (Stage.MAKING, Stage.SEATING):
            raise LeagueBroken(f"The server refused {type(request).__name__}: {error.detail}")

    # --- news of a game

    def _news(self, game: Game, update: Update) -> None:
        referee = game.referee
        before = list(referee.seats)
        try:
            referee.follow(update)
        except Missed as error:
            self._void(game, "network", str(error))
            return
        except OutOfStep as error:
            self._void(game, "server", str(error))
            return
        for lane in game.lanes:
            self._seat_news(game, lane, before[lane.seat], referee.seats[lane.seat])
        for seat, why in referee.forfeits.items():
            self._blame(game, game.lanes[seat], forfeit(why), why)
        if referee.dealt and game.stage is Stage.SEATING:
            game.stage = Stage.PLAYING
        if referee.ended is not None:
            self._finish(game)
        elif referee.paused:
            self._all_gone(game)
        elif game.stage is Stage.SEATING and game.blamed:
            self._give_up(game)

    def _seat_news(self, game: Game, lane: Lane, before: SeatState, after: SeatState) -> None:
        if before is after:
            return
        if after is SeatState.TAKEN:
            self._roster.seated(lane)
            self._may_fit = True
        elif after is SeatState.EMPTY and game.stage is Stage.SEATING:
            self._blame(game, lane, FaultKind.NOT_CONNECTED, "did not accept the invitation")

    def _blame(self, game: Game, lane: Lane, kind: FaultKind, what: str) -> None:
        if lane.seat not in game.blamed:
            said = self._roster.said(lane, game.table)
            game.blame(lane.seat, Blame(kind, f"{what}; it said: {said}" if said else what))

    def _all_gone(self, game: Game) -> None:
        """End a game that waits for engines of which none is there any more."""
        for lane in game.lanes:
            self._blame(game, lane, FaultKind.AWAY, "was not heard any more")
            self._remove(game, lane.seat)

    def _not_seated(self, game: Game) -> None:
        """Blame the engines that have not sat down in time."""
        for seat in game.missing:
            lane = game.lanes[seat]
            what = absence(self._roster.state(lane).ready, self._settings.faults.connect_s)
            self._blame(game, lane, FaultKind.NOT_CONNECTED, what)
            if not self._roster.state(lane).ready:
                self._roster.stop(lane)
        self._give_up(game)

    # --- the end of a lane

    def lane_ended(self, lane: Lane, code: int) -> None:
        """Note that a lane's process has ended: its games are lost, or played again."""
        state = self._roster.state(lane)
        incident = (lane, state.starts)
        said = self._roster.said(lane, None)
        self._roster.ended(lane)
        vanished = code == KILLED and self._ledger.may_replay(lane.engine)
        if vanished:
            self._ledger.replayed(lane.engine)
        for game in [game for game in self._games if lane in game.lanes]:
            if vanished and not game.blamed:
                self._void(game, "worker", death(code, said), lane.engine)
            else:
                game.blame(lane.seat, Blame(FaultKind.CRASHED, death(code, said), incident))
                if game.stage is Stage.PLAYING:
                    self._remove(game, lane.seat)
                else:
                    self._give_up(game)

    # --- a game ends

    def _remove(self, game: Game, seat: int) -> None:
        if game.table is not None:
            self._outbox.append((Remove(0, game.table, seat), None))

    def _give_up(self, game: Game) -> None:
        """End a game that was never dealt."""
        self._clear_table(game)
        self._finish(game)

    def _clear_table(self, game: Game) -> None:
        """Send everybody away from a table."""
        for seat, state in enumerate(game.referee.seats):
            if state is not SeatState.EMPTY:
                self._remove(game, seat)
        if game.table is not None:
            self._outbox.append((Leave(0, game.table), None))

    def _void(
        self, game: Game, owner: FaultOwner, evidence: str, engine: str | None = None
    ) -> None:
        """Break a game off that is to be played again. Raises LeagueBroken the third time."""
        kind = FaultKind.KILLED if engine is not None else FaultKind.BROKEN_OFF
        self._note(game, owner, engine, kind, evidence, replay=True)
        self._clear_table(game)
        self._close(game)
        if owner != "worker":
            self._tries[game.key] += 1
        if self._tries[game.key] >= TRIES:
            raise LeagueBroken(f"Game {game.key} failed {TRIES} times; the last time: {evidence}.")
        self._schedule.again(game.key)

    def _finish(self, game: Game) -> None:
        for seat, blame in sorted(game.blamed.items()):
            engine = game.engines[seat]
            self._note(game, "player", engine, blame.kind, blame.evidence, replay=False)
        self._events.append(game.result(self._settings.name))
        self._finished.add(game.key)
        incidents = {game.engines[seat]: blame.incident for seat, blame in game.blamed.items()}
        for engine in dict.fromkeys(game.engines):
            if engine not in incidents:
                self._ledger.played(engine)
                continue
            reason = self._ledger.failed(engine, incidents[engine])
            if reason is not None:
                self._events.append(EngineOut(engine=engine, reason=reason))
                self._schedule.purge()
        self._close(game)

    def _close(self, game: Game) -> None:
        """Forget a game; who is out and plays nowhere any more is stopped."""
        game.stage = Stage.OVER
        self._may_fit = True
        del self._games[game]
        if game.table is not None:
            self._tables.pop(game.table, None)
        for lane in game.lanes:
            self._roster.leave(lane)
        for engine in filter(self._ledger.is_out, game.key.pairing):
            for lane in self._roster.idle_lanes(engine):
                self._roster.stop(lane)

    def _note(
        self,
        game: Game,
        owner: FaultOwner,
        engine: str | None,
        kind: FaultKind,
        evidence: str,
        *,
        replay: bool,
    ) -> None:
        key = game.key
        self._events.append(
            FaultNoted(
                engine=engine,
                owner=owner,
                kind=kind,
                evidence=evidence,
                pairing=key.pairing,
                block=key.block,
                rotation=key.rotation,
                replay=replay,
            )
        )
