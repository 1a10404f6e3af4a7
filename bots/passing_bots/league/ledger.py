"""Count each engine's games and faults, and say when an engine is out of the league."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from passing_bots.league.log import EngineOut, GameOver
from passing_bots.league.settings import FaultPolicy

ENOUGH_GAMES: Final = 20
"""An engine's share of faulty games counts from this many games on."""

REPLAYS: Final = 2
"""How often in a league a game is played again because an engine's process vanished."""


@dataclass(slots=True)
class Account:
    """Hold what one engine has to its name."""

    games: int = 0
    faulty: int = 0
    in_a_row: int = 0
    replays: int = 0
    incidents: set[int] = field(default_factory=set[int])
    """What has led to the faults in a row."""
    out: str | None = None


class Ledger:
    """Keep an account for each engine; one that has too many faults is out."""

    def __init__(self, settings: FaultPolicy) -> None:
        """Start with empty accounts."""
        self._settings = settings
        self._accounts: dict[str, Account] = {}

    def _account(self, engine: str) -> Account:
        return self._accounts.setdefault(engine, Account())

    def is_out(self, engine: str) -> bool:
        """Tell whether an engine plays no more games."""
        return self._account(engine).out is not None

    def put_out(self, engine: str, reason: str) -> None:
        """Note that an engine is out, as a log tells it."""
        self._account(engine).out = reason

    def count(self, game: GameOver, incidents: Mapping[str, int | None]) -> list[EngineOut]:
        """Count a game for its engines, and return those that are out by it.

        `incidents` says of those that forfeited which incident it was. A game that was never
        dealt tells nothing of the engines that were there for it.
        """
        outs: list[EngineOut] = []
        for engine in game.pairing:
            if engine in game.forfeits:
                reason = self.failed(engine, incidents.get(engine))
                if reason is not None:
                    outs.append(EngineOut(engine, reason))
            elif game.record is not None:
                self.played(engine)
        return outs

    def played(self, engine: str) -> None:
        """Count a game that an engine ended without a fault."""
        account = self._account(engine)
        account.games += 1
        account.in_a_row = 0
        account.incidents.clear()

    def failed(self, engine: str, incident: int | None = None) -> str | None:
        """Count a game that an engine lost by a fault; return the reason if it is out by that.

        The games that one incident ends, the death of a process say, are one fault in a row.
        """
        account = self._account(engine)
        account.games += 1
        account.faulty += 1
        if incident is None:
            account.in_a_row += 1
        elif incident not in account.incidents:
            account.in_a_row += 1
            account.incidents.add(incident)
        if account.out is not None:
            return None
        account.out = self._too_many(account)
        return account.out

    def _too_many(self, account: Account) -> str | None:
        if account.in_a_row >= self._settings.in_a_row:
            return f"{account.in_a_row} faults in a row"
        share = account.faulty * 100 / account.games
        if account.games >= ENOUGH_GAMES and share >= self._settings.percent:
            return f"faults in {account.faulty} of {account.games} games"
        return None

    def may_replay(self, engine: str) -> bool:
        """Tell whether a game may be played again for an engine whose process vanished."""
        return self._account(engine).replays < REPLAYS

    def replayed(self, engine: str) -> None:
        """Count a game that is played again because an engine's process vanished."""
        self._account(engine).replays += 1
