"""The project's own source files, and what they import."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROLES = ("protocol", "server", "client", "bots")
"""The folders that hold packages."""


@dataclass(frozen=True)
class Source:
    """One file of Python."""

    path: Path

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def module(self) -> str:
        """Its dotted name below one of the roles' folders."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts[1:]
        return ".".join(part for part in parts if part != "__init__")

    @property
    def lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines()

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))

    def imports(self) -> set[str]:
        """All modules that it names in imports, deep ones in functions too."""
        return set(_imported(self.tree))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            # `from package import module` imports the module as well.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def code() -> tuple[Source, ...]:
    """The files that get installed."""
    return _below(*ROLES)


@cache
def code_of_tests() -> tuple[Source, ...]:
    return _below("tests")


def package(*names: str) -> list[Source]:
    """The files of these packages."""
    return [source for source in code() if source.module.split(".")[0] in names]


def is_below(module: str, *parents: str) -> bool:
    """Tell whether a module is one of the parents or inside one."""
    return any(f"{module}.".startswith(f"{parent}.") for parent in parents)


def _below(*folders: str) -> tuple[Source, ...]:
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return tuple(Source(path) for path in sorted(paths))
