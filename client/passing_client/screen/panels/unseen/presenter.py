"""Make the tiles that one has not seen from the public view and one's own hand alone (R6)."""

from collections.abc import Sequence

from passing_client.language import _, plural
from passing_client.screen.panels.unseen.model import Unseen
from passing_client.words.basics import tile_words
from passing_protocol.views import PublicView
from passing_protocol.wire import tile_text
from passing_rules import ALL_TILES, Tile


def present(view: PublicView, hand: Sequence[Tile] = ()) -> Unseen:
    """Return every tile that lies neither in the train nor in one's own hand."""
    laid = {train_tile.tile for train_tile in view.train}
    out = [tile for tile in ALL_TILES if tile_text(tile) not in laid and tile not in hand]
    title = plural("not seen yet: {number} tile", "not seen yet: {number} tiles", len(out))
    return Unseen(
        title.format(number=len(out)),
        _("boneyard hides {number}").format(number=view.boneyard),
        tuple(map(tile_words, out)),
        _("tiles left per number"),
        tuple(sum(number in (tile.low, tile.high) for tile in out) for number in range(7)),
    )
