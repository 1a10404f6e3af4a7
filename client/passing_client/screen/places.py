"""What keys do to come to a table, to begin and go on there, and to leave."""

from passing_client.conversation import Conversation
from passing_client.language import _
from passing_client.screen.doing import Doing
from passing_client.screen.rows import Rows
from passing_client.screen.scene import Scene
from passing_client.screen.timing import heeds_asked, heeds_page
from passing_link.exits import ExitCode
from passing_protocol.messages import Invite, Join, Ready, Start, Watch


class Places:
    """Go from the list of tables to a table and back, in a scene."""

    def __init__(self, conversation: Conversation, scene: Scene, rows: Rows, doing: Doing) -> None:
        """Keep which table is chosen, and what obeys."""
        self._conversation = conversation
        self._desk = conversation.desk
        self._scene = scene
        self._rows = rows
        self._doing = doing

    def sit_down(self) -> None:
        """Sit down at the chosen table."""
        if self._is_meant():
            self._doing.go(Join(0, self._rows.table))

    def watch(self) -> None:
        """Watch the chosen table."""
        if self._is_meant():
            self._doing.go(Watch(0, self._rows.table))

    def start(self) -> None:
        """Begin the match, for the owner."""
        if self._is_meant():
            self._doing.once("start", Start)

    def ready(self) -> None:
        """Be ready for the match, the next round or another match."""
        if self._is_meant():
            self._doing.once("ready", Ready)

    def tell_free(self) -> None:
        """Say why no match can begin while a seat is empty, and what there is to do."""
        table = self._desk.table
        if table is not None and table.owns:
            self._scene.flash = _("No match can begin: a seat is free. b adds an engine.")
        else:
            self._scene.flash = _("No match can begin: a seat is free. Wait for somebody.")
        self._scene.fleeting = self._scene.flash

    def _is_meant(self) -> bool:
        """Tell whether a key can be meant for the page that is shown; says so where not."""
        if not heeds_page(self._scene):
            self._scene.flash = _("That was too early: this page has only just come.")
            self._scene.fleeting = self._scene.flash
            return False
        return True

    def invite(self) -> None:
        """Invite an engine that waits, once it is known who does."""
        if self._desk.inviting is not None:
            self._doing.wait()
        else:
            self._doing.once("invite", Invite)

    def leave(self) -> None:
        """Leave the table, or the server where there is none; asks once in a match.

        The server is left as well while it cannot be told that the table is.
        """
        desk = self._desk
        if desk.table is None and self._scene.starting:
            desk.over = ExitCode.DONE
        elif desk.table is not None and self._conversation.busy:
            self._doing.wait()
        elif desk.table is None:
            if (
                self._scene.small or self._is_meant()
            ):  # a key that has left a table may be held down still
                self._go()
        elif not desk.in_match:
            self._go()
        elif not desk.leaving:
            desk.leaving = True
        elif heeds_asked(self._scene):
            self._go()

    def _go(self) -> None:
        desk = self._desk
        self._doing.obey("quit" if desk.table is None or desk.down else "leave")
