"""What a person reads from the full screen, to play by nothing else."""

import re

_MARKS = re.compile(r"[ <=>]*[<>][ <=>]*")


def fitting(text: str) -> str | None:
    """Return a tile of the hand that fits, as it is typed with its end; None for none."""
    lines = text.splitlines()
    marks = next((n for n, line in enumerate(lines) if n and _MARKS.fullmatch(line)), 0)
    hand = next((line for line in reversed(lines[:marks]) if re.search(r"\d:\d", line)), "")
    for found in re.finditer(r"<=>?|=>", lines[marks] if hand else ""):
        tile = re.search(r"(\d):(\d)", hand[max(0, found.start() - 3) : found.start() + 4])
        if tile is not None:
            return f"{tile[1]}{tile[2]}{'<' if found[0].startswith('<') else '>'}"
    return None


def keys_for(text: str) -> str:
    """Return what to type on a turn: a tile that fits, else draw, else pass."""
    first = re.search(r"│(\d):(\d)│", text[text.index("your hand") :])
    if "type any tile" in text and first is not None:
        return f"{first[1]}{first[2]}>"
    return fitting(text) or ("d" if "d draw" in text else "p")


def happened(text: str) -> str:
    """Return the part of the screen that only what happens at the table changes."""
    return text.partition("your hand")[0]
