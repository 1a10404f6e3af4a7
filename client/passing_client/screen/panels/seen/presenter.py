"""What is shown of the hands of a replay."""

from typing import Final

from passing_client.language import _
from passing_client.replaying import Replay
from passing_client.screen.panels.seen.model import Seen, SeenHand
from passing_client.words.basics import tile_words
from passing_client.words.people import People
from passing_client.words.replays import eyes_words
from passing_rules import Tile

UNSEEN: Final = "?-?"
"""A tile that is not seen."""


def present(replay: Replay) -> Seen:
    """Return every hand, one's own last, as the seats stand above it."""
    seats = replay.record.options.seats
    after = 0 if replay.me is None else replay.me + 1
    order = [(after + step) % seats for step in range(seats)]
    title = _("hands: {eyes}").format(eyes=eyes_words(replay))
    return Seen(title, tuple(_hand(replay, seat) for seat in order))


def _hand(replay: Replay, seat: int) -> SeenHand:
    people = People(replay.view, replay.me)
    tiles = tuple(map(_figures, replay.hand(seat)))
    return SeenHand(people.called(seat), tiles, you=seat == replay.me)


def _figures(tile: Tile | None) -> str:
    return UNSEEN if tile is None else tile_words(tile)
