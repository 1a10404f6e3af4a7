"""RULES.md and the tests name the same clauses."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
RULES = TESTS.parent / "protocol" / "RULES.md"

ELSEWHERE = {
    "R6.1": "secrets: see protocol tests",
    "R6.2": "secrets: see protocol tests",
    "R6.3": "secrets: see protocol tests",
}


def clauses() -> list[str]:
    """The clauses in the order of the page: every item of a list begins with its number."""
    items = re.findall(r"^- (.*)$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    numbers = [re.match(r"\*\*(R\d+\.\d+)\*\* \S", item) for item in items]
    return [number[1] for number in numbers if number]


def clauses_tested() -> set[str]:
    """The clauses that a test is named after, anywhere in the tests: `test_r3_2_...`."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        names = re.findall(r"^\s*(?:async )?def test_r(\d+)_(\d+)_", path.read_text("utf-8"), re.M)
        found.update(f"R{chapter}.{number}" for chapter, number in names)
    return found


def test_every_clause_stands_once_and_in_order() -> None:
    chapters = {1: 7, 2: 7, 3: 4, 4: 4, 5: 4, 6: 3}
    assert clauses() == [
        f"R{chapter}.{number}"
        for chapter, last in chapters.items()
        for number in range(1, last + 1)
    ]


def test_every_clause_is_tested() -> None:
    assert set(clauses()) - clauses_tested() <= set(ELSEWHERE)


def test_every_test_named_after_a_clause_has_its_clause() -> None:
    assert clauses_tested() <= set(clauses())
