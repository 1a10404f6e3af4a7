"""Markdown becomes text that reads well in a terminal, and loses no word on the way."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.plain_text import plain_text

WORDS = st.text(st.characters(categories=["Ll", "Nd"], max_codepoint=0x17F), min_size=1)
PARAGRAPHS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
STARTS = st.sampled_from(["", "- ", "* ", "1. ", "  - ", "12. "])
MARKS = st.sampled_from(["# ", "## ", "### "])

BLOCKS = st.lists(st.tuples(STARTS, PARAGRAPHS), min_size=1, max_size=6)


def document(blocks: list[tuple[str, str]], line_length: int) -> str:
    """Write blocks as Markdown, with lines that are broken where an author might."""
    written: list[str] = []
    for start, words in blocks:
        breaks = re.sub(rf"(.{{{line_length},}}?) ", r"\1\n" + " " * len(start), words)
        written.append(start + breaks)
    return "\n\n".join(written) + "\n"


@given(blocks=BLOCKS, line_length=st.integers(10, 90), width=st.integers(20, 100))
def test_every_word_is_kept_in_order(
    blocks: list[tuple[str, str]], line_length: int, width: int
) -> None:
    markdown = document(blocks, line_length)
    for text in (plain_text(markdown), plain_text(markdown, width)):
        # A word that is longer than a line gets broken.
        assert "".join(text.split()) == "".join(markdown.split())


@given(blocks=BLOCKS, width=st.integers(20, 100))
def test_no_line_is_wider_than_asked(blocks: list[tuple[str, str]], width: int) -> None:
    assert all(len(line) <= width for line in plain_text(document(blocks, 40), width).splitlines())


@given(blocks=BLOCKS, line_length=st.integers(10, 90))
def test_without_a_width_each_paragraph_is_a_line(
    blocks: list[tuple[str, str]], line_length: int
) -> None:
    lines = plain_text(document(blocks, line_length)).split("\n\n")
    assert lines == plain_text(document(blocks, 10_000)).split("\n\n")
    assert [line.strip("\n") for line in lines] == [start + words for start, words in blocks]


@given(words=PARAGRAPHS, mark=MARKS, width=st.integers(20, 100))
def test_a_heading_is_wrapped_and_underlined_as_wide_as_it_is(
    words: str, mark: str, width: int
) -> None:
    lines = plain_text(f"{mark}{words}\n", width).splitlines()
    assert max(map(len, lines)) <= width
    if mark != "### ":
        *heading, underline = lines
        assert set(underline) == {{"# ": "=", "## ": "-"}[mark]}
        assert len(underline) == max(map(len, heading))


@given(words=PARAGRAPHS, start=st.sampled_from(["- ", "  - ", "12. "]))
def test_an_items_later_lines_stand_under_its_first_word(words: str, start: str) -> None:
    first, *later = plain_text(f"{start}{words}\n", 24).splitlines()
    assert first.startswith(start)
    assert all(line.startswith(" " * len(start)) and line.strip() for line in later)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Rules\n", "Rules\n=====\n"),
        ("## A turn\nSay pass.\n", "A turn\n------\nSay pass.\n"),
        ("### Small\n", "Small\n"),
        ("Say pass.\n# Next\n", "Say pass.\nNext\n====\n"),
        ("**Bold** and *leaning*.\n", "Bold and leaning.\n"),
        ("**R1.1** `46<` fits.\n", "R1.1 46< fits.\n"),
        ("**`46`** and `d??`\n", "46 and d??\n"),
        ("[the rules](RULES.md#r1)\n", "the rules\n"),
        ("2 * 3 * 4 and a_b_c\n", "2 * 3 * 4 and a_b_c\n"),
        ("- one\n- two\n  goes on\n", "- one\n- two goes on\n"),
        ("1. one\n2. two\n", "1. one\n2. two\n"),
        ("one\ntwo\n\nthree\n", "one two\n\nthree\n"),
        ("| a | `b` |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        ("say\n```\n# as it is  **here**\n\n- too\n```\non\n",
         "say\n    # as it is  **here**\n    \n    - too\non\n"),
        ("", "\n"),
    ],
)  # fmt: skip
def test_marks_become_text(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_a_table_and_a_fence_are_never_wrapped() -> None:
    row, code = "| " + "a " * 40 + "|", "b " * 40 + "b"
    text = plain_text(f"{row}\n\n```\n{code}\n```\n", 30)
    assert row in text
    assert code in text
