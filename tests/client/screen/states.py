"""Any table that a client may meet: random rounds, people, scores, and what is typed and said."""

from collections.abc import Callable

from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.screen.scene import Focus, Scene
from passing_client.screen.skin import ASCII, UNICODE
from passing_protocol.messages import Update
from passing_protocol.names import clean_chat
from passing_protocol.views import PublicView, SeatInfo, SeatState, TableState
from passing_rules import End, Tile
from tests.client.screen.tables import NOW, Player, scene_of
from tests.support.client_scene import full_view
from tests.support.rules_play import RNGS, STYLES, random_deal

NAMES = st.one_of(
    st.sampled_from(
        (
            "Bo",
            "Anastasia of the long name",
            "麻雀好きの人たち",
            "e\u0301\u0301\u0301e",
            "\x1b[2J\x1b]0;owned\x07",
            "\u202eevil",
            "\u1100\u1161\u11a8",
            "👩‍👩‍👧‍👦",
            "ααα ββ",
        )
    ),
    st.text(min_size=1, max_size=30),
)
SEATS = st.builds(
    SeatInfo,
    state=st.sampled_from([state for state in SeatState if state is not SeatState.EMPTY]),
    name=NAMES,
    engine=st.none() | st.just("careful"),
    ready=st.booleans(),
) | st.just(SeatInfo(SeatState.EMPTY))

SIZES = st.tuples(st.integers(60, 300), st.integers(12, 80)) | st.sampled_from(
    [(60, 12), (80, 24), (79, 24), (80, 23), (100, 30), (139, 30), (140, 30), (300, 80), (60, 80)]
)


@st.composite
def views(draw: st.DrawFn) -> PublicView:
    """Return the view of a table with any people and scores."""
    seats = draw(st.integers(2, 4))
    partners = seats == 4 and draw(st.booleans())
    view = full_view(seats, partners=partners)
    target = draw(st.sampled_from([view.game.target, 1, 9_999]))
    return replace(
        view,
        name=draw(NAMES),
        game=replace(view.game, target=target, pass_circles=draw(st.integers(1, 2))),
        table=replace(view.table, memory=draw(st.booleans())),
        owner=draw(st.none() | st.integers(0, seats - 1)),
        seats=draw(st.lists(SEATS, min_size=seats, max_size=seats)),
        scores=draw(
            st.lists(st.integers(0, 9_999), min_size=len(view.scores), max_size=len(view.scores))
        ),
    )


@st.composite
def players(draw: st.DrawFn) -> Player:
    """Return a round that somebody plays or watches, at any moment of it, mostly on their turn."""
    view = draw(views())
    seats = len(view.seats)
    rng = draw(RNGS)
    me = draw(st.sampled_from([*range(seats)] * 2 + [None]))
    player = Player(view, random_deal(rng, seats), me, draw(st.integers(0, seats - 1)))
    style = draw(st.sampled_from(STYLES))
    steps = draw(st.sampled_from(range(0, 61, 5)))
    _play(player, steps, lambda legal: style.choose(rng, legal))
    if me is not None and draw(st.sampled_from((True, True, False))):
        _play(player, (me - player.round.to_act) % seats, lambda legal: style.choose(rng, legal))
    return player


def _play(player: Player, steps: int, choose: Callable[[list[str]], str]) -> None:
    """Play so many turns, or until the round is over."""
    for _ in range(steps):
        if player.round.ending is not None:
            return
        actions = {str(action): action for action in player.round.legal_actions()}
        player.do(actions[choose(list(actions))])


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Return what somebody has before them at a table, whatever they have typed or chosen."""
    player = draw(players())
    state = draw(st.sampled_from([TableState.PLAYING] * 12 + [*TableState]))
    if state is not TableState.PLAYING:
        view = player.table.view
        player.table.apply(Update(2, "t1", view.rev + 1, [], public=replace(view, state=state)))
    skin = draw(st.sampled_from((UNICODE, ASCII)))
    said = draw(st.lists(st.text().map(clean_chat), max_size=5))
    scene = scene_of(player.table, skin, [*player.said, *said])
    hand = player.table.hand
    scene.typed = draw(
        st.sampled_from(["", "6", '"', '"麻雀 are you there? ', "/join 3", "/" * 400])
    )
    scene.flash = draw(st.just("") | st.text().map(clean_chat))
    scene.chosen = draw(st.sampled_from([None, Tile(0, 0), *hand]))
    scene.end = draw(st.sampled_from([None, *End]))
    scene.focus = draw(st.sampled_from(Focus))
    scene.key = draw(st.integers(0, 20))
    scene.clock_at = draw(st.none() | st.integers(NOW - 5_000, NOW + 9_000_000))
    scene.away_since = draw(st.dictionaries(st.integers(0, 3), st.integers(0, NOW), max_size=2))
    scene.desk.down = draw(st.booleans())
    scene.desk.pass_asked = draw(st.sampled_from([None, scene.desk.shown_turn]))
    scene.desk.acted = draw(st.sampled_from([None, scene.desk.shown_turn]))
    scene.put_away = draw(st.booleans())
    return scene
