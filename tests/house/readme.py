"""What the README tells people to type."""

import re

from tests.support.sources import ROOT

README = ROOT / "README.md"
TO_RUN = "<!-- run -->\n"
"""What stands before a block of commands that can run from start to end, without a person."""

_BLOCK = re.compile(r"(<!-- run -->\n)?```sh\n(.*?)```\n", re.DOTALL)


def blocks(*, to_run: bool) -> list[str]:
    """The README's blocks of commands that are, or are not, marked to be run."""
    found = _BLOCK.findall(README.read_text(encoding="utf-8"))
    return [commands for mark, commands in found if bool(mark) == to_run]
