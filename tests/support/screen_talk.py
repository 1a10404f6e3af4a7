"""Somebody at the full screen, without a terminal: keys go in, and what is sent comes out."""

from msgspec.structs import replace

from passing_client.screen.cells import text_of
from passing_client.screen.controller import Controller
from passing_client.screen.drawing import draw
from passing_client.screen.keys import hints
from passing_client.screen.scene import Scene
from passing_client.screen.timing import SEEN_MS
from passing_client.server_board import ServerBoard
from passing_client.settings import ConfirmPass
from passing_link.news import Item
from passing_protocol.events import StateChanged
from passing_protocol.messages import TableInfo
from passing_protocol.views import Ask, PublicView, TableState
from tests.support.client_scene import (
    EMPTY,
    Talk,
    after,
    ask,
    full_view,
    round_ended,
    round_view,
    table_info,
    taken,
)

TWO = (
    table_info("kitchen", [taken("Bo"), EMPTY]),
    table_info("attic", [taken("Caro"), EMPTY, EMPTY], table="t2"),
)


class ScreenTalk(Talk):
    """Let a test be the server and the person at the full screen; it has a clock of its own."""

    def __init__(
        self,
        *,
        confirm_pass: ConfirmPass = ConfirmPass.ASK,
        private: bool = False,
        to_the_end: bool = False,
        wanted: str | None = None,
        starting: str = "",
        board: ServerBoard | None = None,
    ) -> None:
        super().__init__(
            confirm_pass=confirm_pass, private=private, to_the_end=to_the_end, wanted=wanted
        )
        self.now = 1_000
        self.rings = 0
        self.scene = Scene(self.conversation.desk, starting=starting, servers=board)
        self.controller = Controller(
            self.conversation, self.scene, clock=lambda: self.now, ring=self._rung
        )

    def _rung(self) -> None:
        self.rings += 1

    def hears(self, *items: Item) -> list[str]:
        """Send messages to the client, and return what they add to the log."""
        before = len(self.scene.log)
        for item in items:
            self.controller.hear(item)
        return list(self.scene.log)[before:]

    def passes(self, milliseconds: int = SEEN_MS) -> None:
        """Let time pass."""
        self.now += milliseconds

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.controller.press(key)

    def press_again(self, key: str) -> None:
        """Press a key once it was seen what it asked for the first time."""
        self.passes()
        self.press(key)

    def picture(self, columns: int = 80, rows: int = 24) -> str:
        """Return what is drawn on a screen of a size, without what breaks its lines."""
        self.controller.resize(columns, rows)
        drawn = draw(self.scene, columns, rows)
        return " ".join(" ".join(text_of(line) for line in drawn.lines).split())

    def commands(self, text: str) -> None:
        """Type a command and Enter."""
        self.press("/")
        self.writes(text)
        self.press("enter")

    def on_the_bar(self, name: str) -> None:
        """Go to the bar of keys and along it to an action."""
        self.press("tab")
        names = [action.name for action in hints(self.scene)]
        self.press(*["right"] * names.index(name))

    def writes(self, text: str) -> None:
        """Press the key of every character."""
        self.press(*text)

    # places to be

    def on_turn(
        self,
        legal: str = "02< 04< 46> d -",
        *,
        hand: str = "02 04 13 46",
        question: Ask | None = None,
        seen: bool = True,
    ) -> None:
        """Be Dana on turn 25 at the ends 0 and 6, who has seen that it is her turn."""
        view = after(round_view(), "06", "d", "00<")
        self.sits(self.my_view(view, hand), hand=hand, ask=question or ask(25, legal))
        if seen:
            self.passes()

    def my_view(self, view: PublicView, hand: str) -> PublicView:
        hands = [len(hand.split()), 5, 7, 5]
        return replace(view, turn=25, to_act=0, hands=hands, actions=[])

    def waiting(self, hand: str = "02 04 13 46") -> None:
        """Be Dana while Bo is to lead."""
        self.sits(round_view(), hand=hand)

    def between(self) -> None:
        """Be Dana after a round."""
        self.sits(after(round_view(), "06", "d"), hand="02 46")
        self.round_ends()
        self.passes()

    def round_ends(self) -> None:
        """End the round, of which nobody has seen anything yet."""
        ended = round_ended("out", ["", "01", "02", "03"], [37, 12, 44, 26], winners=[0], points=6)
        self.update(ended, StateChanged(TableState.BETWEEN, 20_000))

    def before_the_match(self) -> None:
        """Be Dana at a table of her own whose seats are filled."""
        self.sits(full_view(), hand="")
        self.passes()


def on_turn(legal: str = "02< 04< 46> d -", *, hand: str = "02 04 13 46") -> ScreenTalk:
    """Return Dana's talk on her turn, which she has seen."""
    talk = ScreenTalk()
    talk.on_turn(legal, hand=hand)
    return talk


def lobby(*tables: TableInfo) -> ScreenTalk:
    """Return a talk before the list of these tables, without any two of them."""
    talk = ScreenTalk()
    talk.begins()
    talk.tables(*(tables or TWO), engines="careful greedy")
    talk.sent()
    return talk
