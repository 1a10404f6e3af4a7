"""Small files, short functions, and more test than code."""

import ast
from statistics import median

from tests.support.sources import Source, code, code_of_tests

LONGEST_FILE = 400
LONGEST_FUNCTION = 60
MIDDLE_FUNCTION = 8


def filled(sources: tuple[Source, ...]) -> int:
    """Count the lines that are not empty."""
    return sum(1 for source in sources for line in source.lines if line.strip())


def functions() -> list[tuple[str, int]]:
    """The length in lines of each function that gets installed."""
    return [
        (f"{source}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for source in code()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_tests_are_longer_than_code() -> None:
    assert filled(code_of_tests()) > filled(code())


def test_files_are_small() -> None:
    long = [
        f"{source}: {len(source.lines)}" for source in code() if len(source.lines) > LONGEST_FILE
    ]
    assert not long


def test_functions_are_short() -> None:
    lengths = functions()
    assert not [(name, length) for name, length in lengths if length > LONGEST_FUNCTION]
    assert median(length for _, length in lengths) <= MIDDLE_FUNCTION


def test_every_package_says_that_it_is_typed() -> None:
    packages = {source.path.parent for source in code() if source.module.count(".") == 0}
    assert packages
    assert not [folder for folder in packages if not (folder / "py.typed").is_file()]
