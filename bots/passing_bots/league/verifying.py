"""Verify a league from its seed on: every deal, every action, every file of its results."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from pathlib import Path

from passing_bots.league.book import Book
from passing_bots.league.log import GameOver, InvalidLog, LeagueEvent, read_log
from passing_bots.league.plan import GameKey, block_key
from passing_bots.league.recording import record_of_game
from passing_bots.league.referee import FIRST_MATCH
from passing_bots.league.results import result_files
from passing_bots.league.settings import LeagueSettings
from passing_bots.league.standings import standings
from passing_protocol.deals import deal_and_leader
from passing_protocol.records import (
    ChangeKind,
    InvalidRecord,
    Record,
    departure,
    verify_records,
)
from passing_rules import Match


class InvalidResults(ValueError):
    """Raised when a file of the results is not what follows from the log; names it."""


def verify_log(log: Path, look: Callable[[int, int], None]) -> Sequence[LeagueEvent]:
    """Play all games of a log again, with the deals that follow from its seed; return its events.

    `look` is called after each game with how many are done, and of how many. Raises InvalidLog,
    which names the first line that is wrong, and OSError.
    """
    events = read_log(log)
    try:
        book = Book.of(events)
    except InvalidLog as error:
        raise InvalidLog(f"{log}: {error}.") from error
    accused = _accused(book)
    done = 0
    for number, event in enumerate(events, start=1):
        if isinstance(event, GameOver):
            try:
                _verify_game(book.settings, event, accused.get(event.game, ()))
            except InvalidLog as error:
                raise InvalidLog(f"{log}, line {number}: game {event.game}: {error}.") from error
            done += 1
            look(done, len(book.games))
    return events


def _accused(book: Book) -> Mapping[GameKey, Collection[str | None]]:
    """Return the engines that are told to have done something wrong, by game."""
    accused: dict[GameKey, set[str | None]] = defaultdict(set)
    for fault in book.noted:
        if fault.owner == "player":
            accused[fault.game].add(fault.engine)
    return accused


def _verify_game(
    settings: LeagueSettings, event: GameOver, accused: Collection[str | None]
) -> None:
    """Refuse a game that cannot have ended as the log tells; raises InvalidLog."""
    blameless = [name for name in event.forfeits if name not in accused]
    if blameless:
        raise InvalidLog(f"{blameless[0]} forfeited it, and no line tells of its fault")
    if event.record is not None:
        _verify_record(settings, event, event.record)
    elif not event.forfeits or any(event.points):
        raise InvalidLog("it has no record, which is so only where a forfeit came before the deal")


def _verify_record(settings: LeagueSettings, event: GameOver, text: str) -> None:
    """Play a game's record again, and compare it with the plan and with what the log tells."""
    record = _the_one_record(text)
    match = _played_again(settings, event, record)
    changes = {played.number: played.changes for played in record.rounds}
    outcome = None if match.over else record.outcome
    written = record_of_game(event.game, match, settings.name, event.engines, changes, outcome)
    place = departure(text, [written])
    if place is not None:
        raise InvalidLog(f"its record, {place}: the league has written something else")
    if record.outcome is None:
        raise InvalidLog("its record has no end")
    if event.points != match.scores:
        told, played = list(event.points), list(match.scores)
        raise InvalidLog(f"its points are {told}, and by its record {played}")
    lost = {
        event.engines[change.seat]
        for change in chain.from_iterable(changes.values())
        if change.kind is ChangeKind.FORFEIT
    }
    # Who dies when a game is ending already has lost it too, without a word in the record.
    if not lost <= set(event.forfeits) or (match.over and lost != set(event.forfeits)):
        names = [", ".join(sorted(each)) or "nobody" for each in (event.forfeits, lost)]
        raise InvalidLog(f"it was forfeited by {names[0]}, and by its record by {names[1]}")


def _the_one_record(text: str) -> Record:
    try:
        records = verify_records(text)
    except InvalidRecord as error:
        raise InvalidLog(f"its record, {error}") from error
    if len(records) != 1:
        raise InvalidLog(f"it has {len(records)} records")
    return records[0]


def _played_again(settings: LeagueSettings, event: GameOver, record: Record) -> Match:
    """Return the match of a record, with the deals that follow from the seed of the league."""
    match = Match(settings.options)
    key = bytes.fromhex(block_key(settings, event.pairing, event.block))
    for played in record.rounds:
        number = match.round_number + 1
        deal, drawn = deal_and_leader(key, FIRST_MATCH, number, settings.options.seats)
        if (played.hands, played.boneyard) != (deal.hands, deal.boneyard):
            raise InvalidLog(f"the deal of its round {number} is not that of the league's seed")
        try:
            match.begin_round(deal, drawn if match.chance_leads else None)
            for done in played.actions:
                match.do(done.seat, done.action, done.timed_out)
        except ValueError as error:  # what the rules raise
            raise InvalidLog(f"its round {number}: {error}") from error
    return match


def verify_results(results: Path, events: Sequence[LeagueEvent]) -> None:
    """Compare all files of the results with what the log gives, byte for byte.

    Raises InvalidResults with the first file and line that is wrong, and OSError.
    """
    known = result_files(events, standings(events))
    for name, text in known.items():
        path = results / name
        if not path.is_file():
            raise InvalidResults(f"{path}: is missing")
        found, wanted = path.read_bytes(), text.encode()
        if found != wanted:
            line = _first_difference(found, wanted)
            raise InvalidResults(f"{path}, line {line}: is not what follows from the log")
    for path in sorted(results.rglob("*")):
        if not path.is_dir() and path.relative_to(results).as_posix() not in known:
            raise InvalidResults(f"{path}: is none of the results")


def _first_difference(found: bytes, wanted: bytes) -> int:
    """Return the number of the first line that differs."""
    pairs = enumerate(zip(found, wanted, strict=False))
    shorter = min(len(found), len(wanted))
    at = next((place for place, (one, other) in pairs if one != other), shorter)
    return wanted.count(b"\n", 0, at) + 1
