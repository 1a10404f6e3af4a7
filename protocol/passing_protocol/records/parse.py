"""Read records from their text: the grammar of RECORDS.md, without the rules of the game."""

from collections.abc import Iterator

from passing_protocol.records.places import RoundPlaces
from passing_protocol.records.proof import Proof
from passing_protocol.records.proof_section import PROOF, read_proof
from passing_protocol.records.reader import Reader
from passing_protocol.records.record import EndReason, Outcome, Record, RoundRecord
from passing_protocol.records.round_section import read_round
from passing_protocol.records.tag_section import TagSection, read_tags


def parse(text: str) -> tuple[Record, ...]:
    """Return the records of a text, whatever they tell; raises InvalidRecord."""
    return tuple(game.read() for game in games(text))


def games(text: str) -> "Iterator[GameReader]":
    """Yield a reader for each game of a text, to be read to its end before the next is asked for.

    Raises InvalidRecord.
    """
    reader = Reader(text)
    reader.verify_begins("[")
    while not reader.done:
        game = GameReader(reader)
        yield game
        if not reader.done and not reader.next_is("["):
            raise reader.wrong(game.onward)


class GameReader:
    """Read one game piece by piece: its tags, then `rounds`, the `outcome` and the `proof`.

    So each piece can be judged before anything is said of the next. Raises InvalidRecord.
    """

    def __init__(self, reader: Reader) -> None:
        """Read the tags."""
        self.reader = reader
        self.tags: TagSection = read_tags(reader)
        self._rounds: list[RoundRecord] = []
        self._outcome: Outcome | None = None
        self._proof: list[Proof] = []

    def rounds(self) -> Iterator[tuple[RoundRecord, RoundPlaces]]:
        """Yield each round with its places; none follows one that is unfinished."""
        while self.reader.next_is("round") and not self._unfinished:
            played, places = read_round(self.reader, self.tags.options)
            self._rounds.append(played)
            yield played, places

    def outcome(self) -> tuple[Outcome | None, int]:
        """Read how the match ended, after the rounds.

        Its place is where its line begins or, where there is none, where the game ends.
        """
        at = self.reader.position
        if self.reader.next_is("match"):
            self._outcome = _outcome(self.reader, self.tags)
        return self._outcome, at

    def proof(self) -> Iterator[tuple[Proof, int]]:
        """Yield each line of the proof with its place, after the outcome."""
        while self.reader.next_is(PROOF):
            proof, at = read_proof(self.reader, self.tags.options.seats)
            self._proof.append(proof)
            yield proof, at

    def read(self) -> Record:
        """Read all that is left, and return the record."""
        for _ in self.rounds():
            pass
        self.outcome()
        for _ in self.proof():
            pass
        return self.record

    @property
    def record(self) -> Record:
        """Return the record, once all of it is read."""
        tags = self.tags
        return Record(
            event=tags.event,
            view=tags.view,
            deal_kind=tags.deal_kind,
            options=tags.options,
            seats=tags.seats,
            rounds=tuple(self._rounds),
            outcome=self._outcome,
            date=tags.date,
            match=tags.match,
            tags=tags.tags,
            proof=tuple(self._proof),
        )

    @property
    def told(self) -> list[RoundRecord]:
        """Return the rounds that were read."""
        return self._rounds

    @property
    def _unfinished(self) -> bool:
        return bool(self._rounds) and self._rounds[-1].result is None

    @property
    def onward(self) -> str:
        """Say what may follow what was read."""
        if self._proof:
            return "more of the proof or the next game"
        if self._outcome is not None:
            return "the proof or the next game"
        last = "match, the proof or the next game"
        return last if self._unfinished else f"round, {last}"


def _outcome(reader: Reader, tags: TagSection) -> Outcome:
    """Read how the match ended."""
    reader.choice("match")
    reason = EndReason(reader.choice(*EndReason))
    forfeited: list[int] = []
    winner: int | None = None
    if reason is EndReason.FORFEIT:
        forfeited = reader.ascending("a seat", tags.options.seats, "won", "drawn")
    if reason is not EndReason.ABANDONED:
        ways = ("won",) if reason is EndReason.TARGET else ("won", "drawn")
        if reader.choice(*ways) == "won":
            winner = reader.number("a side", range(tags.options.sides))
    reader.end_line()
    return Outcome(reason, winner, tuple(forfeited))
