"""How a league goes, while it is played: a line of 80 columns, and faults as they happen."""

import io
import re

from hypothesis import given
from hypothesis import strategies as st

from passing_bots.league.log import EngineOut, FaultKind, FaultNoted, LeagueEvent
from passing_bots.league.plan import GameKey, games
from passing_bots.league.progress import ALIKE, CLEAR, WIDTH, Progress
from passing_bots.league.settings import LeagueSettings
from tests.support.league_logs import by_luck, fault, game_over, league, whole_log


class Scene:
    """A progress on a stream, with a clock that is set by hand."""

    def __init__(self, settings: LeagueSettings, *, terminal: bool = False) -> None:
        self.now = 0.0
        self.stream = io.StringIO()
        self.progress = Progress(settings, self.stream, terminal=terminal, clock=lambda: self.now)

    def tell(self, *events: LeagueEvent, playing: int = 0, seconds: float = 0.0) -> None:
        for event in events:
            self.now += seconds
            self.progress.tell(event, playing)

    def said(self) -> list[str]:
        return self.stream.getvalue().splitlines()


PAIR = league("a", "b", blocks=2)
KEYS = list(games(PAIR))


def test_a_line_says_how_far_it_is_faults_first() -> None:
    scene = Scene(PAIR)
    scene.tell(fault("a", KEYS[0]), game_over(PAIR, KEYS[0], (1, 0), ["a"]), seconds=10)
    assert scene.said() == [
        "a: no answer, game a+b/1/0: 3 strikes",
        "games 0/4   0%  faults 1  playing 0  0.0 games/s  left ? [....................]",
        "games 1/4  25%  faults 1  playing 0  0.1 games/s  left 1:00 [####.............]",
    ]


@given(
    st.integers(1, 100_000),
    st.integers(1, 64),
    st.integers(0, 256),
    st.integers(0, 400),
    st.floats(0.001, 1e5),
)
def test_a_line_on_a_terminal_never_loses_the_faults(
    blocks: int, faults: int, playing: int, ended: int, seconds: float
) -> None:
    settings = league("a", "b", blocks=blocks)
    scene = Scene(settings, terminal=True)
    for _ in range(faults):
        scene.progress.recall(fault("a", KEYS[0]))
    for _ in range(min(ended, 2 * blocks - 1)):
        scene.progress.recall(game_over(settings, KEYS[0], (1, 0)))
    scene.tell(game_over(settings, KEYS[1], (1, 0)), playing=playing, seconds=seconds)
    for line in scene.stream.getvalue().split(CLEAR)[1:]:
        assert len(line) <= WIDTH
        assert re.match(
            rf"games \d+/{2 * blocks} +\d+%  faults {faults}  playing {playing}  ", line
        )


def test_faults_of_a_kind_are_told_three_times_and_then_counted() -> None:
    chosen = league("a", "b", blocks=10)
    scene = Scene(chosen)
    for key in games(chosen):
        scene.tell(fault("a", key, FaultKind.NOT_CONNECTED, "late"))
    scene.tell(fault("b", KEYS[0], FaultKind.LEFT, "left"), fault("a", KEYS[0], FaultKind.LEFT))
    assert scene.said() == [
        *(f"a: not connected, game a+b/{place}: late" for place in ("1/0", "1/1", "2/0")),
        "b: left, game a+b/1/0: left",
        "a: left, game a+b/1/0: 3 strikes",
    ]
    scene.progress.close()
    assert scene.said()[-1] == f"a: not connected, in {20 - ALIKE} more games"
    assert "faults 22" in scene.said()[-2]


def test_what_is_not_the_engines_fault_and_who_is_out_is_always_told() -> None:
    scene = Scene(PAIR)
    killed = FaultNoted("a", "worker", FaultKind.KILLED, "signal 9", *_place(KEYS[0]), replay=True)
    broken = FaultNoted(None, "server", FaultKind.BROKEN_OFF, "left", *_place(KEYS[0]), replay=True)
    scene.tell(killed, broken, EngineOut("a", "5 faults in a row"))
    assert scene.said() == [
        "a: game a+b/1/0 is played again: signal 9",
        "server: game a+b/1/0 is played again: left",
        "a is out: 5 faults in a row",
    ]


def _place(key: GameKey) -> tuple[tuple[str, ...], int, int]:
    return key.pairing, key.block, key.rotation


def test_evidence_cannot_harm_a_terminal() -> None:
    scene = Scene(PAIR, terminal=True)
    scene.tell(fault("a", KEYS[0], evidence="\x1b[2Jboom\n" + "x" * 900))
    (line,) = scene.stream.getvalue().removeprefix(CLEAR).splitlines()
    assert line.isprintable()
    assert len(line) == 200


def test_the_last_line_tells_that_all_is_done() -> None:
    scene = Scene(PAIR)
    scene.tell(*whole_log(PAIR, by_luck(PAIR)))
    scene.now = 2.0
    scene.progress.close()
    assert scene.said() == [
        "games 4/4 100%  faults 0  playing 0  2.0 games/s  left 0:00 [#################]"
    ]
