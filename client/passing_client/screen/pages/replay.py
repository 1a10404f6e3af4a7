"""The page of a replay: the table as it stood, the hands that are seen, and how the round ended."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _
from passing_client.replaying import Replay
from passing_client.screen.pages.ending import Size, told
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import FULL, title
from passing_client.screen.panels.log.presenter import present as present_log
from passing_client.screen.panels.log.view import draw as draw_log
from passing_client.screen.panels.seats.presenter import present as present_seats
from passing_client.screen.panels.seats.view import draw as draw_seats
from passing_client.screen.panels.seats.view import draw_short as draw_short_seats
from passing_client.screen.panels.seen.presenter import present as present_seen
from passing_client.screen.panels.seen.view import draw as draw_seen
from passing_client.screen.panels.seen.view import draw_rule as draw_seen_rule
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.panels.train.presenter import present as present_train
from passing_client.screen.panels.train.view import draw as draw_train
from passing_client.screen.panels.train.view import draw_rule, draw_short_rule
from passing_client.screen.parts import sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.people import People
from passing_client.words.replays import eyes_words
from passing_client.words.rounds import match_summary
from passing_protocol.events import MatchEnded, RoundEnded
from passing_protocol.names import clean_name

_LOW: Final = 18
"""On fewer rows the seats have one line."""
_LOG: Final = 8
"""So many of the last actions are shown where there is room."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return where the replay is, as much of it as there is room for."""
    replay = scene.replay
    if replay is None:
        return framed(scene, [], columns, rows, status="")
    blocks = _blocks(scene, replay, Size(columns, rows - FOOT))
    return framed(scene, blocks, columns, rows, status=_place(replay))


def _place(replay: Replay) -> str:
    """Return where the replay is."""
    text = _("Step {step} of {steps}, round {round} of {rounds}, {eyes}.")
    rounds = max(1, len(replay.record.rounds))
    return text.format(
        step=replay.at + 1,
        steps=len(replay.steps),
        round=replay.step.round + 1,
        rounds=rounds,
        eyes=eyes_words(replay),
    )


def _blocks(scene: Scene, replay: Replay, size: Size) -> Iterator[Block]:
    """Yield the pieces; the train and the log get the lines that the others leave."""
    table, cells, skin = replay.table, size.cells, scene.skin
    heads = title(scene, _title(replay), cells)
    draw_rows = draw_short_seats if _is_low(size) else draw_seats
    seats = draw_rows(present_seats(scene, table), cells, skin)
    below = list(_below(scene, replay, size))
    room = size.rows - sum(map(len, (heads, seats, *(block.lines for block in below)))) - 1
    model = present_train(table)
    train = draw_train(model, cells, room, skin)
    rule = (draw_rule if cells >= FULL else draw_short_rule)(model, cells, skin)
    yield Block(heads, rank=1)
    yield Block(seats, rank=4)
    yield Block([rule, *train], rank=3)
    yield Block(draw_log(present_log(table), cells, min(room - len(train), _LOG)), rank=5)
    yield from below


def _is_low(size: Size) -> bool:
    return size.rows + FOOT < _LOW


def _title(replay: Replay) -> TitleModel:
    view = replay.view
    target = _("to {points}").format(points=view.game.target)
    number = _("round {number}").format(number=view.round)
    yard = _("boneyard {tiles}, {drawable} to draw")
    short_yard = _("yard {tiles} ({drawable})")
    figures = {"tiles": view.boneyard, "drawable": view.drawable}
    return TitleModel(
        game=_("Replay"),
        parts=(clean_name(view.name), number, target, replay.record.date or ""),
        right=(yard.format(**figures),),
        short=(number, target),
        short_right=(short_yard.format(**figures),),
    )


def _below(scene: Scene, replay: Replay, size: Size) -> Iterator[Block]:
    """Yield what stands below the train: the hands, or how the round or the match has ended."""
    moment, over = replay.step.end, replay.step.match_end
    if moment is not None and isinstance(moment.event, RoundEnded):
        parts = told(replay.table, moment, moment.event, size, scene.skin)
        yield Block([*parts.rule, *parts.hands])
        yield Block(parts.result)
    else:
        model = present_seen(replay)
        heads = [] if _is_low(size) else [draw_seen_rule(model, size.cells, scene.skin)]
        yield Block([*heads, *draw_seen(model, size.cells)])
    if over is not None and isinstance(over.event, MatchEnded):
        people = People(over.after, replay.me)
        text = match_summary(over.event, people)[0]
        yield Block(sentence(text, size.cells, "won"), rank=2)
