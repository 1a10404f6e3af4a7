"""`passing record list`: the game records that the client has kept, the newest first."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags, effective_settings
from passing_link.exits import CommandFailed, ExitCode
from passing_link.fitting import fitted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator
    from pathlib import Path

    from passing_protocol.records import Record

HELP = mark("list the game records that were kept of your matches")
EXAMPLES = mark(
    """\
  passing record list           the newest first, each with its number for other commands
  passing record list --json    a JSON object a line
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the form, the folder and the language."""
    text = _("print a JSON object a line; seats and sides in it count from 0")
    parser.add_argument("--json", action="store_true", help=text)
    add_setting_flags(parser, "records_folder", "lang")


def run(arguments: Namespace) -> int:
    """Print a line for each record; one that cannot be read has its number and a line on stderr."""
    from passing_client.record_folder import folder_of, kept_files

    folder = folder_of(effective_settings(arguments).settings)
    files = kept_files(folder)
    if not files:
        text = _("No game records are kept in {folder} yet.")
        _note(text.format(folder=folder))
        return ExitCode.DONE
    found = list(_read(files))
    if arguments.json:
        for number, path, record in found:
            print(json.dumps(_as_json(number, path, record)))
    else:
        from passing_client.columns import columns

        heads = ("", _("date"), _("table"), _("seats"), _("rounds"), _("score"), _("file"))
        rows = [_row(number, path, record) for number, path, record in found]
        print(*columns(heads, rows), sep="\n")
    return ExitCode.DONE


def _read(files: list[Path]) -> Iterator[tuple[int, Path, Record]]:
    """Yield the first game of each file that can be read, with the number of the file."""
    from passing_client.record_files import read_file, sentence, shown
    from passing_protocol.records import InvalidRecord, decode, parse

    for number, path in enumerate(files, 1):
        try:
            records = parse(decode(read_file(str(path))))
        except InvalidRecord as error:
            told = sentence(path.name, error)
        except CommandFailed as error:
            told = shown(error.sentence)
        else:
            told = _("{name}: there is no game in it.").format(name=path.name)
            if records:
                yield number, path, records[0]
                continue
        _note(told)


def _note(sentence: str) -> None:
    sys.stderr.write(f"{fitted(f'passing: {sentence}', sys.stderr)}\n")


def _as_json(number: int, path: Path, record: Record) -> dict[str, object]:
    from passing_protocol.records import record_as_json

    outcome = record_as_json(record)["outcome"]
    return {
        "number": number,
        "date": record.date,
        "table": record.event,
        "match": record.match,
        "view": str(record.view),
        "seats": [seat.name for seat in record.seats],
        "rounds": len(record.rounds),
        "scores": _scores(record),
        "outcome": outcome,
        "file": str(path),
    }


def _scores(record: Record) -> list[int]:
    """Return what every side had at last."""
    last = record.rounds[-1] if record.rounds else None
    if last is None:
        return [0] * record.options.sides
    return list(last.scores_before if last.result is None else last.result.scores)


def _row(number: int, path: Path, record: Record) -> tuple[str, ...]:
    from passing_protocol.names import clean_name

    return (
        str(number),
        (record.date or "").replace(".", "-"),
        clean_name(record.event),
        ", ".join(clean_name(seat.name) for seat in record.seats),
        str(len(record.rounds)),
        " ".join(map(str, _scores(record))),
        path.name,
    )
