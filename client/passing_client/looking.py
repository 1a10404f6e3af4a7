"""What a person looks at: each command prints its answer and changes nothing."""

from collections.abc import Callable
from typing import Final

from passing_client.desk import Desk
from passing_client.language import _, typed
from passing_client.model import TableModel
from passing_client.plain_text import plain_text
from passing_client.rules_text import rules_text
from passing_client.words import looks

LOG_LAPS: Final = 2
"""How many rounds of the table the log goes back when no number is given."""


def look(lines: Callable[[TableModel], list[str] | str]) -> Callable[[Desk, str], None]:
    """Return a command that prints what `lines` finds at the table."""

    def command(desk: Desk, _text: str) -> None:
        """Print the lines of the table, if the person is at one."""
        if desk.table is not None:
            found = lines(desk.table)
            desk.say(*([found] if isinstance(found, str) else found))

    return command


def log(desk: Desk, text: str) -> None:
    """Print the last actions, those of two laps or as many as are asked for."""
    if desk.table is None:
        return
    laps = LOG_LAPS * len(desk.table.view.seats)
    length = (int(text) if text.isdecimal() and len(text) <= 3 else 0) if text else laps
    if length == 0:
        desk.say(_("Say how many actions, 1 to 999: log 8"))
    else:
        desk.say(*looks.log_lines(desk.table, length))


def rules(desk: Desk, text: str) -> None:
    """Print the rules, or those lines of them that hold what is asked for (`R3.3`)."""
    lines = plain_text(rules_text()).splitlines()
    wanted = text.strip().upper()
    found = [line for line in lines if wanted in line.upper()] if wanted else lines
    none = typed(_("No clause has {text} in it; type {slash}rules for all of them."))
    desk.say(*(found or [none.format(text=repr(text))]))
