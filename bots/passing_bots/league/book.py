"""The events of a league's log, checked against its settings and put in their places."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from passing_bots.league.log import (
    EngineOut,
    FaultNoted,
    GameOver,
    InvalidLog,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
)
from passing_bots.league.plan import GameKey, Pairing, games, pairings, seating
from passing_bots.league.settings import LeagueSettings


@dataclass(slots=True)
class Book:
    """Hold the events of one league, each in its place; `places` are those of the pairings."""

    began: LeagueBegan
    places: Mapping[Pairing, int]
    games: dict[GameKey, GameOver] = field(default_factory=dict[GameKey, GameOver])
    noted: list[FaultNoted] = field(default_factory=list[FaultNoted])
    """All faults that the log tells of, also those that do not count."""
    out: dict[str, str] = field(default_factory=dict[str, str])
    over: bool = False

    @classmethod
    def of(cls, events: Iterable[LeagueEvent]) -> Self:
        """Sort events; raises InvalidLog."""
        everything = tuple(events)
        beginnings = [event for event in everything if isinstance(event, LeagueBegan)]
        if len(beginnings) != 1:
            raise InvalidLog(f"a league begins once, and this one began {len(beginnings)} times")
        settings = beginnings[0].league
        places = {pairing: place for place, pairing in enumerate(pairings(settings))}
        book = cls(beginnings[0], places)
        for event in everything:
            book._enter(event)
        if book.over:
            book._verify_whole()
        return book

    @property
    def settings(self) -> LeagueSettings:
        """Return the settings that the league began with."""
        return self.began.league

    @property
    def names(self) -> list[str]:
        """Return the names of the engines, in the order of the settings."""
        return [engine.name for engine in self.settings.engines]

    @property
    def faults(self) -> list[FaultNoted]:
        """Return the faults that count: an engine's own once a game, if it has lost that by them.

        A league that was killed may have noted a fault and not the end of its game, which was
        played again when the league went on.
        """
        own: dict[tuple[GameKey, str | None], FaultNoted] = {}
        for fault in self.noted:
            game = self.games.get(fault.game)
            lost = game is None or fault.engine in game.forfeits
            if fault.owner == "player" and lost:
                place = fault.game, fault.engine
                own[place] = min(own.get(place, fault), fault, key=_kind_and_evidence)
        return [*own.values(), *(fault for fault in self.noted if fault.owner != "player")]

    def whole_blocks(self) -> Iterator[tuple[GameOver, ...]]:
        """Yield the games of each block that was played in all rotations."""
        blocks: dict[tuple[Pairing, int], list[GameOver]] = defaultdict(list)
        for key, game in self.games.items():
            blocks[key.pairing, key.block].append(game)
        for block in blocks.values():
            if len(block) == self.settings.sides:
                yield tuple(block)

    def order(self, game: GameKey) -> tuple[int, int, int]:
        """Return where a game stands in the plan."""
        return game.block, self.places[game.pairing], game.rotation

    def _enter(self, event: LeagueEvent) -> None:
        match event:
            case GameOver():
                self._verify_game(event)
                self.games[event.game] = event
            case FaultNoted():
                self._verify_planned(event.game)
                self._verify_engines([event.engine] if event.engine else [], event.pairing)
                self.noted.append(event)
            case EngineOut():
                self._verify_engines([event.engine], self.names)
                if event.engine in self.out:
                    raise InvalidLog(f"engine {event.engine} is out twice")
                self.out[event.engine] = event.reason
            case LeagueBegan() | LeagueOver():
                self.over |= isinstance(event, LeagueOver)

    def _verify_whole(self) -> None:
        """Refuse a league that is over and lacks a game of engines that all played on."""
        for key in games(self.settings):
            if key not in self.games and not self.out.keys() & set(key.pairing):
                raise InvalidLog(f"game {key} is missing, although the league is over")

    def _verify_game(self, event: GameOver) -> None:
        """Refuse a game that was counted before, or is none of the plan; raises InvalidLog."""
        self._verify_planned(event.game)
        self._verify_engines(event.forfeits, event.pairing)
        if event.game in self.games:
            raise InvalidLog(f"game {event.game} ended twice")
        if event.engines != seating(self.settings, event.game):
            raise InvalidLog(f"game {event.game}: other engines sat there than the plan says")
        if len(event.points) != self.settings.sides:
            raise InvalidLog(f"game {event.game}: points are needed for each side, and no more")

    def _verify_planned(self, game: GameKey) -> None:
        if (
            game.pairing not in self.places
            or game.block > self.settings.blocks
            or game.rotation >= self.settings.sides
        ):
            raise InvalidLog(f"game {game} is not in the plan of the league")

    @staticmethod
    def _verify_engines(names: Sequence[str], known: Sequence[str]) -> None:
        for name in names:
            if name not in known:
                raise InvalidLog(f"engine {name} is told of where it is not: {', '.join(known)}")


def _kind_and_evidence(fault: FaultNoted) -> tuple[str, str]:
    return fault.kind, fault.evidence
