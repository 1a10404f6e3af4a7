"""Scenes of a table made from legal games, as a client meets them update by update."""

from collections.abc import Sequence

from msgspec.structs import replace

from passing_client.desk import Desk
from passing_client.model import TableModel
from passing_client.screen.scene import Scene
from passing_client.screen.skin import UNICODE, Skin
from passing_client.words.events import moment_lines
from passing_protocol.messages import Update
from passing_protocol.views import (
    Acted,
    Ask,
    Clock,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableState,
)
from passing_protocol.wire import action_message, tile_text
from passing_rules import Action, Deal, Draw, Round, Tile
from tests.support.client_scene import (
    TABLE,
    FakeFace,
    FakeLink,
    full_view,
    taken,
)
from tests.support.rules_deals import deal_with
from tests.support.rules_play import actions

FIRST_TURN = 20
NOW = 1_000_000
CLOCK = Clock(23_000, 0)


class Player:
    """Play a round at the table of one client: everything legal, everything told as a server does.

    `me` is the client's seat; None watches.
    """

    def __init__(self, view: PublicView, deal: Deal, me: int | None, leader: int) -> None:
        self.round = Round(deal, leader, view.game.pass_circles or 1)
        self.me = me
        sizes = self.round.hand_sizes
        yard = self.round.boneyard_size
        view = replace(
            view,
            match="m1",
            state=TableState.PLAYING,
            round=3,
            turn=FIRST_TURN,
            leader=leader,
            to_act=leader,
            hands=list(sizes),
            boneyard=yard,
            drawable=yard - 2,
        )
        self.table = TableModel(TABLE, view)
        self.said: list[str] = []
        self._tell(public=view, mine=self._mine())

    def do(self, action: Action) -> None:
        """Let the seat that is on turn do something."""
        seat = self.round.to_act
        record = self.round.do(seat, action)
        acted = Acted(seat, self.table.view.turn, action_message(action))
        drew = record.drawn if seat == self.me else None
        self._tell(acted, mine=self._mine(drew) if drew is not None else None)

    def _mine(self, drew: Tile | None = None) -> Mine | None:
        return None if self.me is None else self.part_of(self.me, self.round.hand(self.me), drew)

    @staticmethod
    def part_of(seat: int, hand: Sequence[Tile], drew: Tile | None = None) -> Mine:
        """Return what a seat with this hand is told of itself."""
        return Mine(seat, [tile_text(tile) for tile in hand], tile_text(drew) if drew else None)

    def _tell(
        self, *events: Acted, public: PublicView | None = None, mine: Mine | None = None
    ) -> None:
        turn = self.table.view.turn + len(events)
        update = Update(1, TABLE, turn, list(events), public=public, mine=mine, ask=self._ask(turn))
        for moment in self.table.apply(update) or []:
            self.said += moment_lines(moment, self.me)

    def _ask(self, turn: int) -> Ask | None:
        if self.round.ending is not None or self.round.to_act != self.me:
            return None
        legal = self.round.legal_actions()
        refused = {} if Draw() in legal else {"draw": "boneyard_floor"}
        return Ask(turn, [action_message(action) for action in legal], refused, CLOCK)


def scene_of(table: TableModel | None, skin: Skin = UNICODE, said: Sequence[str] = ()) -> Scene:
    """Return a scene with 23 seconds left of the time for the open question."""
    desk = Desk(FakeLink(), FakeFace())
    desk.table = table
    scene = Scene(desk, skin, server="den.local", now=NOW, clock_at=NOW + CLOCK.turn_ms)
    scene.log.extend(said)
    return scene


# --- the tables of the pictures ------------------------------------------------------------------

FOUR = deal_with(
    "02 05 22 26 34 66",
    "00 25 06 36 11 33",
    "23 55 03 04 13 16",
    "01 14 15 24 44 56",
    draws="45 46",
    stay="12 35",
)
FOUR_ACTIONS = "d 26 36> 23> d 22< 25< 55< 24> 05< 06< - 56< 34> - 03>"


def four(me: int | None = 3, *, partners: bool = False) -> Player:
    """Return the table of most pictures: 12 tiles on it, Dana on turn, Caro a bot, Emil away."""
    seats = [
        taken("Bo"),
        taken("Caro", "careful"),
        SeatInfo(SeatState.AWAY, "Emil"),
        taken("Dana"),
    ]
    scores = [44, 37] if partners else [12, 44, 20, 37]
    view = replace(full_view(4, partners=partners), seats=seats, scores=scores)
    return played(view, FOUR, me, 3, FOUR_ACTIONS)


def played(view: PublicView, deal: Deal, me: int | None, leader: int, texts: str) -> Player:
    """Return a round after these actions."""
    player = Player(view, deal, me, leader)
    for action in actions(texts):
        player.do(action)
    return player


def _two(scores: Sequence[int]) -> PublicView:
    return replace(full_view(2), seats=[taken("Bo"), taken("Dana")], scores=list(scores))


LONG_TRAIN = "16 06 00 02 23 03 05 15 13 35 45 24 12 11 01 04 46 56 25 22 26 36 33 34"


def longest() -> Player:
    """Return a table with 24 tiles on it, of which nobody can have more and still play."""
    train = LONG_TRAIN.split()
    bo, dana = train[::2], train[1::2]
    deal = deal_with(
        " ".join([*bo[:6], "44"]),
        " ".join([*dana[:6], "14"]),
        draws=" ".join(tile for pair in zip(bo[6:], dana[6:], strict=True) for tile in pair),
        stay="55 66",
    )
    plays = [train[0], *(f"{tile}>" for tile in train[1:])]
    return played(_two([64, 37]), deal, 1, 0, " ".join(["d"] * 12 + plays + ["-"]))


def largest() -> Player:
    """Return a table where Dana holds 19 tiles, more than which nobody can."""
    deal = deal_with(
        "36 33 13 66 26 24 46",
        "00 01 02 04 05 06 11",
        draws="12 14 15 16 22 23 25 34 35 44 45 03",
        stay="55 56",
    )
    bo = ["36", "33<", "13<", "66>", "26>", "24>", *["-"] * 7]
    texts = [text for act in bo for text in (act, "d")][:-1]
    return played(_two([64, 37]), deal, 1, 0, " ".join(texts))
