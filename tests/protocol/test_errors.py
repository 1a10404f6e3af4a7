"""The registry of errors."""

import re

import pytest

from passing_protocol.errors import MEANINGS, ErrorCode, RequestRefused
from passing_rules import Refusal


def test_every_code_has_a_meaning() -> None:
    assert list(MEANINGS) == list(ErrorCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_a_code_is_small_letters_and_its_sentence_is_one(code: ErrorCode) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code.value)
    sentence = MEANINGS[code].sentence
    assert sentence.endswith(".")
    assert sentence.count(".") == 1


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_of_the_rules_is_a_code(refusal: Refusal) -> None:
    assert ErrorCode(refusal.value) in MEANINGS


def test_a_refused_request_has_the_sentence_of_its_code_or_a_better_one() -> None:
    plain = RequestRefused(ErrorCode.FULL)
    assert plain.detail == MEANINGS[ErrorCode.FULL].sentence
    better = RequestRefused(ErrorCode.FULL, "You are at 4 tables.")
    assert (better.code, better.detail) == (ErrorCode.FULL, "You are at 4 tables.")
    assert str(better) == "full: You are at 4 tables."
