"""How a key becomes what a person would type in line mode, and how its answer is shown."""

from passing_client.conversation import Conversation
from passing_client.language import _
from passing_client.screen.cells import text_of
from passing_client.screen.drawing import draw
from passing_client.screen.overlays import Overlays
from passing_client.screen.scene import Overlay, Scene
from passing_client.screen.timing import is_turn_seen
from passing_client.screen.voice import Voice
from passing_protocol.messages import Invite, Join, Ready, Start, Watch


class Doing:
    """Have a conversation obey, and show what it says to that."""

    def __init__(
        self, conversation: Conversation, scene: Scene, voice: Voice, overlays: Overlays
    ) -> None:
        """Keep what is to be brought together."""
        self._conversation = conversation
        self._desk = conversation.desk
        self._scene = scene
        self._voice = voice
        self._overlays = overlays

    def obey(self, line: str) -> bool:
        """Obey a line as if it had been typed in line mode, and show its answer.

        Tells whether it is done: nothing is, while it is open where one is or nothing can be sent.
        """
        if self._conversation.must_wait(line):
            self.wait()
            return False
        turn = self._desk.shown_turn if is_turn_seen(self._scene) else None
        is_done = self._conversation.type(line, turn)
        answer = self._voice.take()
        if is_done:
            self._show(answer)
        else:
            self._scene.flash = answer[-1]
        return is_done

    def once(self, line: str, kind: type[Ready | Start | Invite]) -> None:
        """Obey a line, unless the request that it would send is on its way already."""
        pending = self._desk.pending.values()
        if not self._desk.down and any(isinstance(request, kind) for request in pending):
            self.wait()
        else:
            self.obey(line)

    def go(self, request: Join | Watch) -> None:
        """Ask for a place at a table."""
        if self._conversation.busy:
            self.wait()
        else:
            self._desk.send(request)
            self._show(self._voice.take())

    def wait(self) -> None:
        """Say that something else has to be answered first."""
        self._scene.flash = self._scene.fleeting = _("The server has not answered yet.")

    def _show(self, lines: list[str]) -> None:
        """Show an answer: in the line for messages if it fits there, else over the page.

        A question that was raised is asked by the page itself, for as long as it is open.
        """
        desk, scene = self._desk, self._scene
        is_asked = desk.pass_asked is not None and desk.pass_asked == desk.shown_turn
        if not lines or desk.leaving or is_asked:
            return
        scene.flash = lines[0] if len(lines) == 1 else ""
        if len(lines) > 1 or not is_shown(scene):
            scene.flash = ""
            scene.answer = lines
            self._overlays.show(Overlay.ANSWER)


def is_shown(scene: Scene) -> bool:
    """Tell whether what was said last is to be seen as a whole on a screen of this size."""
    picture = draw(scene, scene.columns, scene.rows)
    shown = " ".join(word for line in picture.lines for word in text_of(line).split())
    return " ".join(scene.flash.split()) in shown
