"""People read their language: chosen by flag, variable, file or locale, and in all of the texts."""

import gettext
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from passing_client import language
from passing_client.command import main
from passing_client.language import LANGUAGES, listing, of_locale, plural, spoken, use
from passing_client.repertoire import COMMANDS
from passing_client.rules_text import rules_text
from passing_client.speaking import flagged, speak
from passing_client.table_options import allowed_values
from passing_client.words.basics import pip_count, seat_count, tile_count
from passing_link.exits import ExitCode
from passing_protocol.resources import read_data
from tests.support.catalogues import TRANSLATED, extracted
from tests.support.pseudo import CODE, pseudo_catalogues
from tests.support.said import everything_said, played_round

TILES = {
    "en": ("1 tile", "2 tiles"),
    "el": ("1 πλακίδιο", "2 πλακίδια"),
    "sv": ("1 bricka", "2 brickor"),
    "eo": ("1 ŝtono", "2 ŝtonoj"),
    "ms": ("1 batu", "2 batu"),
}
LISTS = {
    "en": "a, b and c",
    "el": "a, b και c",
    "sv": "a, b och c",
    "eo": "a, b kaj c",
    "ms": "a, b dan c",
}
_NAMES = (
    "Dana Bo Caro Emil Ann Robo robo nano kitchen careful deal server rotate seeded given fair "
    "seats partners preset target lead pass_circles out_wins_ties partner_scoring max_rounds "
    "turn_ms bank_ms pace_ms absent faults chat reveal memory ask never passing"
)
NAMES = frozenset(_NAMES.split())
"""Names, codes and what is typed: none of them is translated."""

TYPED = re.compile(r"[A-Za-z_]{2,}")
TABLE_CODE = re.compile(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b")


def typed_in(line: str) -> list[str]:
    """Return the words of Latin letters in a line; the code of a table is none."""
    return TYPED.findall(TABLE_CODE.sub("", line))


# --- counting and joining ----------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_one_tile_and_two_tiles(code: str) -> None:
    use(code)
    assert (tile_count(1), tile_count(2)) == TILES[code]
    assert tile_count(0) == TILES[code][1].replace("2", "0")
    assert tile_count(21) == TILES[code][1].replace("2", "21")


@pytest.mark.parametrize("code", LANGUAGES)
def test_lists_are_joined_as_the_language_does(code: str) -> None:
    use(code)
    assert listing(["a", "b", "c"]) == LISTS[code]
    assert listing(["a"]) == "a"
    assert listing([]) == ""
    assert listing(["a", "b"], choice=True) != listing(["a", "b"])


def test_a_language_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'de' is none of en, el, sv, eo, ms"):
        use("de")
    assert spoken() == "en"


def test_the_empty_text_is_empty_in_every_language() -> None:
    for code in LANGUAGES:
        use(code)
        assert language._("") == ""


# --- which language ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "sv_SE.UTF-8"}, "sv"),
        ({"LANG": "el"}, "el"),
        ({"LANG": "ms_MY@latin"}, "ms"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "sv_SE", "LC_MESSAGES": "eo"}, "eo"),
        ({"LANG": "sv_SE", "LC_MESSAGES": "eo", "LC_ALL": "el_GR"}, "el"),
        ({"LANG": "sv_SE", "LC_ALL": ""}, "sv"),
        ({"LANG": "sv_SE", "LANGUAGE": "de:el:ms"}, "el"),
        ({"LANG": "sv_SE", "LANGUAGE": "en:el"}, "en"),
        ({"LANG": "sv_SE", "LANGUAGE": "de:fr"}, "sv"),
        ({"LANGUAGE": "eo"}, "eo"),
        ({"LANG": "C", "LANGUAGE": "eo"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "sv_SE", "LANGUAGE": "eo"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "eo"}, "en"),
        ({"LANG": "svenska"}, "en"),
    ],
)
def test_the_locale_tells_the_language(environment: dict[str, str], code: str) -> None:
    assert of_locale(environment) == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], ""),
        (["rules"], ""),
        (["rules", "--lang", "el"], "el"),
        (["rules", "--lang=sv"], "sv"),
        (["rules", "--lang", "el", "--lang", "eo"], "eo"),
        (["rules", "--lang"], ""),
        (["record", "check", "--", "--lang", "el"], ""),
    ],
)
def test_the_flag_is_found_before_the_words_are_parsed(words: list[str], code: str) -> None:
    assert flagged(words) == code


def test_flag_before_variable_before_file_before_locale() -> None:
    locale = {"LANG": "ms_MY.UTF-8"}
    speak(["rules"], locale)
    assert spoken() == "ms"
    Path("passing.toml").write_text('lang = "eo"\n')
    speak(["rules"], locale)
    assert spoken() == "eo"
    speak(["rules"], {**locale, "PASSING_LANG": "sv"})
    assert spoken() == "sv"
    speak(["rules", "--lang", "el"], {**locale, "PASSING_LANG": "sv"})
    assert spoken() == "el"


def test_a_file_that_cannot_be_read_leaves_the_language_to_the_rest() -> None:
    Path("passing.toml").write_text("lang = \n")
    speak(["rules"], {"LANG": "ms_MY.UTF-8"})
    assert spoken() == "ms"
    speak(["rules"], {"LANG": "ms_MY.UTF-8", "PASSING_LANG": "sv"})
    assert spoken() == "sv"


def test_an_unknown_language_is_a_fault_of_usage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["rules", "--lang", "de"]) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert all(code in error for code in LANGUAGES)
    monkeypatch.setenv("PASSING_LANG", "de")
    assert main(["doctor"]) == ExitCode.USAGE
    expected = "passing: PASSING_LANG: lang is 'de' and has to be en, el, sv, eo or ms.\n"
    assert capsys.readouterr().err == expected


def test_config_show_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show", "--lang", "eo", "--origin"]) == ExitCode.DONE
    assert re.search(r'^lang = "eo" +# flag$', capsys.readouterr().out, re.MULTILINE)


def test_help_and_errors_of_the_parser_are_translated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--help", "--lang", "sv"]) == ExitCode.DONE
    help_text = capsys.readouterr().out
    assert help_text.startswith("Exempel:\n  passing play")
    assert "användning: passing play" in help_text
    assert "visa den här hjälpen" in help_text
    assert "usage" not in help_text
    assert main(["play", "--bots", "9", "--lang", "el"]) == ExitCode.USAGE
    assert "passing play: σφάλμα: όρισμα --bots: μη έγκυρη τιμή: 9" in capsys.readouterr().err


# --- the rules -----------------------------------------------------------------------------------

CLAUSE = re.compile(r"^- \*\*(R\d+\.\d+)\*\*", re.MULTILINE)
NUMBER = re.compile(r"(?<![.\w])\d+(?![.\w])")
TERM = re.compile(r"`([a-z_0-9]+)`")
TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)


def table_numbers(text: str) -> list[list[str]]:
    return [re.findall(r"\d+", row) for row in TABLE_ROW.findall(text)]


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_rules_have_the_same_clauses_and_numbers(code: str) -> None:
    use(code)
    ours, theirs = rules_text(), read_data("RULES.md")
    assert ours != theirs
    assert CLAUSE.findall(theirs)
    assert CLAUSE.findall(ours) == CLAUSE.findall(theirs)
    assert table_numbers(ours) == table_numbers(theirs)
    assert sorted(TERM.findall(ours)) == sorted(TERM.findall(theirs))
    assert set(NUMBER.findall(ours)) == set(NUMBER.findall(theirs))


@pytest.mark.parametrize("code", LANGUAGES)
def test_rules_are_printed_in_each_language(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--lang", code]) == ExitCode.DONE
    name = "RULES.md" if code == "en" else f"RULES.{code}.md"
    title = read_data(name).splitlines()[0].lstrip("# ")
    assert capsys.readouterr().out.startswith(f"{title}\n")


# --- everything that is said ---------------------------------------------------------------------


class Recording(gettext.NullTranslations):
    """Keep which texts were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(msgid1)
        return msgid1 if n == 1 else msgid2


def _is_told(source: str) -> bool:
    """Tell whether a source speaks of tables that one is at; replays have tests of their own."""
    return source.startswith("words/") and source != "words/replays.py"


def test_everything_that_there_is_to_say_is_said_here(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording()
    monkeypatch.setattr(language, "_current", recording)
    monkeypatch.setattr(language, "_spoken", "eo")
    everything_said()
    texts = {
        message.id if isinstance(message.id, str) else message.id[0]
        for message in extracted()
        if message.id and any(_is_told(name) for name, _ in message.locations)
    }
    assert texts - recording.asked == set()


@pytest.fixture
def speak_pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what makes everybody speak the language that nobody speaks."""
    pseudo_catalogues(tmp_path / "pseudo", monkeypatch)
    return lambda: use(CODE)


def test_no_text_of_words_goes_around_the_catalogues(speak_pseudo: Callable[[], None]) -> None:
    speak_pseudo()
    left = {word for line in everything_said() for word in typed_in(line)}
    assert left <= NAMES


def test_a_round_in_the_pseudo_language_has_no_english(speak_pseudo: Callable[[], None]) -> None:
    values = {word for _name, allowed in allowed_values() for word in typed_in(allowed)}
    speak_pseudo()
    commands = {word for command in COMMANDS for word in command.words}
    left = {word for line in played_round() for word in typed_in(line)}
    assert left <= NAMES | commands | (values - {"or", "to"})


@pytest.mark.parametrize("code", TRANSLATED)
def test_everything_can_be_said_in_each_language(code: str) -> None:
    english = set(everything_said())
    use(code)
    said = set(everything_said())
    assert all(line.isprintable() for line in said)
    same = {line for line in said & english if re.search(r"[a-z]{3}", line)}
    assert not {line for line in same if set(TYPED.findall(line)) - NAMES}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_round_is_played_and_read_in_each_language(code: str) -> None:
    use(code)
    lines = played_round()
    assert tile_count(7) in " ".join(lines)
    assert not [line for line in lines if "{" in line or "}" in line]


def test_counts_are_one_form_in_malay_and_two_elsewhere() -> None:
    for code in LANGUAGES:
        use(code)
        for count in (tile_count, pip_count, seat_count):
            same = count(1).replace("1", "2") == count(2)
            assert same == (code == "ms"), count(2)
        assert plural("{number} tile", "{number} tiles", 1).format(number=1) == tile_count(1)


def test_what_argparse_says_follows_the_process() -> None:
    speak(["rules", "--lang", "ms"], {})
    assert os.environ["LANGUAGE"] == "ms"
    assert gettext.gettext("usage: ") == "penggunaan: "
    speak(["rules"], {})
    assert gettext.gettext("usage: ") == "usage: "
