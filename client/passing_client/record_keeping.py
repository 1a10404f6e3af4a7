"""Keep the game records of the matches that a person plays or watches, a file for each."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from passing_client.language import _
from passing_client.match_story import MatchStory
from passing_client.record_folder import (
    file_name,
    folder_of,
    remove_oldest,
    write_again,
    write_new,
)
from passing_client.settings import Settings
from passing_protocol.names import clean_chat
from passing_protocol.records import Record, write


class RecordKeeper:
    """Keep a match in a file that is written whole after each round, and never half."""

    def __init__(self, folder: Path, keep: int, now: Callable[[], datetime] = datetime.now) -> None:
        """Begin without a file; of those in the folder the newest `keep` stay."""
        self._folder = folder
        self._keep = keep
        self._now = now
        self._match = ("", 0)
        self._begun = now()
        self._path: Path | None = None
        self._has_failed = False

    def keep(self, story: MatchStory) -> str | None:
        """Write what is known of the match; return what there is to say, once, if that fails."""
        record = story.record()
        if record is None:
            return None
        try:
            self._write(record, story.matches)
        except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
            if self._has_failed:
                return None
            self._has_failed = True
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            text = _("Game records cannot be kept in {folder}: {reason}. The game goes on.")
            return clean_chat(text.format(folder=self._folder, reason=reason))
        return None

    def _write(self, record: Record, number: int) -> None:
        """Write a record to its file, which a match gets with its first round; raises OSError.

        `number` tells matches apart that have the same name, as those of a server may that has
        forgotten everything.
        """
        match = (record.match or "", number)
        if match != self._match:
            self._match, self._begun, self._path = match, self._now(), None
        text = write([replace(record, date=f"{self._begun:%Y.%m.%d}")])
        if self._path is None:
            name = file_name(self._begun, record.event, match[0])
            self._path = write_new(self._folder, name, text)
            remove_oldest(self._folder, self._keep)
        else:
            write_again(self._path, text)


def keeper_of(settings: Settings) -> RecordKeeper | None:
    """Return who keeps records as the settings have it, None where none are to be kept."""
    return RecordKeeper(folder_of(settings), settings.keep_records) if settings.records else None
