"""Updates such as no honest server sends: well formed, but their parts need not go together."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.events import (
    Event,
    Fault,
    MatchBegan,
    MatchEnded,
    OwnerChanged,
    RoundBegan,
    RoundEnded,
    Said,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.messages import Update
from passing_protocol.views import (
    Acted,
    Ask,
    Clock,
    DealKind,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
    TrainTile,
)
from passing_protocol.wire import TILE_TEXTS, action_message
from passing_rules import ALL_TILES, Draw, End, Pass, Play
from tests.support.client_scene import TABLE, after, game, open_view, round_view

T = TypeVar("T")

SEATS: Final = st.integers(0, 3)
COUNTS: Final = st.integers(0, 30)
TILES: Final = st.sampled_from(TILE_TEXTS)
NAMES: Final = st.sampled_from(["Dana", "Bo", "\u202eevil", "x" * 24])
ACTIONS: Final = st.sampled_from(
    [
        action_message(Draw()),
        action_message(Pass()),
        *(action_message(Play(tile, end)) for tile in ALL_TILES for end in (None, *End)),
    ]
)
ACTED: Final = st.builds(Acted, SEATS, COUNTS, ACTIONS, st.booleans())
INFOS: Final = st.builds(
    SeatInfo,
    st.sampled_from(SeatState),
    st.none() | NAMES,
    st.none() | st.just("careful"),
    st.booleans(),
    st.integers(0, 3),
)


def few(each: st.SearchStrategy[T], most: int = 5) -> st.SearchStrategy[list[T]]:
    return st.lists(each, max_size=most)


FAULTS: Final = st.builds(Fault, st.just("player"), st.just("It left."), st.none() | SEATS)
EVENTS: Final[st.SearchStrategy[Event]] = st.one_of(
    ACTED,
    st.builds(SeatChanged, SEATS, INFOS, st.none() | FAULTS),
    st.builds(OwnerChanged, st.none() | SEATS),
    st.builds(StateChanged, st.sampled_from(TableState), st.none() | COUNTS),
    st.builds(MatchBegan, st.just("m2"), COUNTS),
    st.builds(RoundBegan, COUNTS, SEATS, st.sampled_from(DealKind), few(COUNTS), COUNTS, COUNTS),
    st.builds(
        RoundEnded,
        COUNTS,
        st.sampled_from(["out", "blocked", "passed_out"]),
        few(COUNTS),
        few(SEATS),
        COUNTS,
        few(COUNTS),
        st.none() | SEATS,
        st.none() | few(few(TILES)),
    ),
    st.builds(
        MatchEnded,
        st.sampled_from(["target", "max_rounds", "forfeit", "abandoned"]),
        few(COUNTS),
        st.none() | SEATS,
        st.none() | FAULTS,
    ),
    st.builds(Said, NAMES, st.just("hello"), st.none() | SEATS),
    st.builds(WatchersChanged, COUNTS),
)

NONE_REFUSED: Final[dict[str, str]] = {}
ENDS: Final = st.none() | st.tuples(st.integers(-3, 9), st.integers(0, 6))
_FIELDS: Final[Mapping[str, st.SearchStrategy[object]]] = {
    "state": st.sampled_from(TableState),
    "game": st.builds(game, st.integers(2, 4)),
    "table": st.builds(TableOptions, memory=st.booleans()),
    "owner": st.none() | SEATS,
    "seats": few(INFOS),
    "scores": few(COUNTS),
    "round": COUNTS,
    "turn": COUNTS,
    "leader": st.none() | SEATS,
    "to_act": st.none() | SEATS,
    "train": few(st.builds(TrainTile, TILES, SEATS)),
    "ends": ENDS,
    "hands": few(COUNTS),
    "boneyard": COUNTS,
    "drawable": COUNTS,
    "passes": COUNTS,
    "actions": few(ACTED),
}

_VIEWS: Final[list[Callable[[], PublicView]]] = [
    open_view,
    round_view,
    lambda: round_view(2),
    lambda: round_view(partners=True),
    lambda: after(round_view(), "06", "d", "00<"),
    lambda: after(round_view(3), "46", "-", "-"),
]


@st.composite
def views(draw: st.DrawFn) -> PublicView:
    """A view of a round, of which a few fields, or none, are anything they can be on the wire."""
    view = draw(st.sampled_from(_VIEWS))()
    for name in draw(st.lists(st.sampled_from(sorted(_FIELDS)), max_size=2)):
        view = replace(view, **{name: draw(_FIELDS[name])})
    return view


def updates(*, shown: bool = False) -> st.SearchStrategy[Update]:
    """Updates of the table; `shown` ones have a view."""
    shows = views()
    return st.builds(
        Update,
        seq=st.just(1),
        table=st.just(TABLE),
        rev=st.just(0),
        events=few(EVENTS, 3),
        hash=st.none() | st.just("0" * 16),
        public=shows if shown else st.none() | shows,
        mine=st.none() | st.builds(Mine, SEATS, few(TILES), st.none() | TILES),
        ask=st.none()
        | st.none()
        | st.builds(
            Ask,
            COUNTS,
            few(ACTIONS, 2),
            st.sampled_from([NONE_REFUSED, {"draw": "new_code"}]),
            st.none() | st.builds(Clock, COUNTS, COUNTS),
        ),
    )
