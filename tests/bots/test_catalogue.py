"""Engines by name and by `module:Class`."""

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from passing_bots import Engine
from passing_bots.catalogue import GROUP, UnknownEngine, find, installed
from passing_bots.engines.careful import CarefulEngine
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Stand in a folder of one's own, and forget the modules that were loaded from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    loaded = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - loaded:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("random", RandomEngine), ("greedy", GreedyEngine), ("careful", CarefulEngine)],
)
def test_the_engines_of_the_game_are_found_by_name(name: str, kind: type[Engine]) -> None:
    assert find(name) is kind
    assert isinstance(find(name)(), kind)


def test_each_installed_engine_is_offered_with_what_it_does() -> None:
    offers = {offer.name: offer for offer in installed()}
    assert set(offers) == {entry.name for entry in metadata.entry_points(group=GROUP)}
    greedy = offers["greedy"]
    assert greedy.distribution == "passing-game"
    assert greedy.spec == "passing_bots.engines.greedy:GreedyEngine"
    assert greedy.summary == "Play the heaviest tile that fits; else draw while one can; else pass."


def test_a_class_is_found_in_a_module_of_the_current_folder(folder: Path) -> None:
    (folder / "house_rules.py").write_text(
        "from passing_bots import Engine\n"
        "class Mine(Engine):\n"
        "    def choose(self, view):\n"
        "        return view.legal[0]\n"
    )
    assert find("house_rules:Mine").__name__ == "Mine"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("no-such", r"'no-such' is not installed here; known are careful, greedy, random"),
        ("no_such_module:Mine", r"'no_such_module:Mine' cannot be loaded: No module named"),
        ("passing_bots:NoSuch", r"'passing_bots:NoSuch' cannot be loaded: .*NoSuch"),
        ("passing_bots.session:EngineSession", r"is not a subclass of passing_bots\.Engine"),
        ("os:getcwd", r"is not a subclass of passing_bots\.Engine"),
        (":Mine", r"':Mine' cannot be loaded"),
        ("passing_bots:", r"'passing_bots:' cannot be loaded"),
        (".relative:Mine", r"cannot be loaded"),
    ],
)
def test_what_leads_to_no_engine_is_refused_and_named(spec: str, words: str) -> None:
    with pytest.raises(UnknownEngine, match=rf"^engine: .*{words}"):
        find(spec)


def test_a_module_that_does_not_compile_is_refused(folder: Path) -> None:
    (folder / "broken_engine.py").write_text("class Mine(\n")
    with pytest.raises(UnknownEngine, match=r"cannot be loaded"):
        find("broken_engine:Mine")


def test_a_module_that_ends_the_process_is_refused(folder: Path) -> None:
    (folder / "leaving_engine.py").write_text("import sys\n\nsys.exit(0)\n")
    with pytest.raises(UnknownEngine, match=r"cannot be loaded"):
        find("leaving_engine:Mine")


@pytest.mark.usefixtures("folder")
def test_the_current_folder_hides_no_module_of_others() -> None:
    here = str(Path.cwd())
    find("greedy")
    assert here not in sys.path
    with pytest.raises(UnknownEngine):
        find("no_such_module:Mine")
    assert sys.path[-1] == here


def test_what_others_install_is_offered_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "theirs.py").write_text(
        "from passing_bots import Engine\n"
        "class Theirs(Engine):\n"
        '    """Do it their way."""\n'
        "    def choose(self, view):\n"
        "        return view.legal[0]\n"
    )
    info = folder / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\ntheirs = theirs:Theirs\ngone = theirs:Gone\n"
    )
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    offers = {offer.name: offer for offer in installed()}
    assert offers["theirs"].summary == "Do it their way."
    assert offers["theirs"].distribution == "theirs"
    assert "cannot be loaded" in offers["gone"].summary
    assert find("theirs").__name__ == "Theirs"
