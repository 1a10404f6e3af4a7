"""The league as a client of its server, pure: news in, requests and events of the log out.

It makes a table for each game, invites the lanes that play there, follows what happens, and says
whose fault it is when a game does not go as it should.
"""

import signal
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from passing_bots.league.game import Blame, Game, Stage
from passing_bots.league.ledger import Ledger
from passing_bots.league.log import FaultKind, LeagueEvent
from passing_bots.league.outbox import Outbox, Sent
from passing_bots.league.plan import GameKey, block_key, games, seating
from passing_bots.league.recalling import recall
from passing_bots.league.referee import Missed, OutOfStep, Referee
from passing_bots.league.roster import Lane, Processes, Roster
from passing_bots.league.schedule import Schedule
from passing_bots.league.settings import LeagueSettings
from passing_bots.league.words import FORFEITS, absence, confessed, death
from passing_link.news import Item, LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import FaultOwner
from passing_protocol.messages import (
    Create,
    Error,
    Invite,
    Leave,
    Numbered,
    Ok,
    Ping,
    Pong,
    Remove,
    Request,
    Update,
    UpdateOf,
)
from passing_protocol.views import SeatState

RETRY_S: Final = 0.1
"""After how long a request that came too early is sent again."""

PROMPT_S: Final = 1.0
"""A server that takes longer than this to answer stood still."""

TRIES: Final = 3
"""How often one game is begun again for the server's or the network's sake."""

KILLED: Final = -signal.SIGKILL
"""The exit code of a process that was killed from outside, as when memory runs out."""


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
        told = recall(done, self._ledger)
        self._finished = told.finished
        self._incidents = told.incidents
        self._schedule = Schedule(games(settings), self._is_off)
        self._games: dict[Game, None] = {}
        self._tables: dict[str, Game] = {}
        self._outbox = Outbox()
        self._tries: Counter[GameKey] = Counter()
        self._events: list[LeagueEvent] = list(told.missing)
        self._seq = 0
        self._may_fit = True

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
        self._outbox.send_all(send)

    def tick(self, now: float) -> None:
        """Begin as many games as fit, and do what is due."""
        self._outbox.tick(now, lambda sent: sent.game is None or sent.game in self._games)
        for game in list(self._games):
            late = now - game.began > self._settings.faults.connect_s
            if late and game.stage is Stage.SEATING and game.asked_at is None:
                game.asked_at = now
                self._outbox.put(Ping(0), game)
        while self._may_fit and len(self._games) < self._settings.tables:
            key = self._schedule.next(self._fits)
            if key is None:
                self._may_fit = False  # until a lane is free again
            else:
                self._begin(key, now)

    def receive(self, message: Item, now: float) -> None:
        """Take in a message or news of the link. Raises LeagueBroken."""
        self._verify_whole(message)
        match message:
            case UpdateOf():
                made = self._outbox.answered(message.re)
                if made is not None and made.game is not None:
                    self._made(made.game, message.table)
                game = self._tables.get(message.table)
                if game is not None:
                    self._news(game, message)
            case Error():
                self._refused(message, now)
            case LinkNews():
                self._link_news(message.kind, now)
            case Pong():
                sent = self._outbox.answered(message.re)
                if sent is not None and sent.game in self._games:
                    self._late(sent.game, now)
            case Ok():
                self._outbox.answered(message.re)
            case _:
                pass

    def _link_news(self, kind: NewsKind, now: float) -> None:
        if kind is NewsKind.NEW_SESSION:
            self._outbox.forget_asked()
            self._void_all("server", "the server lost the league's session")
        elif kind is NewsKind.RESTARTED:
            self._void_all("server", "the server was started again")
        elif kind is NewsKind.BACK:
            for game in self._games:
                game.wait_anew(now)

    def _verify_whole(self, message: Item) -> None:
        """Break all games off where messages are missing: a table that is closed says no more."""
        if isinstance(message, LinkNews):
            anew = message.kind in (NewsKind.NEW_SESSION, NewsKind.RESTARTED)
            self._seq = 0 if anew else self._seq
        elif isinstance(message, Numbered):
            missed = self._seq and message.seq > self._seq + 1
            self._seq = max(self._seq, message.seq)
            if missed:
                self._void_all("network", "news of its table did not arrive")

    def _void_all(self, owner: FaultOwner, evidence: str) -> None:
        for game in list(self._games):
            self._void(game, owner, evidence)

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
            self._roster.enter(lane)
        create = Create(
            0, settings.name, settings.game_options, settings.table_options, sit=False, given=given
        )
        self._outbox.put(create, game)

    def _made(self, game: Game, table: str) -> None:
        if game not in self._games:  # it was given up meanwhile
            self._outbox.put(Leave(0, table))
            return
        game.table = table
        game.stage = Stage.SEATING
        self._tables[table] = game
        for lane in game.lanes:
            invite = Invite(0, table, self._roster.name(lane), lane.seat)
            self._outbox.put(invite, game)

    def _refused(self, error: Error, now: float) -> None:
        """Try again what came too early; nothing else may be refused that a game waits for."""
        sent = self._outbox.answered(error.re)
        if sent is None:
            return
        if error.code is ErrorCode.RATE_LIMITED or self._is_early(error, sent):
            self._outbox.put_later(sent, now + RETRY_S)
        elif sent.game in self._games:
            name = type(sent.request).__name__
            raise LeagueBroken(f"The server refused {name}: {error.detail}")

    def _is_early(self, error: Error, sent: Sent) -> bool:
        """Tell whether an engine was invited that is not in the lobby yet."""
        return error.code is ErrorCode.NO_SUCH_ENGINE and sent.game in self._games

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
            self._blame(game, game.lanes[seat], FORFEITS[why.kind], why.evidence)
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
        if after in (SeatState.INVITED, SeatState.TAKEN):
            self._roster.connected(lane)
            self._may_fit = True
        elif after is SeatState.EMPTY and game.stage is Stage.SEATING:
            invited = before is SeatState.INVITED
            if invited:
                what = "did not accept the invitation"
                self._blame(game, lane, FaultKind.NOT_CONNECTED, what)
            else:
                self._blame(game, lane, FaultKind.LEFT, "left before the game began")

    def _blame(self, game: Game, lane: Lane, kind: FaultKind, what: str) -> None:
        """Blame an engine for what was seen of it, or for the death that was the cause."""
        if lane.seat not in game.blamed:
            said = self._roster.said(lane, game.table)
            seen = Blame(confessed(kind, said), f"{what}; it said: {said}" if said else what)
            game.blame(lane.seat, game.deaths.get(lane.seat, seen))

    def _all_gone(self, game: Game) -> None:
        """End a game that waits for engines of which none is there any more."""
        for lane in game.lanes:
            self._blame(game, lane, FaultKind.AWAY, "was not heard any more")
            self._remove(game, lane.seat)

    def _late(self, game: Game, now: float) -> None:
        """Blame the engines that have not sat down, unless the server could not seat them.

        It has just answered. If that took long, it stood still, and the engines get new time.
        """
        slow = game.asked_at is None or now - game.asked_at > PROMPT_S
        if slow:
            game.wait_anew(now)
        elif game.stage is Stage.SEATING:
            self._not_seated(game)

    def _not_seated(self, game: Game) -> None:
        """Blame the engines that do not sit there in time."""
        if not game.missing:
            self._void(game, "server", "all had sat down, and the game did not begin")
            return
        for seat in game.missing:
            lane = game.lanes[seat]
            state = self._roster.state(lane)
            what = absence(state.ready, self._settings.faults.connect_s)
            self._blame(game, lane, FaultKind.NOT_CONNECTED, what)
            if not state.ready or state.games == 1:  # it may be better when it is started again
                self._roster.stop(lane)
        self._give_up(game)

    # --- the end of a lane

    def lane_ended(self, lane: Lane, code: int) -> None:
        """Note that a lane's process has ended: its games are lost, or played again."""
        evidence = death(code, self._roster.said(lane, None))
        self._roster.ended(lane)
        self._may_fit = True
        hit = [game for game in self._games if lane in game.lanes]
        if not hit:
            return
        self._incidents += 1
        vanished = code == KILLED and self._ledger.may_replay(lane.engine)
        if vanished:
            self._ledger.replayed(lane.engine)
        for game in hit:
            if vanished:
                self._void(game, "worker", evidence, lane.engine)
            else:
                self._died(game, lane.seat, Blame(FaultKind.CRASHED, evidence, self._incidents))

    def _died(self, game: Game, seat: int, blame: Blame) -> None:
        """Take a seat out of a game; it may be over, and the news of that on its way."""
        game.deaths.setdefault(seat, blame)
        if game.stage is Stage.PLAYING:
            self._remove(game, seat)
        else:
            self._give_up(game)

    # --- a game ends

    def _remove(self, game: Game, seat: int) -> None:
        if game.table is not None:
            self._outbox.put(Remove(0, game.table, seat))

    def _give_up(self, game: Game) -> None:
        """End a game that was never dealt."""
        self._clear_table(game)
        self._finish(game)

    def _clear_table(self, game: Game) -> None:
        """Send everybody away from a table; who sits there now is not known for certain."""
        if game.table is not None:
            for lane in game.lanes:
                self._remove(game, lane.seat)
            self._outbox.put(Leave(0, game.table))

    def _void(
        self, game: Game, owner: FaultOwner, evidence: str, engine: str | None = None
    ) -> None:
        """Break a game off that is to be played again. Raises LeagueBroken the third time."""
        blame = Blame(FaultKind.BROKEN_OFF, evidence)
        if engine is not None:
            blame = Blame(FaultKind.KILLED, evidence, self._incidents)
        self._events.append(game.fault(owner, engine, blame, replay=True))
        self._clear_table(game)
        self._close(game)
        if owner != "worker":
            self._tries[game.key] += 1
        if self._tries[game.key] >= TRIES:
            raise LeagueBroken(f"Game {game.key} failed {TRIES} times; the last time: {evidence}.")
        self._schedule.again(game.key)

    def _finish(self, game: Game) -> None:
        game.settle()
        lost = game.lost
        for engine, blame in lost.items():
            self._events.append(game.fault("player", engine, blame, replay=False))
        over = game.result(self._settings.name)
        self._finished.add(game.key)
        outs = self._ledger.count(over, {engine: blame.incident for engine, blame in lost.items()})
        self._events += [over, *outs]
        if outs:
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
