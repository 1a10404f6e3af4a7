"""One table of commands gives the parser and the help."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.desk import Desk
from passing_client.moves import read_play
from passing_client.repertoire import COMMANDS
from passing_client.vocabulary import Command, Place, command_help, find, help_lines
from tests.support.client_scene import FakeFace, FakeLink, Talk, open_view, seated


@pytest.mark.parametrize("place", [Place.LOBBY, Place.TABLE])
def test_no_word_means_two_things_at_one_place(place: Place) -> None:
    words = Counter(word for c in COMMANDS if c.fits(place) for word in c.words)
    assert [word for word, number in words.items() if number > 1] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_found_by_each_of_its_words(command: Command[Desk]) -> None:
    place = Place.TABLE if command.place is Place.ANYWHERE else command.place
    for word in command.words:
        assert find(COMMANDS, f"  {word.upper()}  a b ", place) == (command, "a b")


@pytest.mark.parametrize("place", [Place.LOBBY, Place.TABLE])
def test_the_help_of_a_place_has_every_command_of_it_once(place: Place) -> None:
    usable = [command for command in COMMANDS if command.fits(place)]
    lines = help_lines(COMMANDS, place)
    assert len(lines) == len(usable)
    for command, line in zip(usable, lines, strict=True):
        assert command.help in line
        assert all(word in line.split() for word in command.words)


def test_the_same_word_can_mean_another_thing_elsewhere() -> None:
    at_table = find(COMMANDS, "w", Place.TABLE)
    in_lobby = find(COMMANDS, "w 2", Place.LOBBY)
    assert at_table is not None
    assert at_table[0].name == "who"
    assert in_lobby is not None
    assert (in_lobby[0].name, in_lobby[1]) == ("watch", "2")


def test_no_word_of_a_command_is_a_tile() -> None:
    assert not [word for command in COMMANDS for word in command.words if read_play(word)]


def test_every_action_can_be_typed_without_letters() -> None:
    for name in ("draw", "pass", "help"):
        command = next(command for command in COMMANDS if command.name == name)
        assert any(not word.isalpha() for word in command.words)


def test_the_help_of_one_command_names_its_other_words() -> None:
    command = next(command for command in COMMANDS if command.name == "log")
    assert command_help(command) == "log [NUMBER]: the last actions. Also: l"
    alone = next(command for command in COMMANDS if command.name == "leave")
    assert command_help(alone) == "leave: leave the table."


def test_help_is_typed_and_printed() -> None:
    talk = seated()
    assert talk.types("?") == help_lines(COMMANDS, Place.TABLE)
    assert talk.types("help") == help_lines(COMMANDS, Place.TABLE)
    assert talk.types("help pass") == ["pass: pass. Also: p -"]
    assert talk.types("? nonsense") == help_lines(COMMANDS, Place.TABLE)
    assert Talk().types("?") == help_lines(COMMANDS, Place.LOBBY)


def test_the_help_of_new_lists_every_option() -> None:
    lines = Talk().types("help new")
    assert lines[0].startswith("new NAME [seats=2 target=101 partners ...]: make a table.")
    for option in ("seats", "partners", "preset", "target", "turn_ms", "chat", "reveal", "memory"):
        assert option in lines[1]


@pytest.mark.parametrize("line", ["hand", "ready", "say hello", "d"])
def test_what_is_for_a_table_is_not_done_in_the_lobby(line: str) -> None:
    talk = Talk()
    said = talk.types(line)
    assert len(said) == 1
    assert talk.sent() == []


def test_a_tile_that_is_typed_in_the_lobby_is_no_table() -> None:
    talk = Talk()
    assert talk.types("64>") == []
    (said,) = talk.tables()
    assert said == "There is no table '64>'; type tables to see which there are."


def test_what_is_for_the_lobby_is_not_done_at_a_table() -> None:
    talk = seated()
    assert talk.types("new kitchen") == ["new is for the lobby: leave the table first."]
    assert talk.types("join 1") == ["join is for the lobby: leave the table first."]
    assert Talk().types("hand") == ["hand is for a table: sit down or watch one first."]
    assert talk.sent() == []


@given(st.text(max_size=20))
def test_whatever_is_typed_is_answered_in_harmless_lines(text: str) -> None:
    for talk in (Talk(), seated()):
        said = talk.types(text)
        assert all(line.isprintable() for line in said)


@given(st.lists(st.sampled_from([word for c in COMMANDS for word in c.words]), max_size=4))
def test_no_command_in_any_order_raises(words: list[str]) -> None:
    watcher = Talk()
    watcher.sits(open_view(), hand=None)
    for talk in (Talk(), seated(), watcher):
        for word in words:
            talk.types(word)
            talk.types(f"{word} 1")


def test_a_desk_without_a_table_has_no_turn() -> None:
    desk = Desk(FakeLink(), FakeFace())
    assert desk.shown_turn is None
    assert desk.place is Place.LOBBY
    assert not desk.in_match
