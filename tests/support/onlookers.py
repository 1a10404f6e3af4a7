"""Clients of a LAN who note the matches that they see, and what of the truth they can know."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from passing_client.match_story import MatchStory
from passing_client.model import Moment, TableModel
from passing_protocol.messages import Left, Update
from passing_protocol.records import Record, RoundRecord, Tiles, seen_by
from passing_rules import ActionRecord, Draw, Play, Tile
from passing_server.exporting import record_of
from tests.support.lan import Lan, LanClient


@dataclass
class Onlooker:
    """Note what a client was sent, as the client of a person does, and keep every record."""

    client: LanClient
    story: MatchStory = field(default_factory=MatchStory)
    tables: dict[str, TableModel] = field(default_factory=dict[str, TableModel])
    kept: dict[str, Record] = field(default_factory=dict[str, Record])
    moments: list[Moment] = field(default_factory=list[Moment])
    _heard: int = 0

    def catch_up(self) -> "Onlooker":
        """Take in all messages that have come since."""
        messages = self.client.messages[self._heard :]
        self._heard = len(self.client.messages)
        for message in messages:
            if isinstance(message, Left):
                self.tables.pop(message.table, None)
            elif isinstance(message, Update):
                self._update(message)
        return self

    def _update(self, update: Update) -> None:
        table = self.tables.get(update.table)
        if table is None or (update.re is not None and update.public and not update.events):
            assert update.public is not None
            table = self.tables[update.table] = TableModel(update.table, update.public)
            table.apply(update)
            self._see(table, update, [])
            return
        moments = table.apply(update)
        if moments is not None:
            self._see(table, update, moments)

    def _see(self, table: TableModel, update: Update, moments: list[Moment]) -> None:
        self.moments += moments
        ends = self.story.ends
        self.story.see(table, moments, update)
        record = self.story.record()
        if self.story.ends != ends and record is not None:
            assert record.match is not None
            self.kept[record.match] = record


def true_records(lan: Lan) -> dict[str, Record]:
    """Return the full records of all matches, once nobody is at their tables any more."""
    lan.fall_silent(900_000, step=4_000)
    records = map(record_of, lan.store.finished())
    return {record.match: record for record in records if record.match is not None}


def marked(record: Record, tag: str) -> set[int]:
    """Return the rounds that a tag of a kept record names."""
    return {int(number) for number in dict(record.tags).get(tag, "").split()}


def knowable(truth: Record, seat: int | None, *, hidden: bool) -> tuple[RoundRecord, ...]:
    """Return the rounds of a true record as a client at a seat, or a watcher, can know them."""
    seen = seen_by(truth, seat, hidden_after_end=hidden)
    return tuple(_knowable(played, seat) for played in seen.rounds)


def _knowable(played: RoundRecord, seat: int | None) -> RoundRecord:
    """Take out what the end of a round does not tell: which tile another has drawn, and when."""
    yard = iter(played.boneyard)
    drawn: list[Tile | None] = []
    for done in played.actions:
        if isinstance(done.action, Draw):
            tile = next(yard)
            drawn.append(tile if done.seat == seat else None)
    rest = [None] * (len(played.boneyard) - len(drawn))
    return replace(
        played,
        hands=tuple(
            hand if number == seat else _certain(hand, number, played.actions)
            for number, hand in enumerate(played.hands)
        ),
        boneyard=(*drawn, *rest),
        actions=tuple(
            done if done.seat == seat else replace(done, drawn=None) for done in played.actions
        ),
    )


def _certain(hand: Tiles, seat: int, actions: Iterable[ActionRecord]) -> Tiles:
    """Keep what a seat has played before it drew, and all if it never did."""
    before: set[Tile | None] = set()
    for done in actions:
        if done.seat == seat and isinstance(done.action, Draw):
            known = sorted(tile for tile in hand if tile is not None and tile in before)
            return (*known, *[None] * (len(hand) - len(known)))
        if done.seat == seat and isinstance(done.action, Play):
            before.add(done.action.tile)
    return hand
