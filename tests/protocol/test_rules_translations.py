"""The translations of RULES.md say what it says, clause by clause."""

import re
import unicodedata
from collections import Counter
from typing import Final

import pytest

from tests.support.sources import ROOT

FOLDER: Final = ROOT / "protocol"
CODE: Final = re.compile(r"`[^`]+`")
BOLD: Final = re.compile(r"\*\*([^*]+)\*\*")
NAME: Final = "The Passing Game"
LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
LETTERS: Final = {
    "el": "αβγδεζηθικλμνξοπρσςτυφχψω" + "άέήίόύώϊϋΐΰ",
    "sv": LATIN + "åäö",
    "eo": "abcĉdefgĝhĥijĵklmnoprsŝtuŭvz",
    "ms": LATIN,
}
"""The small letters of each language's alphabet."""

each_language = pytest.mark.parametrize("language", LETTERS)


def read(language: str | None = None) -> str:
    """The rules in that language, or in English."""
    name = f"RULES.{language}.md" if language else "RULES.md"
    return (FOLDER / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    """Headings, paragraphs and items, each on one line."""
    parts = re.split(r"\n\n+|\n(?=- )", text.strip())
    return [" ".join(line.strip() for line in part.splitlines()) for part in parts]


def clauses(text: str) -> dict[str, str]:
    """The clauses by their numbers, in the order of the page."""
    items = re.findall(r"^- \*\*(R\d+\.\d+)\*\* (.+)$", "\n".join(blocks(text)), re.MULTILINE)
    assert len(dict(items)) == len(items)
    return dict(items)


def integers(clause: str) -> Counter[str]:
    """How often each number stands in a clause; a language may order them its own way."""
    return Counter(re.findall(r"\d+", clause))


def tiles(clause: str) -> list[str]:
    return re.findall(r"\b\d-\d\b", clause)


def code(clause: str) -> list[str]:
    return CODE.findall(clause)


def marks(clause: str) -> int:
    """How often a clause says what is an option."""
    return len(BOLD.findall(clause))


def plain(text: str) -> str:
    """The words of a text: no code, addresses of links, clause numbers or name of the game."""
    text = CODE.sub("", " ".join(blocks(text))).replace(NAME, "")
    return re.sub(r"\bR\d+(\.\d+)?\b", "", re.sub(r"\]\([^)]*\)", "]", text))


def triples(text: str) -> set[str]:
    """Every three words that follow each other with nothing but spaces between."""
    words = r"(?=\b([^\W\d_]+ [^\W\d_]+ [^\W\d_]+)\b)"
    return set(re.findall(words, plain(text).lower()))


def shape(text: str) -> list[str]:
    """What each block is: a heading with its number, a clause with its number, a paragraph."""
    starts = re.compile(r"#+ R\d+|#|- \*\*R\d+\.\d+\*\*")
    found = [starts.match(block) for block in blocks(text)]
    return [start[0] if start else "" for start in found]


def test_every_translation_is_tested() -> None:
    languages = {path.name.split(".")[1] for path in FOLDER.glob("RULES.*.md")}
    assert languages == set(LETTERS)


@each_language
def test_a_translation_has_the_blocks_of_the_english_text(language: str) -> None:
    title, *rest = shape(read())
    assert shape(read(language)) == [title, "", *rest]


@each_language
def test_a_translation_says_first_that_the_english_text_is_the_law(language: str) -> None:
    _, first, *rest = blocks(read(language))
    assert first.count("](RULES.md)") == 1
    assert first.replace("](RULES.md)", "]").count(".") == 1
    assert "](" not in " ".join(rest)


@each_language
def test_a_translation_has_the_same_clauses_in_the_same_order(language: str) -> None:
    assert list(clauses(read(language))) == list(clauses(read()))


@each_language
def test_each_clause_has_the_same_numbers_tiles_and_code(language: str) -> None:
    english = clauses(read())
    for number, clause in clauses(read(language)).items():
        assert integers(clause) == integers(english[number]), number
        assert tiles(clause) == tiles(english[number]), number
        assert code(clause) == code(english[number]), number


@each_language
def test_each_clause_marks_its_options_with_one_word(language: str) -> None:
    english, text = clauses(read()), read(language)
    introduction = "\n".join(block for block in blocks(text) if not block.startswith("-"))
    (option,) = BOLD.findall(introduction)
    for number, clause in clauses(text).items():
        assert marks(clause) == marks(english[number]), number
        assert set(BOLD.findall(clause)) <= {option}, number


@each_language
def test_no_three_words_are_left_in_english(language: str) -> None:
    assert len(triples(read())) > 500
    assert triples(read(language)) & triples(read()) == set()


@each_language
def test_every_word_is_written_in_the_alphabet_of_the_language(language: str) -> None:
    words = re.findall(r"[^\W\d_]+", plain(read(language)))
    assert len(words) > 500
    assert [word for word in words if not set(word.lower()) <= set(LETTERS[language])] == []


@each_language
def test_letters_are_composed_and_lines_short(language: str) -> None:
    text = read(language)
    assert unicodedata.is_normalized("NFC", text)
    assert max(map(len, text.splitlines())) <= 100


@each_language
def test_no_later_line_of_a_paragraph_begins_like_an_item(language: str) -> None:
    assert re.findall(r"^ +(?:[-*+#>]|\d+[.)]) .*$", read(language), re.MULTILINE) == []
