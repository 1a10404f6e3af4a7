"""The tables of keys in the documents, made from the table of keys of the full screen.

`python -m tests.support.key_tables` brings the documents up to date.
"""

from pathlib import Path
from typing import Final

from passing_client.screen.keys import KEYS
from passing_client.screen.panels.help.presenter import key_helps
from tests.support.sources import ROOT

MARK: Final = "<!-- keys -->\n"
"""It stands before a table, which an empty line ends."""

MOST_USED: Final = (
    "tile", "play", "play_left", "play_right", "draw", "pass", "ready", "look", "chat", "log",
    "scores", "help", "keys", "command", "leave",
)  # fmt: skip
EXPLAINED: Final = tuple(action.name for action in KEYS if action.help)
TABLES: Final = {ROOT / "README.md": MOST_USED, ROOT / "docs" / "players.md": EXPLAINED}
"""The documents, each with the actions of its table."""


def table(names: tuple[str, ...]) -> str:
    """Return the table of some actions, in the order of the table of keys."""
    lines = ["| key | what it does |", "|---|---|"]
    for name, key in zip(EXPLAINED, key_helps(), strict=True):
        if name in names:
            keys = ", ".join(f"`{each}`" for each in key.keys.split("  "))
            lines.append(f"| {keys} | {key.text} |")
    return "".join(f"{line}\n" for line in lines)


def shown(path: Path) -> str:
    """Return the table that a document has."""
    return path.read_text(encoding="utf-8").partition(MARK)[2].partition("\n\n")[0] + "\n"


def main() -> None:
    """Write every table into its document."""
    for path, names in TABLES.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(MARK + shown(path), MARK + table(names)), encoding="utf-8")


if __name__ == "__main__":
    main()
