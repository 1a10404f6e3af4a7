"""What tests of the command share: a distribution that adds commands, and no settings around."""

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

AddCommand = Callable[[str, str], None]


@pytest.fixture(autouse=True)
def no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder without settings, records and keys, as a person who has none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for variable in ("PASSING_CODE", "PASSING_PROFILE"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every server for one that encrypts nothing, without asking it."""

    def find(*_: object) -> None:
        return None

    monkeypatch.setattr("passing_client.admission.find_security", find)


@pytest.fixture
def add_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddCommand:
    """Return a way to install a command, by its name and the source of its module."""
    site = tmp_path / "site"
    about = site / "third_party-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n")
    points = about / "entry_points.txt"
    points.write_text("[passing_game.commands]\n")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])

    def add(name: str, source: str) -> None:
        # The folder's name makes the module's one of its own in each test.
        module = f"{tmp_path.name}_{name.replace('.', '_')}".replace("-", "_")
        (site / f"{module}.py").write_text(dedent(source))
        with points.open("a") as lines:
            lines.write(f"{name} = {module}\n")

    return add
