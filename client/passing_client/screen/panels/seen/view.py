"""The hands of a replay as they are drawn: a line for each, more where its tiles need them."""

from passing_client.screen.cells import Line, fit, line
from passing_client.screen.panels.seen.model import Seen, SeenHand
from passing_client.screen.parts import name_width, rule
from passing_client.screen.skin import Skin

_MARK = 3
_TILE = 4


def draw_rule(model: Seen, cells: int, skin: Skin) -> Line:
    """Return the rule above the hands."""
    return rule(cells, skin, model.title)


def draw(model: Seen, cells: int) -> list[Line]:
    """Return the hands."""
    name = name_width([hand.name for hand in model.hands], cells)
    return [each for hand in model.hands for each in _hand(hand, name, cells)]


def _hand(hand: SeenHand, name: int, cells: int) -> list[Line]:
    """Return a hand in as many lines as its tiles need."""
    style = "you" if hand.you else ""
    each = (cells - _MARK - name - 1) // _TILE
    starts = range(0, max(1, len(hand.tiles)), each)
    rows = [" ".join(hand.tiles[start : start + each]) for start in starts]
    names = [hand.name, *[""] * (len(rows) - 1)]
    return [
        line(cells, [("", " " * _MARK), (style, fit(called, name)), ("tile", f" {row}")])
        for called, row in zip(names, rows, strict=True)
    ]
