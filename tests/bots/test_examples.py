"""Every example of docs/engines.md runs, and does what its text says."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from passing_bots import Engine, MatchStart, RoundStart
from passing_bots.catalogue import find
from passing_bots.engines.random import RandomEngine
from passing_link.processes import start_engine, start_server
from passing_protocol.events import RoundEnded
from passing_protocol.views import GameOptions
from passing_protocol.wire import TileText, tile_text
from passing_rules import Options, Pass
from tests.support.arena import deal_of, duplicate_margin, play_round
from tests.support.hall import ending, open_as_organiser, seat, watch

TEXT = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
NAMES = ["First", "Heavy", "Counting", "Everything"]
FORMS = [Options.of(2), Options.of(3), Options.of(4), Options.of(4, partners=True)]


def load(name: str) -> type[Engine]:
    """Run the block that has a class of this name, and return the class."""
    (block,) = [block for block in BLOCKS if f"class {name}(Engine)" in block]
    module = ModuleType(f"example_{name}")
    exec(compile(block, f"docs/engines.md:{name}", "exec"), module.__dict__)  # noqa: S102
    found: object = getattr(module, name)
    assert isinstance(found, type)
    assert issubclass(found, Engine)
    return found


def test_there_are_four_examples_from_one_line_on() -> None:
    assert len(BLOCKS) == len(NAMES)
    lengths = [len(block.splitlines()) for block in BLOCKS]
    assert lengths == sorted(lengths)
    assert lengths[0] <= 6
    assert lengths[1] <= 20


@pytest.mark.parametrize("options", FORMS, ids=["2", "3", "4", "partners"])
@pytest.mark.parametrize("name", NAMES)
def test_each_example_plays_legally_in_every_form(name: str, options: Options) -> None:
    kind = load(name)
    engines = [kind() for _ in range(options.seats)]
    for number in range(5):
        deal = deal_of(number, options)
        for at, engine in enumerate(engines):
            engine.begin_match(MatchStart("m", "t", at, options, "0" * 32))
            engine.begin_round(RoundStart(1, 0, deal.hands[at]))
        dealt = play_round(engines, deal, 0, options).round  # raises IllegalAction
        hands: list[list[TileText]] = [
            [tile_text(tile) for tile in dealt.hand(at)] for at in range(options.seats)
        ]
        for engine in engines:
            engine.end_round(RoundEnded(1, "out", [0], [], 0, [0], hands=hands))


@pytest.mark.parametrize("name", ["Heavy", "Counting"])
def test_an_example_that_plays_beats_chance(name: str) -> None:
    margin, error = duplicate_margin(load(name)(), RandomEngine(), Options.of(2), range(60))
    assert margin > error


def test_the_last_example_passes_to_win() -> None:
    kind = load("Everything")
    options = Options.of(2)
    engines = [kind(), kind()]
    for number in range(40):
        for at, engine in enumerate(engines):
            engine.begin_match(MatchStart("m", "t", at, options, "0" * 32))
        played = play_round(engines, deal_of(number, options), 0, options)
        if played.actions[-2:] == [Pass(), Pass()]:
            return
    pytest.fail("no round was passed out in 40")


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder where each example is a module, as its reader would have it."""
    for name, block in zip(NAMES, BLOCKS, strict=True):
        (tmp_path / f"example_{name.lower()}.py").write_text(block)
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    yield tmp_path
    sys.path[:] = before
    for name in NAMES:
        sys.modules.pop(f"example_{name.lower()}", None)


def test_an_example_in_a_file_is_found_by_module_and_class(example_folder: Path) -> None:
    kind = find("example_heavy:Heavy")
    assert isinstance(kind(), Engine)
    assert (example_folder / "example_heavy.py").exists()


def test_examples_play_a_match_at_a_server(example_folder: Path) -> None:
    with start_server(example_folder / "state") as server:
        place = server.connection_path
        specs = [f"example_{name.lower()}:{name}" for name in NAMES]
        engines = [
            start_engine(spec, place, example_folder, ["--name", f"E{number}"])
            for number, spec in enumerate(specs)
        ]
        try:
            with open_as_organiser(place) as organiser:
                names = [f"E{number}" for number in range(4)]
                table = seat(organiser, names, GameOptions(seats=4, max_rounds=4), seed="0" * 32)
                assert ending(watch(organiser, [table])).fault is None
        finally:
            for engine in engines:
                engine.stop()
        assert [engine.last_words() for engine in engines] == ["it said nothing"] * 4
