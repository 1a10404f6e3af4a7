"""An engine with a memory gains where a deal comes back to it, and nothing where none does."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_bots import Engine, RoundStart
from passing_bots.catalogue import find
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_link.processes import start_engine, start_server
from passing_protocol.events import MatchEnded, RoundEnded
from passing_protocol.views import GameOptions
from passing_protocol.wire import TileText, tile_text
from passing_rules import Deal, Draw, Options, Round
from tests.support.arena import Played, deal_of, play_round, seeds_of
from tests.support.hall import open_as_organiser, seat, watch
from tests.support.memories import Course, Memories, Memory, mask_of
from tests.support.remembering import OF_THIS_PROCESS, Remembering, Sharing, greedy_code

TWO = Options.of(2)
DEALS = range(80)
GREEDY = GreedyEngine()
STANDARD_ERRORS = 6


def play_told(
    engines: Sequence[Engine], number: int, options: Options = TWO, *, shown: bool = True
) -> Played:
    """Play a round of a deal with the hooks called, as a table does."""
    deal, leader = deal_of(number, options), number % options.seats
    for number_of_seat, engine in enumerate(engines):
        engine.begin_round(RoundStart(1, leader, deal.hands[number_of_seat]))
    played = play_round(engines, deal, leader, options)
    for engine in engines:
        engine.end_round(result_of(played, shown=shown))
    return played


def result_of(played: Played, *, shown: bool) -> RoundEnded:
    round_ = played.round
    assert round_.ending is not None
    hands: list[list[TileText]] = [
        [tile_text(tile) for tile in round_.hand(seat)] for seat in range(round_.seats)
    ]
    points = list(played.points)
    return RoundEnded(
        1,
        round_.ending.value,
        list(round_.pips),
        [],
        max(points),
        points,
        hands=hands if shown else None,
    )


def rotations(
    first: Engine, second: Engine, other: Engine = GREEDY, *, shown: bool = True
) -> list[float]:
    """Return the margin of each deal: `first` plays it at seat 0, then `second` at seat 1."""
    margins: list[float] = []
    for number in DEALS:
        here = play_told([first, other], number, shown=shown).points
        there = play_told([other, second], number, shown=shown).points
        margins.append((here[0] - here[1] + there[1] - there[0]) / 2)
    return margins


def mean_and_error(margins: Sequence[float]) -> tuple[float, float]:
    mean = sum(margins) / len(margins)
    variance = sum((margin - mean) ** 2 for margin in margins) / (len(margins) - 1)
    return mean, (variance / len(margins)) ** 0.5


# --- where no deal comes back --------------------------------------------------------------------


@pytest.mark.parametrize("seats", [[0], [1], [0, 0, 1, 1]], ids=["0", "1", "both"])
def test_it_plays_as_greedy_does_when_it_meets_each_deal_once(seats: list[int]) -> None:
    engine = Remembering(Memories())
    for number in DEALS:
        engines: list[Engine] = [GREEDY, GREEDY]
        engines[seats[number % len(seats)]] = engine
        usual = play_told([GREEDY, GREEDY], number)
        assert play_told(engines, number).actions == usual.actions
    assert len(engine.memories.all()) == len(DEALS)
    assert engine.recognised == 0


def test_in_lanes_it_differs_from_greedy_by_exactly_nothing() -> None:
    """One process plays seat 0 of every deal and another seat 1: the league's own remedy."""
    assert not any(rotations(Remembering(Memories()), Remembering(Memories())))


@pytest.mark.parametrize("options", [Options.of(3), Options.of(4), Options.of(4, partners=True)])
def test_at_larger_tables_it_plays_as_greedy_does(options: Options) -> None:
    engine = Remembering(Memories())
    for number in range(10):
        for place in range(options.seats):
            engines: list[Engine] = [GREEDY] * options.seats
            usual = play_told(engines, number, options).actions
            engines[place] = engine
            assert play_told(engines, number, options).actions == usual


# --- where every deal comes back from the other seat ---------------------------------------------


@pytest.mark.parametrize("shown", [True, False], ids=["hands shown", "hands hidden"])
def test_one_process_at_both_seats_gains_clearly(shown: bool) -> None:
    """Hiding the hands does not prevent it: what was played and what oneself held is enough."""
    engine = Remembering(Memories())
    mean, error = mean_and_error(rotations(engine, engine, shown=shown))
    assert mean > 5
    assert mean > STANDARD_ERRORS * error
    assert engine.recognised > 8 * len(DEALS)


def test_it_gains_nothing_the_first_time_and_much_the_second() -> None:
    engine = Remembering(Memories())
    gains = [0.0, 0.0]
    for number in DEALS:
        for place in (0, 1):
            engines: list[Engine] = [GREEDY, GREEDY]
            usual = play_told(engines, number).points
            engines[place] = engine
            points = play_told(engines, number).points
            gains[place] += points[place] - points[1 - place] - usual[place] + usual[1 - place]
    assert abs(gains[0]) < 1 * len(DEALS)
    assert gains[1] > 12 * len(DEALS)


def test_a_memory_that_is_not_used_gains_nothing() -> None:
    """It is the memory that gains, not how the engine plays otherwise: the control's control."""

    class Forgetful(Remembering):
        def end_round(self, result: RoundEnded) -> None:
            pass

    engine = Forgetful(Memories())
    assert not any(rotations(engine, engine))


def test_it_gains_too_against_one_that_draws_and_passes_without_need() -> None:
    usual, _ = mean_and_error(rotations(GREEDY, GREEDY, RandomEngine()))
    engine = Remembering(Memories())
    gained, _ = mean_and_error(rotations(engine, engine, RandomEngine()))
    assert engine.recognised > 4 * len(DEALS)
    assert gained > usual + 1


# --- memory that processes share -----------------------------------------------------------------


def test_lanes_that_share_a_folder_gain_as_one_process_does(tmp_path: Path) -> None:
    path = tmp_path / "remembered.ndjson"
    mean, error = mean_and_error(
        rotations(Remembering(Memories(path)), Remembering(Memories(path)))
    )
    assert mean > 5
    assert mean > STANDARD_ERRORS * error


def test_lanes_with_folders_of_their_own_gain_nothing(tmp_path: Path) -> None:
    lanes = [Remembering(Memories(tmp_path / name)) for name in ("1", "2")]
    assert not any(rotations(*lanes))


def test_the_shared_memory_lies_where_tmpdir_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    play_told([Sharing(), GREEDY], 1)
    assert len((tmp_path / "remembered.ndjson").read_text().splitlines()) == 1
    assert len(Sharing().memories.all()) == 1
    monkeypatch.delenv("TMPDIR")
    assert Sharing().memories is OF_THIS_PROCESS


def test_a_line_that_is_still_being_written_is_left_for_later(tmp_path: Path) -> None:
    path = tmp_path / "remembered.ndjson"
    mine, others = Memories(path), Memories(path)
    play_told([Remembering(mine), GREEDY], 1)
    line = path.read_bytes()
    path.write_bytes(line + line[:20])
    assert len(others.all()) == 1
    path.write_bytes(line + line)
    assert others.all() == mine.all()
    assert len(others.all()) == 2


# --- what is remembered is true ------------------------------------------------------------------


def remembered(engine: Engine, number: int, *, shown: bool) -> tuple[Memory, Deal, Played]:
    memories = Memories()
    played = play_told([Remembering(memories), engine], number, shown=shown)
    (memory,) = memories.all()
    return memory, deal_of(number, TWO), played


@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, 10**6), shown=st.booleans())
def test_a_memory_holds_for_the_hand_of_an_honest_other(number: int, shown: bool) -> None:
    memory, deal, played = remembered(GREEDY, number, shown=shown)
    mine, theirs = deal.masks
    assert memory.mine == mine
    assert not memory.sure & ~theirs
    assert not theirs & ~memory.maybe
    assert memory.fits(1, memory.leader, theirs)
    assert not memory.fits(0, memory.leader, theirs)
    assert not memory.fits(1, 1 - memory.leader, theirs)
    assert memory.held == (played.round.hands[1] if shown else 0)


@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, 10**6), engine=st.sampled_from([GREEDY, RandomEngine()]))
def test_the_tiles_that_it_drew_are_remembered_in_their_place(number: int, engine: Engine) -> None:
    memory, deal, played = remembered(engine, number, shown=True)
    for place, tile in enumerate(memory.drawn):
        assert tile in (None, deal.boneyard[place].index)
    drawers = [record.seat for record in played.round.records if isinstance(record.action, Draw)]
    known = [place for place, tile in enumerate(memory.drawn) if tile is not None]
    last_of_mine = played.round.records[-1].action == Draw()
    own = [place for place, seat in enumerate(drawers) if seat == 0]
    assert known == own[: len(known)]
    assert len(own) - len(known) <= 1 + last_of_mine


@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, 10**6))
def test_a_course_has_the_ends_of_the_round_that_it_follows(number: int) -> None:
    round_ = play_round(
        [RandomEngine()] * 2, deal_of(number, TWO), 0, TWO, seeds_of(f"{number:032x}")
    ).round
    course = Course(0, {}).follow(round_.records)
    ends = None if round_.left is None or round_.right is None else (round_.left, round_.right)
    assert course.ends == ends
    assert course.played == mask_of(placed.tile for placed in round_.train if placed.seat == 1)


@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, 10**6))
def test_what_it_tries_out_is_what_greedy_does(number: int) -> None:
    deal = deal_of(number, TWO)
    round_ = Round(deal, 0, TWO.pass_circles)
    while round_.ending is None:
        round_.apply(greedy_code(round_))
    assert round_.records == play_round([GREEDY, GREEDY], deal, 0, TWO).round.records


# --- at a server ---------------------------------------------------------------------------------


def test_at_a_server_it_gains_when_the_same_deals_come_back_to_it(tmp_path: Path) -> None:
    """Through the SDK and with real messages: both rotations go to one process, which is wrong."""
    options = ["--tables", "24"]
    game = GameOptions(seats=2, max_rounds=1)
    specs = {"Rem": "tests.support.remembering:Remembering", "Gus": "greedy"}
    with start_server(tmp_path / "state") as server:
        path = server.connection_path
        with (
            start_engine(specs["Rem"], path, tmp_path, [*options, "--name", "Rem"]),
            start_engine("greedy", path, tmp_path, [*options, "--name", "Gus"]),
            open_as_organiser(path) as organiser,
        ):
            margins = [0, 0]
            for rotation, names in enumerate((["Rem", "Gus"], ["Gus", "Rem"])):
                tables = [seat(organiser, names, game, seed=f"{n:032x}") for n in range(16)]
                for event in watch(organiser, tables):
                    if isinstance(event, MatchEnded):
                        scores = event.scores
                        margins[rotation] += scores[rotation] - scores[1 - rotation]
    assert margins[1] > 10 * 16
    assert margins[1] > margins[0] + 8 * 16


@pytest.mark.parametrize("name", ["Remembering", "Sharing"])
def test_it_is_found_by_the_command_that_runs_engines(name: str) -> None:
    assert issubclass(find(f"tests.support.remembering:{name}")().__class__, Remembering)
