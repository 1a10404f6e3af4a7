"""How a round ended, in pieces, for the pages after a round and after a match."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from msgspec.structs import replace as replace_field

from passing_client.language import _, plural
from passing_client.model import Moment, TableModel
from passing_client.screen.cells import Line, cut
from passing_client.screen.pages.stack import Block
from passing_client.screen.panels.hands.presenter import order_of
from passing_client.screen.panels.hands.presenter import present as present_hands
from passing_client.screen.panels.hands.view import draw as draw_hands
from passing_client.screen.panels.hands.view import draw_heads
from passing_client.screen.panels.train.presenter import present as present_train
from passing_client.screen.panels.train.view import draw_flat, draw_rule
from passing_client.screen.parts import rule, sentence
from passing_client.screen.skin import Skin
from passing_client.words.basics import tile_words
from passing_client.words.people import People
from passing_client.words.rounds import round_result
from passing_protocol.events import RoundEnded
from passing_protocol.views import PublicView
from passing_protocol.wire import tile_text
from passing_rules import ALL_TILES


class Size(NamedTuple):
    """Hold how many cells a line has, and how many rows there are."""

    cells: int
    rows: int


_NARROW: Final = 80
"""On a narrower screen names in sentences are cut, so that a sum keeps to two lines."""
_SHORT_NAME: Final = 10


@dataclass(frozen=True, slots=True)
class Told:
    """Hold how a round ended as it is drawn: the rule, the heads, the hands, and the sum."""

    rule: list[Line]
    heads: list[Line]
    hands: list[Line]
    result: list[Line]


def told(table: TableModel, moment: Moment, event: RoundEnded, size: Size, skin: Skin) -> Told:
    """Return how a round ended, in so many rows without the heads."""
    people = People(moment.after, table.seat)
    hands = present_hands(event, people)
    title = f"{_over(event)} {skin.dot} {_why(event, people)}"
    order = order_of(event, people)
    text = round_result(event, _for_sentences(people, size.cells), order)
    result = sentence(text, size.cells, "won")
    most = size.rows - 1 - len(result)
    return Told(
        [rule(size.cells, skin, title)],
        draw_heads(hands, size.cells),
        draw_hands(hands, size.cells, most, skin),
        result,
    )


def _for_sentences(people: People, cells: int) -> People:
    """Return people with names that are short enough for sentences on this screen."""
    if cells >= _NARROW:
        return people
    view = people.view
    seats = [
        replace_field(seat, name=cut(people.name(n), _SHORT_NAME))
        for n, seat in enumerate(view.seats)
    ]
    return People(replace_field(view, seats=seats), people.me)


def train_block(table: TableModel, event: RoundEnded, cells: int, skin: Skin) -> Block:
    """Return the train as it lies at the end, in few lines, and what the boneyard held."""
    number = len(table.view.train)
    size = plural("{number} tile", "{number} tiles", number).format(number=number)
    model = replace(present_train(table), title=(_("final train"), size), right="")
    lines = [draw_rule(model, cells, skin), *draw_flat(model, cells, skin)]
    lines += sentence(_boneyard(event, table.view), cells, "note")
    return Block(lines, rank=4, air=True)


def _boneyard(event: RoundEnded, view: PublicView) -> str:
    """Return what the boneyard held, which is every tile that nobody held or played (R6.2)."""
    if event.hands is None:
        return _("This table shows the hands later.")
    known = {laid.tile for laid in view.train}.union(*event.hands)
    held = " ".join(tile_words(tile) for tile in ALL_TILES if tile_text(tile) not in known)
    return _("boneyard held: {tiles}").format(tiles=held)


def _over(event: RoundEnded) -> str:
    return _("ROUND {round} OVER").format(round=event.round)


def _why(event: RoundEnded, people: People) -> str:
    """Return how the round came to its end (R3)."""
    match event.ending:
        case "out":
            return _went_out(people)
        case "blocked":
            return _("nobody can play")
        case "passed_out":
            return _("everybody passed")


def _went_out(people: People) -> str:
    seat = people.view.actions[-1].seat
    if seat == people.me:
        return _("you went out")
    return _("{who} went out").format(who=people.name(seat))
