"""What messages and news do to the scene: the log, what is shown at once, and the times."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from passing_client.conversation import Conversation
from passing_client.language import _
from passing_client.model import Moment
from passing_client.screen.scene import Scene
from passing_client.screen.voice import Voice
from passing_client.words.deals import DEALS
from passing_client.words.events import moment_lines
from passing_link.news import Item, LinkNews, NewsKind
from passing_protocol.events import (
    RoundBegan,
    RoundEnded,
    Said,
    SeatChanged,
    StateChanged,
    TipsAgreed,
)
from passing_protocol.follow import follow
from passing_protocol.messages import Error, Left, Ok, Start, Tables, Update
from passing_protocol.verdicts import Outcome, Verdict
from passing_protocol.views import DealKind, SeatState, TableState

_DESERTED: Final = (SeatState.AWAY, SeatState.FORFEITED)
"""How a seat is while nobody plays there in place of one who has left."""


class Hearing:
    """Let a conversation hear, and sort what it says about that."""

    def __init__(self, conversation: Conversation, scene: Scene, voice: Voice) -> None:
        """Keep whose scene this is."""
        self._conversation = conversation
        self._desk = conversation.desk
        self._scene = scene
        self._voice = voice
        self._told_match = ""
        self._departed: dict[str, int] = {}
        """What was said of who has left for good, with the seat."""
        self.farewell = ""
        """What was said last when something that was heard ended it all; empty otherwise."""

    def open(self) -> None:
        """Log what was said on coming to the server, and show what is told once."""
        self._scene.log.extend(self._voice.take())
        self._scene.flash = self._desk.told_once

    def hear(self, item: Item) -> None:
        """Take in a message or news; the list of tables is on its own page and in no log."""
        looks = self._desk.table is None and self._desk.sought is None
        is_list = isinstance(item, Tables) and looks
        self._note_answer(item)
        self._conversation.hear(item)
        lines = self._voice.take()
        if not is_list:
            self._scene.log.extend(lines)
        if lines and isinstance(item, LinkNews):
            self._scene.flash, self._scene.notice = "", lines[-1]
        elif lines and not is_list and isinstance(item, Error | Left | Tables):
            self._scene.flash = lines[-1]
        if self._desk.over is not None and lines:
            self.farewell = lines[-1]
        if isinstance(item, LinkNews) and item.kind is NewsKind.LOST:
            self._scene.lost = item.code
        if isinstance(item, Verdict) and item.outcome is Outcome.REDONE:
            self._scene.deals += lines
        if isinstance(item, Update):
            self._end_old_news(item, lines)
            self._scene.deals += [line for line in self._deals(item) if line in lines]
            self._scene.deals += self._unproven(item)
            self._scene.unread += [line for line in self._chat(item) if line in lines]
            self._end_departures()
            told = {line: seat for seat, line in self._departures(item) if line in lines}
            self._departed |= told
            self._scene.unread += told
            self._note_times(item)

    def _note_answer(self, item: Item) -> None:
        """Note that the server has heard that the match is to begin."""
        if isinstance(item, Ok) and isinstance(self._desk.pending.get(item.re), Start):
            self._scene.started = True

    def _end_old_news(self, update: Update, lines: list[str]) -> None:
        """Show no longer what is told once when something happens, nor deals of another round."""
        if update.events and lines and self._scene.flash == self._desk.told_once:
            self._scene.flash = ""
        if any(isinstance(event, RoundEnded) for event in update.events):
            self._scene.deals.clear()

    def _deals(self, update: Update) -> Iterator[str]:
        """Yield what an update tells of how the tiles are dealt."""
        table = self._desk.table
        for event in update.events:
            if table is not None and isinstance(event, TipsAgreed):
                yield from moment_lines(Moment(event, table.view, table.view), table.seat)

    def _unproven(self, update: Update) -> list[str]:
        """Return how the tiles are dealt where nothing proves it, once a match."""
        table = self._desk.table
        begun = [event for event in update.events if isinstance(event, RoundBegan)]
        if table is None or not begun or table.view.match == self._told_match:
            return []
        self._told_match = table.view.match
        return [_(DEALS[e.deal]) for e in begun[-1:] if e.deal is not DealKind.FAIR]

    def _chat(self, update: Update) -> Iterator[str]:
        """Yield what others say in an update."""
        table = self._desk.table
        for event in update.events:
            if table is None or not isinstance(event, Said):
                continue
            if event.seat is None or event.seat != table.seat:
                yield from moment_lines(Moment(event, table.view, table.view), table.seat)

    def _end_departures(self) -> None:
        """Show no longer who has left once the seat is another's, or the match is over."""
        view = self._desk.table.view if self._desk.table is not None else None
        lasting: tuple[int, ...] = ()
        if view is not None and view.state is not TableState.OVER:
            lasting = tuple(n for n, seat in enumerate(view.seats) if seat.state in _DESERTED)
        for line in [line for line, seat in self._departed.items() if seat not in lasting]:
            del self._departed[line]
            if line in self._scene.unread:
                self._scene.unread.remove(line)

    def _departures(self, update: Update) -> Iterator[tuple[int, str]]:
        """Yield what is said of who has left for good, which nobody is to overlook, by seats."""
        table = self._desk.table
        for event in update.events:
            if table is None or not isinstance(event, SeatChanged):
                continue
            if event.info.gone is None and event.fault is None:
                continue
            if event.seat >= len(table.view.seats):  # beside a view that shows no such seat
                continue
            if table.view.seats[event.seat].state not in _DESERTED:  # somebody has it by now
                continue
            sat = SeatChanged(event.seat, replace(event.info, state=SeatState.TAKEN, gone=None))
            before = follow(table.view, sat)
            moment = Moment(event, before, follow(before, event))
            yield from ((event.seat, line) for line in moment_lines(moment, table.seat))

    def _note_times(self, update: Update) -> None:
        """Note until when the question is open and when the table goes on by itself."""
        scene = self._scene
        for event in update.events:
            if isinstance(event, StateChanged):
                scene.next_at = None if event.next_ms is None else scene.now + event.next_ms
            if isinstance(event, SeatChanged) and event.info.state is SeatState.AWAY:
                scene.away_since.setdefault(event.seat, scene.now)
        if update.ask is not None:
            left = self._conversation.time_left_ms()
            scene.clock_at = None if left is None else scene.now + left
