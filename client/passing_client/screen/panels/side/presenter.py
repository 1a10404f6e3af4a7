"""What has happened and was said."""

from passing_client.language import _
from passing_client.screen.panels.side.model import SideModel
from passing_client.screen.scene import Scene


def present(scene: Scene) -> SideModel:
    """Return all lines that are kept."""
    return SideModel(_("log and chat"), tuple(scene.log))
