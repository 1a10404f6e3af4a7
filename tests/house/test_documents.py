"""The documents that everybody looks for are there and say what is so."""

import re
import tomllib
from importlib import metadata

import pytest

from tests.house.readme import README, TO_RUN, blocks
from tests.support.sources import ROOT

DOCUMENTS = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "docs/architecture.md",
    "docs/engines.md",
    "docs/leagues.md",
    "docs/operators.md",
    "docs/players.md",
    "protocol/PROTOCOL.md",
    "protocol/RECORDS.md",
    "protocol/RULES.md",
)
TEST_COMMAND = "pip install -e '.[dev]' && pytest"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_is_there(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name.endswith(".md")])
def test_its_links_lead_somewhere(name: str) -> None:
    document = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if not (document.parent / link).exists()]


def test_changelog_has_a_place_for_the_next_version() -> None:
    headings = re.findall(
        r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert headings[0] == "Unreleased"


def test_readme_has_commands_that_are_run() -> None:
    assert README.read_text(encoding="utf-8").count(TO_RUN) == len(blocks(to_run=True)) > 0


def test_readme_has_the_test_command_that_ci_runs() -> None:
    install, test = TEST_COMMAND.split(" && ")
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert f"{TEST_COMMAND}\n" in blocks(to_run=False)
    assert install.removeprefix("pip install ") in script
    assert re.search(rf"^.* {test} \| tee", script, re.MULTILINE)


def test_readme_commands_that_are_run_do_not_run_the_tests() -> None:
    assert not [commands for commands in blocks(to_run=True) if "pytest" in commands]


def test_version_is_that_of_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata.version("passing-game") == project["version"]


def test_python_versions_are_claimed_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = project["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {least}" in project["classifiers"]
    assert f"Python {least}" in README.read_text(encoding="utf-8")
