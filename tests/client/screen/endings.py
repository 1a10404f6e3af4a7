"""Scenes in which a round or a match has ended, from legal games and from pictures."""

import random
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from passing_client.screen.cells import text_of, width
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_protocol.events import Event, MatchEnded, RoundEnded, StateChanged
from passing_protocol.messages import Agent, EngineInfo, Update
from passing_protocol.views import GameOptions, PublicView, TableState, options_of
from passing_protocol.wire import TileText, tile_text
from passing_rules import Deal, Ending, PartnerScoring, RoundScore, score_round, scores_after
from tests.client.screen.tables import NOW, Player, scene_of
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    after,
    game,
    round_ended,
    round_view,
    table_info,
    taken,
    tiles,
    train,
)
from tests.support.rules_play import STYLES, random_deal

SIZES = ((60, 12), (60, 18), (80, 24), (100, 30), (300, 80))
NEXT_MS = 15_000
FINAL_TRAIN = "44 04 00 06 16 01 02 26 36 23 24 14 15 45 46 56 05 03 35 55 25 22"
HANDS = ("13", "66", "33", "11")
HOSTILE_NAMES = (
    "Wilhelmina of Orange 123",
    "\u3042" * 12,
    "e\u0301" * 24,
    "\U0001f600" * 12,
    "Ω",
    "a" * 24,
    "\u202eevil",
    "\x1b[31mred",
    "[6|4]",
)


def tell(scene: Scene, *events: Event) -> None:
    """Let the table of a scene hear events."""
    table = scene.desk.table
    assert table is not None
    rev = table.view.rev + 1
    assert table.apply(Update(1, TABLE, rev, list(events))) is not None


def between(scene: Scene, event: RoundEnded) -> Scene:
    """Return the scene after the end of its round, with some time until the next."""
    tell(scene, event, StateChanged(TableState.BETWEEN, NEXT_MS))
    scene.next_at = NOW + NEXT_MS
    return scene


def picture_view(*, partners: bool = False) -> PublicView:
    """Return the end of the train of the picture, the four of the pictures at it."""
    view = after(round_view(partners=partners), "06")
    return replace(
        view,
        train=train(FINAL_TRAIN),
        ends=(4, 2),
        boneyard=2,
        drawable=0,
        hands=[1, 1, 1, 1],
        seats=[taken("Dana"), taken("Bo"), taken("Caro", "careful"), taken("Emil", ready=True)],
    )


def seated_scene(view: PublicView, me: int | None = 0) -> Scene:
    """Return a scene at a table with this view; `me` holds the hand of the picture."""
    player = Player(
        replace(round_view(len(view.seats), partners=view.game.partners), game=view.game),
        random_deal(random.Random(1), len(view.seats)),
        me,
        0,
    )
    mine = player.table.mine
    own = None if mine is None else replace(mine, hand=tiles(HANDS[mine.seat]))
    player.table.apply(Update(1, TABLE, view.rev + 100, [], public=view, mine=own))
    scene = scene_of(player.table)
    scene.clock_at = None
    return scene


def picture_ending(
    ending: Literal["out", "blocked", "passed_out"] = "blocked",
    hands: Sequence[str] = HANDS,
    scores: Sequence[int] = (37, 12, 44, 40),
    *,
    partners: bool = False,
    shown: bool = True,
    me: int | None = 0,
    options: GameOptions | None = None,
) -> Scene:
    """Return the scene of the picture, scored by the rules."""
    view = picture_view(partners=partners)
    view = replace(view, game=options or view.game)
    held = round_ended(ending, hands, scores, shown=shown)
    out = view.actions[-1].seat if ending == "out" else None
    score = score_round(options_of(view.game), tuple(held.pips), out)
    return between(seated_scene(view, me), _scored(held, score))


def _scored(event: RoundEnded, score: RoundScore) -> RoundEnded:
    return replace(event, winners=list(score.winners), side=score.side, points=score.points)


def match_over(scene: Scene, event: MatchEnded) -> Scene:
    """Return the scene after the end of the match."""
    tell(scene, event)
    scene.next_at = None
    return scene


# --- random games ---------------------------------------------------------------------------------


def played_out(rng: random.Random, view: PublicView, deal: Deal, me: int | None) -> Player:
    """Play a round to its end."""
    player = Player(view, deal, me, rng.randrange(len(view.seats)))
    style = rng.choice(STYLES)
    while player.round.ending is None:
        legal = {str(action): action for action in player.round.legal_actions()}
        player.do(legal[style.choose(rng, list(legal))])
    return player


def random_ending(
    rng: random.Random, *, names: Sequence[str] = (), shown: bool = True
) -> tuple[Scene, RoundEnded]:
    """Return a scene after a random round under random options, and how it ended."""
    seats = rng.choice((2, 3, 4))
    partners = seats == 4 and rng.random() < 0.5
    view = round_view(seats, partners=partners)
    if names:
        view = replace(view, seats=[taken(rng.choice(names)) for _ in range(seats)])
    view = replace(view, game=_random_game(rng, seats, partners))
    me = rng.choice((None, *range(seats)))
    player = played_out(rng, view, random_deal(rng, seats), me)
    event = _event_of(player, shown)
    return between(scene_of(player.table), event), event


def _random_game(rng: random.Random, seats: int, partners: bool) -> GameOptions:
    return replace(
        game(seats, partners=partners),
        pass_circles=rng.choice((1, 2)),
        out_wins_ties=rng.random() < 0.4,
        partner_scoring=rng.choice(tuple(PartnerScoring)),
    )


def _event_of(player: Player, shown: bool) -> RoundEnded:
    """Return the end of a round as a server tells it."""
    played, view = player.round, player.table.view
    assert played.ending is not None
    out = view.actions[-1].seat if played.ending is Ending.OUT else None
    score = score_round(options_of(view.game), played.pips, out)
    scores = list(scores_after(tuple(view.scores), score))
    seats = range(len(view.seats))
    hands: list[list[TileText]] = [[tile_text(t) for t in played.hand(seat)] for seat in seats]
    return RoundEnded(
        view.round, _ENDINGS[played.ending], list(played.pips), list(score.winners),
        score.points, scores, score.side, hands if shown else None,
    )  # fmt: skip


_ENDINGS: dict[Ending, Literal["out", "blocked", "passed_out"]] = {
    Ending.OUT: "out",
    Ending.BLOCKED: "blocked",
    Ending.PASSED_OUT: "passed_out",
}


# --- what a picture must be -----------------------------------------------------------------------


def texts(picture: Picture) -> list[str]:
    """Return the lines of a picture as text."""
    return [text_of(line) for line in picture.lines]


def check_size(picture: Picture, columns: int, rows: int) -> None:
    """Check that a picture fills its screen exactly, its cursor on it."""
    assert len(picture.lines) == rows
    for line in picture.lines:
        assert width(text_of(line)) == columns, text_of(line)
    if picture.cursor is not None:
        row, column = picture.cursor
        assert 0 <= row < rows
        assert 0 <= column < columns


def lobby_scene() -> Scene:
    """Return the lobby of the picture: four tables, two engines that wait."""
    scene = scene_of(None)
    bots = [taken(name, "careful") for name in ("careful", "greedy", "random", "greedy 2")]
    scene.desk.tables = [
        table_info("kitchen", [taken("Bo"), taken("Caro", "careful"), EMPTY, EMPTY]),
        table_info(
            "lab",
            [taken("Ann"), taken("Ben"), taken("Cy")],
            table="t2",
            state=TableState.PLAYING,
            round_number=2,
        ),
        table_info(
            "league", bots, table="t3", state=TableState.PLAYING, partners=True, round_number=12
        ),
        table_info("attic", [taken("Dora"), taken("Eve")], table="t4", state=TableState.STARTING),
    ]
    agent = Agent("bot", "1")
    scene.desk.engines = [EngineInfo(name, agent, 1) for name in ("careful", "greedy")]
    scene.clock_at = None
    return scene
