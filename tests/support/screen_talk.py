"""Somebody at the full screen, without a terminal: keys go in, and what is sent comes out."""

from msgspec.structs import replace

from passing_client.screen.controller import SEEN_MS, Controller
from passing_client.screen.scene import Scene
from passing_client.settings import ConfirmPass
from passing_link.news import LinkNews
from passing_protocol.messages import ServerMessage
from passing_protocol.views import Ask, PublicView
from tests.support.client_scene import Talk, after, ask, full_view, round_ended, round_view


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
    ) -> None:
        super().__init__(
            confirm_pass=confirm_pass, private=private, to_the_end=to_the_end, wanted=wanted
        )
        self.now = 1_000
        self.rings = 0
        self.scene = Scene(self.conversation.desk, starting=starting)
        self.controller = Controller(
            self.conversation, self.scene, clock=lambda: self.now, ring=self._rung
        )

    def _rung(self) -> None:
        self.rings += 1

    def hears(self, *items: ServerMessage | LinkNews) -> list[str]:
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
        ended = round_ended("out", ["", "01", "02", "03"], [37, 12, 44, 26], winners=[0], points=6)
        self.update(ended)

    def before_the_match(self) -> None:
        """Be Dana at a table of her own whose seats are filled."""
        self.sits(full_view(), hand="")
