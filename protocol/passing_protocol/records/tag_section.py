"""Read the tags of a game: who plays, by what options, and for whom it is written."""

import re
from dataclasses import dataclass
from typing import Final

from passing_protocol.records.proof_section import PROOF
from passing_protocol.records.reader import InvalidRecord, Reader, invalid
from passing_protocol.records.record import (
    DATE,
    DATE_FORM,
    FULL,
    KNOWN_TAG,
    PUBLIC,
    SEAT_TAG,
    TAG_NAME,
    SeatTag,
    View,
)
from passing_protocol.records.text import FORM_VERSION, GAME
from passing_protocol.views import DealKind
from passing_rules import Lead, Options, PartnerScoring


def _one_of(*words: str) -> tuple[re.Pattern[str], str]:
    return re.compile("|".join(map(re.escape, words))), " or ".join(words)


_ANY: Final = re.compile(".*"), "any text"
_PARTNER_SEATS: Final = 4
_COUNT: Final = "[1-9][0-9]{0,3}"

_REQUIRED: Final = {
    "Game": _one_of(GAME),
    "Record": _one_of(FORM_VERSION),
    "Event": _ANY,
    "View": (re.compile("full|public|seat [0-3]"), "full, public or seat and its number"),
    "Deal": _one_of(*DealKind),
    "Seats": _one_of("2", "3", "4"),
    "Mode": _one_of("single", "partners"),
    "Target": (re.compile(_COUNT), "1 to 9999"),
    "Lead": _one_of(*Lead),
    "PassCircles": _one_of("1", "2"),
    "OutWinsTies": _one_of("yes", "no"),
    "PartnerScoring": _one_of(*PartnerScoring),
    "MaxRounds": (re.compile(f"none|{_COUNT}"), "none or 1 to 9999"),
}
_ALLOWED: Final = {**_REQUIRED, "Date": (DATE, DATE_FORM)}


@dataclass(frozen=True, slots=True)
class TagSection:
    """Hold what the tags of a game tell; `tags` are those that mean nothing to the game."""

    event: str
    view: View
    deal_kind: DealKind
    options: Options
    seats: tuple[SeatTag, ...]
    date: str | None
    match: str | None
    tags: tuple[tuple[str, str], ...]


class _Tags:
    """Hold the tags of one game by name, and where the name and the value of each begin."""

    def __init__(self, reader: Reader) -> None:
        """Read tags up to the first line that is none, or the first tag of the next game."""
        self.text = reader.text
        self.values: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self._read(reader)
        self.end = reader.position
        while reader.next_is("[") and not any(map(reader.next_is, ("[Game ", PROOF))):
            self._read(reader)
            self.end = reader.position

    def _read(self, reader: Reader) -> None:
        reader.mark("[")
        name = reader.piece(TAG_NAME, "the name of a tag")
        name_at = reader.at
        value = reader.quoted()
        value_at = reader.at
        reader.mark("]")
        reader.end_line()
        if not self.values and name != "Game":
            raise invalid(self.text, name_at, f"expected the tag Game first, found {name}")
        if name in self.values:
            raise invalid(self.text, name_at, f"the tag {name} is there already")
        pattern, allowed = _ALLOWED.get(name, _ANY)
        if not pattern.fullmatch(value):
            raise invalid(self.text, value_at, f"{name}: {value!r}, allowed is {allowed}")
        self.values[name] = value
        self.places[name] = name_at, value_at

    def verify(self) -> None:
        """Raise InvalidRecord where a tag is missing, or cannot be with the others."""
        seats = int(self.values.get("Seats", "0"))
        numbers = range(seats)
        for name in (*_REQUIRED, *(f"Seat{number}" for number in numbers)):
            if name not in self.values:
                raise invalid(self.text, self.end, f"expected the tag {name}")
        seated = {f"{tag}{number}" for tag in ("Seat", "Engine") for number in numbers}
        for name, (name_at, _) in self.places.items():
            if SEAT_TAG.fullmatch(name) and name not in seated:
                raise invalid(self.text, name_at, f"{name}: the seats are 0 to {seats - 1}")
        if self.values["Mode"] == "partners" and seats != _PARTNER_SEATS:
            raise self._wrong("Mode", f"partners with {seats} seats, needed are {_PARTNER_SEATS}")
        view = self.values["View"]
        if view.startswith("seat") and int(view[-1]) >= seats:
            raise self._wrong("View", f"{view}, the seats are 0 to {seats - 1}")

    def _wrong(self, name: str, message: str) -> InvalidRecord:
        return invalid(self.text, self.places[name][1], f"{name}: {message}")


def read_tags(reader: Reader) -> TagSection:
    """Read the tags of the next game; raises InvalidRecord."""
    tags = _Tags(reader)
    tags.verify()
    values = tags.values
    options = _options(values)
    return TagSection(
        event=values["Event"],
        view=_view(values["View"]),
        deal_kind=DealKind(values["Deal"]),
        options=options,
        seats=tuple(
            SeatTag(values[f"Seat{number}"], values.get(f"Engine{number}"))
            for number in range(options.seats)
        ),
        date=values.get("Date"),
        match=values.get("Match"),
        tags=tuple(item for item in values.items() if not KNOWN_TAG.fullmatch(item[0])),
    )


def _options(values: dict[str, str]) -> Options:
    most = values["MaxRounds"]
    return Options(
        seats=int(values["Seats"]),
        partners=values["Mode"] == "partners",
        target=int(values["Target"]),
        lead=Lead(values["Lead"]),
        pass_circles=int(values["PassCircles"]),
        out_wins_ties=values["OutWinsTies"] == "yes",
        partner_scoring=PartnerScoring(values["PartnerScoring"]),
        max_rounds=None if most == "none" else int(most),
    )


def _view(text: str) -> View:
    if text.startswith("seat"):
        return View(seat=int(text[-1]))
    return FULL if text == "full" else PUBLIC
