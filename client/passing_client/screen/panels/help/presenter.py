"""Make the help from the table of keys and from the table of commands, and from nothing else."""

import re
from typing import Final

from passing_client.desk import Desk
from passing_client.language import _
from passing_client.repertoire import help_here
from passing_client.screen.keys import KEYS, KeyAction
from passing_client.screen.panels.help.model import Help, KeyHelp

_OTHER: Final = re.compile(r"f\d+|[^\w\s;\"]")
"""The other keys of an action that are worth naming: function keys and signs."""


def present(desk: Desk) -> Help:
    """Return the help for who and where the person is."""
    return Help(
        _(
            "On your turn you play a tile at either end of the train, draw a tile, or pass. A round"
            " ends when somebody goes out, when nobody can play, or when everybody passes; the"
            " fewest pips win it. /rules shows the rules."
        ),
        key_helps(),
        _("What can be typed after /:"),
        tuple(help_here(desk)),
    )


def key_helps() -> tuple[KeyHelp, ...]:
    """Return what each key does that is explained, in the order of the table of keys."""
    return tuple(KeyHelp(_keys(action), _(action.help)) for action in KEYS if action.help)


def _keys(action: KeyAction) -> str:
    """Return how a person presses it: the usual key first, then those that do the same."""
    label = _(action.label)
    others = [key.upper() for key in action.keys if _OTHER.fullmatch(key) and key != label]
    return "  ".join([label, *(key for key in others if key != label)])
