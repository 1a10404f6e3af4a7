"""What is shown of one's own hand."""

from passing_client.language import _, plural
from passing_client.model import TableModel, pips
from passing_client.moves import fitting_ends
from passing_client.screen.panels.hand.model import HandModel, HandTile
from passing_client.screen.scene import Scene


def present(scene: Scene, table: TableModel) -> HandModel:
    """Return the hand with its marks; before the first tile there are no ends to fit."""
    hand = table.hand
    tiles = tuple(
        HandTile(tile, fitting_ends(tile, table.view.ends), tile == scene.chosen) for tile in hand
    )
    number, total = len(hand), pips(hand)
    weight = plural("{number} pip", "{number} pips", total).format(number=total)
    size = plural("{number} tile", "{number} tiles", number).format(number=number)
    short = _("hand {number}").format(number=number)
    return HandModel(tiles, (_("your hand"), size, weight), (short, weight))
