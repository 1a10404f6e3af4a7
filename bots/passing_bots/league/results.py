"""The results of a league: files that follow from its log alone, and hold no times.

The same games in the log, in whatever order they ended, give the same bytes.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from passing_bots.league.log import GameOver, InvalidLog, LeagueEvent, read_log
from passing_bots.league.plan import Pairing, records_name
from passing_bots.league.standings import Standings, standings
from passing_bots.league.telling import standings_text
from passing_protocol.records import join_texts

TEXT_FILE: Final = "standings.txt"
JSON_FILE: Final = "standings.json"


def derive(log: Path, results: Path) -> Standings:
    """Write all results of a log into a folder, each file whole or not at all.

    Raises InvalidLog, and OSError.
    """
    events = read_log(log)
    try:
        table = standings(events)
    except InvalidLog as error:
        raise InvalidLog(f"{log}: {error}.") from error
    for name, text in result_files(events, table).items():
        _put(results, name, text)
    return table


def result_files(events: Iterable[LeagueEvent], table: Standings) -> Mapping[str, str]:
    """Return the text of each file of the results, by its name in their folder."""
    return {
        **{records_name(pairing): text for pairing, text in _records(events).items()},
        JSON_FILE: standings_json(table),
        TEXT_FILE: standings_text(table),
    }


def standings_json(table: Standings) -> str:
    """Return the standings as JSON for programs, in lines that people can read too."""
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode() + "\n"


def _records(events: Iterable[LeagueEvent]) -> Mapping[Pairing, str]:
    """Return the records of each pairing, one file of text, in the order of its games."""
    games: dict[Pairing, list[GameOver]] = defaultdict(list)
    for event in events:
        if isinstance(event, GameOver):
            games[event.pairing].append(event)
    return {pairing: text for pairing in games if (text := _joined(games[pairing]))}


def _joined(games: Iterable[GameOver]) -> str:
    """Return the records of games as one file of records."""
    ordered = sorted(games, key=lambda game: (game.block, game.rotation))
    return join_texts(game.record for game in ordered if game.record is not None)


def _put(results: Path, name: str, text: str) -> None:
    """Put a text in place of a file at once, so that nobody ever reads half of it.

    What a kill leaves behind lies beside the results, which are compared byte for byte.
    """
    path = results / name
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = results.parent / f".{path.name}.{os.getpid()}"
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
