"""Take over from a log where its league stands: what is played, and each engine's account."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from passing_bots.league.ledger import Ledger
from passing_bots.league.log import EngineOut, FaultNoted, GameOver, LeagueEvent
from passing_bots.league.plan import GameKey


@dataclass(slots=True)
class Recalled:
    """Hold the games that are over, how many incidents there were, and what the log lacks.

    A league that was killed may not have written any more that an engine was out.
    """

    finished: set[GameKey] = field(default_factory=set[GameKey])
    incidents: int = 0
    missing: list[EngineOut] = field(default_factory=list[EngineOut])


def recall(events: Iterable[LeagueEvent], ledger: Ledger) -> Recalled:
    """Count in a ledger what the events of a log tell, as it was counted when they happened."""
    recalled = Recalled()
    incidents: dict[GameKey, dict[str, int | None]] = defaultdict(dict)
    replayed: set[int | None] = set()
    missing: dict[str, EngineOut] = {}
    for event in events:
        match event:
            case FaultNoted(owner="worker", engine=str(engine)):
                if event.incident not in replayed:
                    ledger.replayed(engine)
                replayed.add(event.incident)
            case FaultNoted(owner="player", engine=str(engine)):
                incidents[event.game][engine] = event.incident
            case GameOver():
                recalled.finished.add(event.game)
                for out in ledger.count(event, incidents[event.game]):
                    missing[out.engine] = out
            case EngineOut():
                ledger.put_out(event.engine, event.reason)
                missing.pop(event.engine, None)
            case _:
                pass
        if isinstance(event, FaultNoted):
            recalled.incidents = max(recalled.incidents, event.incident or 0)
    recalled.missing = list(missing.values())
    return recalled
