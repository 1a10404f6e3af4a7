"""A sentence that can be said in another language is an ordinary text in English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link import words
from passing_link.news import CannotReach
from passing_link.sentences import NOTHING, sentence

PLACE = sentence("{place} does not answer.", place="den")


def test_it_reads_as_the_sentence_that_it_is() -> None:
    assert PLACE == "den does not answer."
    assert (PLACE.texts, PLACE.values) == (("{place} does not answer.",), {"place": "den"})


def test_one_follows_the_other_and_nothing_adds_nothing() -> None:
    more = PLACE.then(sentence("Gave up after {seconds} s.", seconds="5"))
    assert more == "den does not answer. Gave up after 5 s."
    assert PLACE.then(NOTHING) == NOTHING.then(PLACE) == PLACE
    assert NOTHING == ""


@given(st.text())
def test_what_stands_in_a_place_is_taken_as_it_is(value: str) -> None:
    assert sentence("{place} answers.", place=value) == f"{value} answers."


def test_an_error_keeps_it() -> None:
    with pytest.raises(CannotReach, match=r"^den does not answer\.$") as error:
        raise CannotReach(PLACE)
    assert error.value.args == (PLACE,)
    assert error.value.args[0].texts == PLACE.texts


def test_how_long_it_was_tried_is_told_in_tenths() -> None:
    assert "Gave up after 3.5 s." in words.gave_up(PLACE, 3.49724)
    assert "Gave up after 5 s." in words.gave_up(PLACE, 5.0)
