"""The bar of keys in use: the arrows move along it, and Enter does what it stands on."""

from passing_client.screen.keys import KeyAction, hints
from passing_client.screen.scene import Focus, Scene


class KeyBar:
    """Choose a key of the bar of a scene; it stays chosen while others come and go beside it."""

    def __init__(self, scene: Scene) -> None:
        """Work on a scene."""
        self._scene = scene
        self._name = ""

    def turn_focus(self) -> None:
        """Move the focus to the bar, or back."""
        self._scene.focus = Focus.HAND if self._scene.focus is Focus.KEYS else Focus.KEYS
        self._name = ""

    def move(self, step: int) -> None:
        """Move along the bar, round and round."""
        shown = hints(self._scene)
        if shown:
            self._scene.key = (self._scene.key + step) % len(shown)
            self._name = shown[self._scene.key].name

    @property
    def chosen(self) -> KeyAction | None:
        """Return the action on which the bar stands; None where it is gone."""
        return next((each for each in hints(self._scene) if each.name == self._name), None)

    def keep(self) -> None:
        """Stay on the same key, and on none that is gone."""
        names = [action.name for action in hints(self._scene)]
        if self._name not in names:
            self._name = names[0] if names else ""
        self._scene.key = names.index(self._name) if names else 0
