"""The catalogues are complete, fresh and clean in every language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message

from passing_client.repertoire import COMMANDS
from passing_client.screen.cells import width
from tests.support.catalogues import (
    KEYWORDS,
    SOURCES,
    TRANSLATED,
    extracted,
    mo_bytes,
    mo_path,
    po_bytes,
    po_path,
    pot_path,
    translated,
    untranslated,
    updated,
)

REFRESH = "run python -m tests.support.catalogues"
PERCENT = re.compile(r"%(?:\(\w+\))?[a-z]")
WORD = re.compile(r"[A-Za-z]{2,}")
FORMS = {"el": 2, "sv": 2, "eo": 2, "ms": 1}
_ENGLISH = (
    "and are cannot does from have here isn't nobody the there these they this tile tiles turn "
    "what when which while who with you your"
)
ENGLISH = frozenset(_ENGLISH.split())
"""Words that no sentence of ours does without for long and that no other language of ours has."""

_LATIN_IN_GREEK = (
    "after ask Backspace bash block check completion config curl Dana doctor el en End Enter eo "
    "Esc eth eval false fe find fish fpath Game game greedy grep Home HOST IPv json JSON kitchen "
    "less libzmq localhost macOS ms name NAME never org origin partners passing Passing PgDn PgUp "
    "PORT record seats seed server Shift show sv Tab target TCP TERM The TOML true UDP URL UTF zsh"
)
LATIN_IN_GREEK = frozenset(_LATIN_IN_GREEK.split()) | {
    word for command in COMMANDS for word in command.words
}
"""What stays in Latin letters in Greek: what is typed, and names of things."""


def messages(code: str) -> list[Message]:
    return [message for message in translated(code) if message.id]


def sources(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def strings(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [])


def places(text: str) -> set[str]:
    """Return the named places of a text, and those that argparse fills."""
    named = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    return named | set(PERCENT.findall(text))


def english(text: str) -> set[str]:
    """Return the English words that are left over in a translation."""
    kept = text.replace("The Passing Game", "")
    kept = re.sub(r"\{\w+\}|`\w+`", "", kept)
    return {word.casefold() for word in re.findall(r"[A-Za-z']+", kept)} & ENGLISH


# --- nothing is missing ------------------------------------------------------------------------


def calls(path: Path) -> Iterator[str]:
    """Yield the texts that a source passes to gettext, wherever they stand."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(ast.Name(name), [ast.Constant(str(text)), *_]) if name in KEYWORDS:
                yield text
            case _:
                pass


def test_every_text_of_the_sources_is_extracted() -> None:
    known = {source for message in extracted() if message.id for source in sources(message)}
    missing = {
        f"{path.name}: {text}"
        for path in SOURCES.rglob("*.py")
        for text in calls(path)
        if text not in known
    }
    assert not missing


def test_the_template_is_fresh() -> None:
    assert pot_path().read_bytes() == po_bytes(extracted()), REFRESH


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_translations_are_fresh(code: str) -> None:
    catalogue = updated(code, extracted())
    assert po_path(code).read_bytes() == po_bytes(catalogue), REFRESH
    assert mo_path(code).read_bytes() == mo_bytes(catalogue), REFRESH


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_is_translated(code: str) -> None:
    assert list(untranslated(translated(code))) == []
    assert not [message.id for message in messages(code) if message.fuzzy]


@pytest.mark.parametrize("code", TRANSLATED)
def test_each_catalogue_begins_with_its_terms(code: str) -> None:
    comment = translated(code).header_comment
    for term in ("tile", "train", "boneyard", "pass", "turn", "round"):
        assert f"# {term}" in comment


# --- what a translation may not change -----------------------------------------------------------


@pytest.mark.parametrize("code", TRANSLATED)
def test_each_language_has_its_plural_forms(code: str) -> None:
    assert translated(code).num_plurals == FORMS[code]
    plurals = [message for message in messages(code) if message.pluralizable]
    assert plurals
    assert all(len(strings(message)) == FORMS[code] for message in plurals)


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_places_are_the_same(code: str) -> None:
    for message in messages(code):
        wanted = places(sources(message)[-1])
        for text in strings(message):
            assert places(text) == wanted, text


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_translation_has_a_control_character(code: str) -> None:
    for message in messages(code):
        for text in strings(message):
            assert text.replace("\n", "").isprintable(), text
            assert text.count("\n") == sources(message)[0].count("\n"), text


@pytest.mark.parametrize("code", TRANSLATED)
def test_examples_are_the_same_commands(code: str) -> None:
    """Each line begins as the English one does: with what is typed."""
    for message in messages(code):
        source = sources(message)[0]
        if not source.startswith("  passing "):
            continue
        (text,) = strings(message)
        for ours, theirs in zip(text.splitlines(), source.splitlines(), strict=True):
            typed = re.split(r" {2,}", theirs.strip())[0]
            assert typed in ours


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_english_is_left_over(code: str) -> None:
    left = {text: english(text) for message in messages(code) for text in strings(message)}
    assert not {text: words for text, words in left.items() if words}


def told(text: str) -> str:
    """Return a text without its places, and without what is typed in examples and flags."""
    lines = [re.split(r" {2,}", line.strip())[-1] for line in text.splitlines()]
    typed = r"\{\w+\}|`[^`]+`|%\(\w+\)\w|--[\w-]+|PASSING_\w+|~?[\w./*]*[/.][\w./*]+"
    return re.sub(typed, "", "\n".join(lines))


def test_in_greek_nothing_but_what_is_typed_has_latin_letters() -> None:
    for message in messages("el"):
        for text in strings(message):
            assert set(WORD.findall(told(text))) <= LATIN_IN_GREEK, text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ändar: the open ends {left}", {"the"}),
        ("Κανένα. Your turn.", {"your", "turn"}),
        ("The Passing Game: domino {tile} `turn`", set[str]()),
    ],
)
def test_english_that_is_left_over_is_found(text: str, words: set[str]) -> None:
    assert english(text) == words


# --- width -------------------------------------------------------------------------------------

HINTS = "pass", "draw", "play", "help", "log", "scores", "passes", "chat", "leave", "ready", "back"
WIDEST_HINT = 10


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_words_of_the_bar_of_keys_are_short(code: str) -> None:
    found = {sources(message)[0]: strings(message)[0] for message in messages(code)}
    assert {text for text in HINTS if width(found[text]) > WIDEST_HINT} == set()
