"""The page before there is a server: what is waited for, since when, and how to leave."""

from collections.abc import Iterator

from passing_client.language import _
from passing_client.screen.acts import minutes
from passing_client.screen.pages.foot import framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import title
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.parts import rule, sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return what is waited for; it can be left at any time."""
    return framed(
        scene, _blocks(scene, columns), columns, rows, status=_("q leaves; you need not wait.")
    )


def _blocks(scene: Scene, cells: int) -> Iterator[Block]:
    parts = (scene.server,) if scene.server else ()
    time = _time(scene)
    model = TitleModel(_("Passing Game"), parts, time, parts, time)
    yield Block(title(scene, model, cells))
    yield Block([rule(cells, scene.skin)])
    yield Block(sentence(scene.starting, cells, "title"), air=True)
    text = _("The table is shown as soon as it is there.")
    yield Block(sentence(text, cells, "note"), rank=1, air=True)


def _time(scene: Scene) -> tuple[str, ...]:
    """Return how long it has been waited for."""
    if scene.starting_at is None:
        return ()
    return (_("waiting {time}").format(time=minutes(scene.now - scene.starting_at)),)
