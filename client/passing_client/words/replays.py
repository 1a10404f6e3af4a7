"""A game record as sentences: what the steps of a replay tell."""

from collections.abc import Iterator
from itertools import dropwhile

from passing_client.language import _
from passing_client.model import Moment
from passing_client.replaying import Replay, Step
from passing_client.words.basics import tile_words
from passing_client.words.events import boneyard_words, moment_lines
from passing_client.words.people import People
from passing_protocol.events import RoundBegan
from passing_protocol.records import Tiles
from passing_protocol.views import Acted


def eyes_words(replay: Replay) -> str:
    """Return whose eyes see the hands: all, those of a seat, or none."""
    if replay.eyes.full:
        return _("all hands")
    if replay.eyes.seat is None:
        return _("no hands, as watchers see it")
    return _("as seen by {name}").format(name=_people(replay).name(replay.eyes.seat))


def hand_words(tiles: Tiles) -> str:
    """Return a hand, with a question mark for each tile that is not seen."""
    return ", ".join("?" if tile is None else tile_words(tile) for tile in tiles)


def replay_lines(replay: Replay, only: int | None = None) -> Iterator[str]:
    """Yield the whole record from its first step on, or one round of it, lap by lap."""
    return dropwhile(lambda line: not line, _lines(replay, only))


def _lines(replay: Replay, only: int | None) -> Iterator[str]:
    """Yield the lines, an empty one before each round."""
    for number, step in enumerate(replay.steps):
        replay.at = number
        if only is None or step.view.round == only:
            yield from _step_lines(replay, step)


def _step_lines(replay: Replay, step: Step) -> Iterator[str]:
    if any(isinstance(moment.event, RoundBegan) for moment in step.moments):
        yield ""
    for moment in step.moments:
        lap = _lap(moment)
        if lap is not None:
            yield _("Lap {number}.").format(number=lap)
        yield from _moment_lines(replay, moment)
        if isinstance(moment.event, RoundBegan):
            yield from _hands(replay)


def _lap(moment: Moment) -> int | None:
    """Return the number of the lap that an action begins; None where it begins none."""
    done, seats = len(moment.before.actions), len(moment.before.seats)
    begins = isinstance(moment.event, Acted) and done % seats == 0
    return done // seats + 1 if begins else None


def _moment_lines(replay: Replay, moment: Moment) -> list[str]:
    """Return what happened; a tile that was drawn is told to those who may see it."""
    event, drew = moment.event, moment.drew
    if not isinstance(event, Acted) or event.seat == replay.me or drew is None:
        return moment_lines(moment, replay.me)
    if not replay.eyes.full and replay.eyes.seat != event.seat:
        return moment_lines(moment, replay.me)
    who = People(moment.after, replay.me).subject(event.seat)
    told = _("{who} draws {tile}.").format(who=who, tile=tile_words(drew))
    return [f"{told} {boneyard_words(moment.after)}"]


def _hands(replay: Replay) -> Iterator[str]:
    """Yield the hands that are seen."""
    for seat in range(replay.record.options.seats):
        tiles = replay.hand(seat)
        if any(tile is not None for tile in tiles):
            yield f"  {_people(replay).place(seat)}: {hand_words(tiles)}"


def _people(replay: Replay) -> People:
    return People(replay.view, replay.me)
