"""Make the final train from how a round ended."""

from passing_client.language import _, plural
from passing_client.screen.panels.laid.model import Laid
from passing_client.screen.skin import Skin
from passing_client.words.basics import tile_words
from passing_protocol.events import RoundEnded
from passing_protocol.views import PublicView
from passing_rules import ALL_TILES, Tile


def present(event: RoundEnded, view: PublicView, skin: Skin) -> Laid:
    """Return the train of the round that has ended; all hands known, the boneyard is too."""
    size = plural("{number} tile", "{number} tiles", len(view.train)).format(number=len(view.train))
    title = f"{_('final train')} {skin.dot} {size}"
    return Laid(title, _halves(view), _yard(event, view))


def _halves(view: PublicView) -> tuple[tuple[int, int], ...]:
    """Return each tile of the train as it lies, read from the left end."""
    halves: list[tuple[int, int]] = []
    number = view.ends[0] if view.ends is not None else 0
    for laid in view.train:
        tile = Tile.parse(laid.tile)
        far = tile.high if number == tile.low else tile.low
        halves.append((number, far))
        number = far
    return tuple(halves)


def _yard(event: RoundEnded, view: PublicView) -> str:
    """Return what the boneyard held: every tile that nobody held and that was not played."""
    if event.hands is None:
        return ""
    known = {Tile.parse(laid.tile) for laid in view.train}
    known |= {Tile.parse(tile) for hand in event.hands for tile in hand}
    held = [tile_words(tile) for tile in ALL_TILES if tile not in known]
    return _("boneyard held: {tiles}").format(tiles=" ".join(held))
