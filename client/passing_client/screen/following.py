"""What of the scene follows from where one is: the times since when, and what is over by now."""

from passing_client.screen.choice import Choice
from passing_client.screen.scene import ENDED, Overlay, Page, Scene
from passing_protocol.views import SeatState


class Following:
    """Compare the scene with what it was the last time, and note what has changed."""

    def __init__(self, scene: Scene, choice: Choice) -> None:
        """Begin with the scene as it is."""
        self._scene = scene
        self._desk = scene.desk
        self._choice = choice
        self._turn = self._open_turn()
        self._is_turn_shown = True
        self._round = self._present_round()
        self._place = self._present_place()
        self._asked = self._open_question()
        self._standing = self._present_standing()

    def keep(self) -> None:
        """Bring the scene up to date."""
        self._keep_turn()
        self._keep_round()
        self._keep_asked()
        self._keep_place()
        self._keep_away()
        self._keep_fleeting()

    def _keep_turn(self) -> None:
        """Note when a question came up or is seen at last; what was said before it is over then."""
        scene, turn = self._scene, self._open_turn()
        if turn is None:
            scene.clock_at = None
        if turn != self._turn:
            self._turn = turn
            scene.flash = scene.flash if turn is None else ""
            scene.notice = ""
            self._is_turn_shown = False
        if not self._is_turn_shown:
            scene.turn_at = scene.now
            self._is_turn_shown = not self._is_covered()

    def _is_covered(self) -> bool:
        """Tell whether the page is not to be seen, or not all of it."""
        scene = self._scene
        return scene.small or scene.overlay is not None or scene.replay is not None

    def _open_turn(self) -> tuple[str, int] | None:
        table, turn = self._desk.table, self._desk.shown_turn
        return None if table is None or turn is None else (table.id, turn)

    def _keep_round(self) -> None:
        """Choose no tile of another round, and keep no time and no page of an ending that is over.

        This follows from the view, as a round may begin in an update that only shows it.
        """
        scene, table = self._scene, self._desk.table
        if self._present_round() != self._round:
            self._round = self._present_round()
            self._choice.forget()
        if table is None or table.view.state not in ENDED:
            scene.next_at = None
            scene.put_away = False
        if table is None or scene.overlay is Overlay.LOG:
            scene.unread.clear()
            scene.deals.clear()

    def _present_round(self) -> tuple[str, str, int] | None:
        table = self._desk.table
        return None if table is None else (table.id, table.view.match, table.view.round)

    def _keep_asked(self) -> None:
        """Note when a question about a key came up, and forget the one whose match is over."""
        self._desk.leaving = self._desk.leaving and self._desk.in_match
        if self._open_question() != self._asked:
            self._asked = self._open_question()
            self._scene.asked_at = self._scene.now

    def _open_question(self) -> tuple[bool, int | None]:
        return self._desk.leaving, self._desk.pass_asked

    def _keep_place(self) -> None:
        """Note when one has come to where one is, or back to it from a text or a replay over it.

        While a server is waited for no key is meant for anything else, so none comes too early.
        """
        place = self._present_place()
        if place != self._place:
            if self._place[0] is not Page.STARTING:
                self._scene.page_at = self._scene.now
            if self._place[:2] != place[:2]:
                self._scene.started = False
            self._place = place

    def _present_place(self) -> tuple[Page, object, bool]:
        """Return where one is; to look at the table between rounds is no other place."""
        scene, table = self._scene, self._desk.table
        page = Page.TABLE if table is not None else scene.page
        state = None if table is None else (table.id, table.view.state, table.view.round)
        return page, state, self._is_covered()

    def _keep_fleeting(self) -> None:
        """Tell no longer how it stood at the table, or anywhere else, when that has changed."""
        scene, standing = self._scene, self._present_standing()
        if standing != self._standing:
            self._standing = standing
            if scene.flash == scene.fleeting:
                scene.flash = ""

    def _present_standing(self) -> tuple[object, ...]:
        """Return where one is, and there whose turn it is and whether somebody is missing."""
        table = self._desk.table
        if table is None:
            return (self._scene.page,)
        view = table.view
        round_of = (table.id, view.match, view.round)
        return (*round_of, view.state, view.turn, view.to_act, table.free_seats)

    def _keep_away(self) -> None:
        """Forget since when a seat was away that is not any more."""
        table, since = self._desk.table, self._scene.away_since
        seats = table.view.seats if table is not None else []
        for number in list(since):
            if number >= len(seats) or seats[number].state is not SeatState.AWAY:
                del since[number]
