"""What the bar of keys shows: the keys that do something now."""

from passing_client.language import _
from passing_client.screen.keys import hints
from passing_client.screen.panels.hints.model import Hint, HintsModel
from passing_client.screen.scene import Focus, Scene


def present(scene: Scene) -> HintsModel:
    """Return the hints; one of them is selected while the arrows move along the bar."""
    shown = tuple(Hint(_(action.label), _(action.hint)) for action in hints(scene))
    if scene.focus is not Focus.KEYS or not shown:
        return HintsModel(shown)
    return HintsModel(shown, min(max(scene.key, 0), len(shown) - 1))
