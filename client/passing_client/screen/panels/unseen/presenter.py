"""Make the tiles that are still out from the public view, which has nothing else in it (R6)."""

from passing_client.language import _, plural
from passing_client.screen.panels.unseen.model import Unseen
from passing_client.words.basics import tile_words
from passing_protocol.views import PublicView
from passing_protocol.wire import tile_text
from passing_rules import ALL_TILES


def present(view: PublicView) -> Unseen:
    """Return every tile that does not lie in the train, wherever it is."""
    laid = {train_tile.tile for train_tile in view.train}
    out = [tile for tile in ALL_TILES if tile_text(tile) not in laid]
    title = plural(
        "not yet on the table: {number} tile", "not yet on the table: {number} tiles", len(out)
    )
    return Unseen(
        title.format(number=len(out)),
        _("boneyard hides {number}").format(number=view.boneyard),
        tuple(map(tile_words, out)),
        _("tiles left per number"),
        tuple(sum(number in (tile.low, tile.high) for tile in out) for number in range(7)),
    )
