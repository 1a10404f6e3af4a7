"""The pictures that are kept of the pages around the table: how each is made."""

from collections.abc import Callable

from msgspec.structs import replace

from passing_client.judging import hear_verdict
from passing_client.replaying import Replay
from passing_client.screen.drawing import draw
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Overlay, Scene
from passing_client.screen.skin import ASCII
from passing_protocol.events import Fault, MatchEnded
from passing_protocol.records import FULL, PUBLIC, View, parse
from passing_protocol.verdicts import Outcome, Reason, Verdict
from tests.client.screen.endings import (
    lobby_scene,
    match_over,
    picture_ending,
    picture_view,
    seated_scene,
)
from tests.client.screen.tables import NOW, four, scene_of
from tests.support.client_scene import TABLE
from tests.support.records import WHOLE

SIZES = ((80, 24), (60, 18), (100, 30))


def starting() -> Scene:
    scene = scene_of(None)
    scene.starting, scene.starting_at, scene.clock_at = "Starting 3 engines.", NOW - 4_000, None
    return scene


def empty_lobby() -> Scene:
    scene = scene_of(None)
    scene.clock_at = None
    return scene


def many_tables() -> Scene:
    scene = lobby_scene()
    tables = [replace(t, name=f"{t.name} {n}") for n in range(12) for t in scene.desk.tables]
    scene.desk.tables, scene.row = tables, 25
    return scene


def partners() -> Scene:
    return picture_ending(scores=[37, 32], partners=True)


def tied() -> Scene:
    return picture_ending("out", ["00", "", "33", "11"], [37, 12, 44, 20])


def hidden() -> Scene:
    return picture_ending(shown=False, me=None)


def checked() -> Scene:
    scene = picture_ending()
    hear_verdict(scene.desk, Verdict(TABLE, "m1", 3, 3, Outcome.CHECKED))
    return scene


def unfair() -> Scene:
    scene = picture_ending()
    found = Verdict(TABLE, "m1", 3, 3, Outcome.FAILED, Reason.OWN_LINK_MISSING)
    hear_verdict(scene.desk, found)
    return scene


def unfair_in_play() -> Scene:
    player = four(3)
    scene = scene_of(player.table, said=player.said)
    hear_verdict(scene.desk, Verdict(TABLE, "m1", 2, 2, Outcome.FAILED, Reason.OWN_HAND))
    return scene


def match_end() -> Scene:
    event = MatchEnded("target", [37, 12, 64, 40], 2)
    return match_over(picture_ending(hands=["13", "66", "11", "33"], scores=event.scores), event)


def forfeited() -> Scene:
    fault = Fault("player", "the seat was away for 300 seconds", 2)
    return match_over(seated_scene(picture_view()), MatchEnded("forfeit", [3, 40, 1, 0], 1, fault))


def replaying(step: int, eyes: View = FULL) -> Callable[[], Scene]:
    """Return how to make a scene in which the whole game of RECORDS.md is looked at."""

    def scene() -> Scene:
        made = scene_of(None)
        made.replay = Replay(parse(WHOLE)[0])
        made.replay.go(step)
        made.replay.eyes = eyes
        return made

    return scene


def reading(overlay: Overlay, me: int | None = 3) -> Callable[[], Scene]:
    """Return how to make the scene in which a text is read at the table of most pictures."""

    def scene() -> Scene:
        player = four(me)
        made = scene_of(player.table, said=player.said)
        made.overlay = overlay
        return made

    return scene


def _at(make: Callable[[], Scene], columns: int, rows: int) -> Callable[[], Picture]:
    return lambda: draw(make(), columns, rows)


def _in_ascii(make: Callable[[], Scene], columns: int, rows: int) -> Callable[[], Picture]:
    def picture() -> Picture:
        scene = make()
        scene.skin = ASCII
        return draw(scene, columns, rows)

    return picture


def _everywhere(name: str, make: Callable[[], Scene]) -> dict[str, Callable[[], Picture]]:
    """Return the pictures of a scene in every size, with and without box drawing."""
    pictures = {f"{name}-{c}x{r}": _at(make, c, r) for c, r in SIZES}
    return pictures | {f"{name}-{c}x{r}-ascii": _in_ascii(make, c, r) for c, r in SIZES}


PAGES: dict[str, Callable[[], Picture]] = {
    **_everywhere("round-end", picture_ending),
    **_everywhere("match-end", match_end),
    **_everywhere("lobby", lobby_scene),
    **_everywhere("help", reading(Overlay.HELP)),
    **_everywhere("replay", replaying(18)),
    "replay-60x12": _at(replaying(18), 60, 12),
    "replay-300x80": _at(replaying(18), 300, 80),
    "replay-deal-80x24": _at(replaying(0), 80, 24),
    "replay-seat-80x24": _at(replaying(18, View(seat=1)), 80, 24),
    "replay-public-80x24": _at(replaying(18, PUBLIC), 80, 24),
    "replay-end-80x24": _at(replaying(99), 80, 24),
    "replay-end-60x12": _at(replaying(99), 60, 12),
    "round-end-60x12": _at(picture_ending, 60, 12),
    "round-end-300x80": _at(picture_ending, 300, 80),
    "round-end-partners-80x24": _at(partners, 80, 24),
    "round-end-partners-60x12": _at(partners, 60, 12),
    "round-end-tied-80x24": _at(tied, 80, 24),
    "round-end-hidden-80x24": _at(hidden, 80, 24),
    "round-end-checked-80x24": _at(checked, 80, 24),
    "round-end-unfair-80x24": _at(unfair, 80, 24),
    "round-end-unfair-60x18": _at(unfair, 60, 18),
    "table-unfair-80x24": _at(unfair_in_play, 80, 24),
    "match-end-60x12": _at(match_end, 60, 12),
    "match-end-forfeit-80x24": _at(forfeited, 80, 24),
    "lobby-empty-80x24": _at(empty_lobby, 80, 24),
    "lobby-empty-60x12": _at(empty_lobby, 60, 12),
    "lobby-many-80x24": _at(many_tables, 80, 24),
    "lobby-300x80": _at(lobby_scene, 300, 80),
    "starting-80x24": _at(starting, 80, 24),
    "log-80x24": _at(reading(Overlay.LOG), 80, 24),
    "scores-80x24": _at(reading(Overlay.SCORES), 80, 24),
    "passes-80x24": _at(reading(Overlay.PASSES), 80, 24),
    "passes-watching-80x24": _at(reading(Overlay.PASSES, None), 80, 24),
}
"""The pictures by the names of their files."""
