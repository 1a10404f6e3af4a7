"""The parts that pages share: rules, lines with two sides, wrapped text, and blocks by rank."""

from hypothesis import given, settings
from hypothesis import strategies as st

from passing_client.screen.cells import line, text_of, width
from passing_client.screen.pages.stack import Block, stacked
from passing_client.screen.parts import filled, rule, two_sided, wrapped
from passing_client.screen.skin import UNICODE

LETTERS = st.sampled_from("abcΩ\u3042\u0301é-·")
WORDS = st.text(LETTERS, min_size=1, max_size=30)
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


# --- rules and two sides -------------------------------------------------------------------------


def test_a_rule_has_its_title_and_a_text_at_the_right() -> None:
    assert text_of(rule(30, UNICODE)) == "─" * 30
    assert text_of(rule(30, UNICODE, "train")) == "── train " + "─" * 21
    assert text_of(rule(30, UNICODE, "train", "ends 5 0")) == "── train ───────── ends 5 0 ──"


@settings(max_examples=25)
@given(st.integers(10, 90), SENTENCES, SENTENCES)
def test_rules_and_two_sides_are_as_wide_as_asked(cells: int, left: str, right: str) -> None:
    assert width(text_of(rule(cells, UNICODE, left, right))) == cells
    assert width(text_of(two_sided(cells, [("", left)], [("", right)]))) == cells


@settings(max_examples=25)
@given(SENTENCES)
def test_the_right_side_stays_whole_where_it_can(left: str) -> None:
    assert text_of(two_sided(30, [("", left)], [("", "2 tables")])).endswith(" 2 tables")


# --- wrapped text --------------------------------------------------------------------------------


def test_words_are_kept_whole_and_columns_stay() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("  d    draw a tile", 13, "  ") == ["  d    draw a", "  tile"]
    assert wrapped("", 8) == [""]
    assert wrapped("abcdefghij", 4, " ") == ["abcd", " efg", " hij"]


@settings(max_examples=25)
@given(SENTENCES, st.integers(2, 60), st.integers(0, 12))
def test_wrapped_lines_fit_and_lose_nothing(text: str, cells: int, indent: int) -> None:
    rows = wrapped(text, cells, " " * indent)
    assert all(width(row) <= max(cells, indent + 2) for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())
    longest = max((width(word) for word in text.split()), default=0)
    if longest + indent <= cells:
        assert " ".join(" ".join(rows).split()) == " ".join(text.split())


# --- blocks --------------------------------------------------------------------------------------


def block(name: str, size: int, rank: int = 0, *, air: bool = False) -> Block:
    return Block([line(8, [("", name)])] * size, rank, air)


def names(blocks: list[Block], rows: int) -> list[str]:
    return [text_of(each).strip() for each in stacked(blocks, 8, rows)]


def test_the_least_important_goes_first_and_the_order_stays() -> None:
    blocks = [block("a", 1), block("b", 2, 2), block("c", 1, 1)]
    assert names(blocks, 5) == ["a", "b", "b", "c", ""]
    assert names(blocks, 3) == ["a", "c", ""]
    assert names(blocks, 1) == ["a"]


def test_nothing_less_important_takes_the_place_of_what_does_not_fit() -> None:
    assert names([block("a", 1), block("b", 3, 1), block("c", 1, 2)], 3) == ["a", "", ""]


def test_air_is_what_is_left() -> None:
    blocks = [block("a", 1, air=True), block("b", 1, air=True), block("c", 1)]
    assert names(blocks, 3) == ["a", "b", "c"]
    assert names(blocks, 4) == ["", "a", "b", "c"]
    assert names(blocks, 6) == ["", "a", "", "b", "c", ""]


BLOCKS = st.builds(block, st.just("x"), st.integers(0, 6), st.integers(0, 4), air=st.booleans())


@settings(max_examples=25)
@given(st.lists(BLOCKS, max_size=8), st.integers(1, 30))
def test_blocks_take_exactly_the_rows_there_are(blocks: list[Block], rows: int) -> None:
    assert len(stacked(blocks, 8, rows)) == rows
    assert len(filled([], 8, rows)) == rows
