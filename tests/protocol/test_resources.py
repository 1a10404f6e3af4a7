"""The rules and the vectors are found, whether from a checkout or from a wheel."""

import importlib
import sys
import zipfile
from pathlib import Path

import pytest

from passing_protocol import resources
from tests.support.sources import ROOT


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Import the module from an archive laid out as a wheel is."""
    path = tmp_path / "passing_game.whl"
    with zipfile.ZipFile(path, "w") as archive:
        source = ROOT / "protocol/passing_protocol/resources.py"
        archive.writestr("passing_protocol/__init__.py", "")
        archive.writestr("passing_protocol/resources.py", source.read_text(encoding="utf-8"))
        archive.writestr("passing_protocol/data/RULES.md", "# From the wheel\n")
        archive.writestr("passing_protocol/data/vectors/one.json", "{}")
    monkeypatch.setattr(sys, "path", [str(path), *sys.path])
    for name in [name for name in sys.modules if name.split(".")[0] == "passing_protocol"]:
        monkeypatch.delitem(sys.modules, name)
    return path


def test_a_checkout_reads_its_own_files() -> None:
    assert resources.read_data("RULES.md") == (ROOT / "protocol/RULES.md").read_text("utf-8")
    assert resources.find_data("vectors").is_dir()


def test_a_wheel_reads_what_is_in_it(wheel: Path) -> None:
    fresh = importlib.import_module("passing_protocol.resources")
    assert str(wheel) in str(fresh.__file__)
    assert fresh.read_data("RULES.md") == "# From the wheel\n"
    assert [entry.name for entry in fresh.find_data("vectors").iterdir()] == ["one.json"]


def test_a_file_that_is_not_there_is_not_found() -> None:
    with pytest.raises(FileNotFoundError):
        resources.read_data("NO-SUCH-FILE.md")
