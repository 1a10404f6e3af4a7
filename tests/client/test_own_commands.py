"""Each command that comes with the game has what its users and its help rely on."""

from importlib import metadata

import pytest

from passing_client.command_tree import COMMAND_GROUP, DISTRIBUTION, load

OWN = [
    entry
    for entry in metadata.distribution(DISTRIBUTION).entry_points
    if entry.group == COMMAND_GROUP
]


def test_there_are_some() -> None:
    assert {entry.name for entry in OWN} >= {"play", "rules", "serve", "bot.run", "config.show"}


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: entry.name)
def test_it_has_a_line_of_help(entry: metadata.EntryPoint) -> None:
    text = load(entry).HELP
    assert text
    assert text == text.strip()
    assert "\n" not in text
    assert not text.endswith(".")


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: entry.name)
def test_its_help_begins_with_examples_of_itself(entry: metadata.EntryPoint) -> None:
    examples: str = getattr(load(entry), "EXAMPLES", "")
    command = f"passing {entry.name.replace('.', ' ')}"
    assert examples.strip()
    assert all(command in line for line in examples.splitlines())
    assert all(line.startswith("  ") for line in examples.splitlines())
