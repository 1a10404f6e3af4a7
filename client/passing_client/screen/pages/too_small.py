"""The page for a screen that is too small for any other."""

from passing_client.language import _
from passing_client.screen.cells import line
from passing_client.screen.panels.message.presenter import leave_question
from passing_client.screen.parts import filled, wrapped
from passing_client.screen.picture import Picture
from passing_client.screen.scene import LEAST_COLUMNS, LEAST_ROWS, Scene


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return how large the screen must be, and how to get out; before that, what was asked."""
    text = _("The screen has {columns}x{rows} characters; at least {least} are needed.")
    size = text.format(columns=columns, rows=rows, least=f"{LEAST_COLUMNS}x{LEAST_ROWS}")
    sentences = [size, _("Make it larger, or press q to leave.")]
    if scene.desk.leaving or scene.flash or scene.notice:
        sentences = [
            leave_question(scene) if scene.desk.leaving else scene.flash or scene.notice,
            size,
        ]
    shown = [row for sentence in sentences for row in wrapped(sentence, max(1, columns))]
    return Picture(filled((line(columns, [("", row)]) for row in shown), columns, rows))
