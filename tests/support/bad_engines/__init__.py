"""Engines that misbehave, each in one way, for whatever must survive them.

Those that are classes can be started by `passing bot run tests.support.bad_engines:CLASS`. All
are programs too: `python -m tests.support.bad_engines KIND`, which finds the server by the
variables PASSING_ADDRESS, PASSING_TOKEN, PASSING_NAME and PASSING_TABLES, as a league sets them,
or `python -m tests.support.bad_engines KIND CONNECTION_FILE`, which takes one table under the
kind's own name. As programs, the classes play by the SDK's mild rule: what is wrong is a pass.

A program ends soon after the one that started it.
"""

from typing import Final

from passing_bots import Engine
from tests.support.bad_engines.engines import (
    Aborting,
    Babbling,
    Crashing,
    Dying,
    Forking,
    Illegal,
    Killed,
    KilledOnce,
    Nothing,
    Segfaulting,
    Slow,
    Stubborn,
)
from tests.support.bad_engines.raw import RAW_MISDEEDS
from tests.support.bad_engines.wire import MISDEEDS, UNWILLING

__all__ = [
    "ABSENT",
    "ENGINES",
    "KINDS",
    "Aborting",
    "Babbling",
    "Crashing",
    "Dying",
    "Forking",
    "Illegal",
    "Killed",
    "KilledOnce",
    "Nothing",
    "Segfaulting",
    "Slow",
    "Stubborn",
]

ENGINES: Final[dict[str, type[Engine]]] = {
    "slow": Slow,
    "illegal": Illegal,
    "nothing": Nothing,
    "crashing": Crashing,
    "dying": Dying,
    "segfaulting": Segfaulting,
    "aborting": Aborting,
    "killed": Killed,
    "killed_once": KilledOnce,
    "babbling": Babbling,
    "stubborn": Stubborn,
    "forking": Forking,
}
KINDS: Final = (*ENGINES, *MISDEEDS, *RAW_MISDEEDS)
"""Those that take a seat when they are invited."""

ABSENT: Final = (*UNWILLING, "never_connecting", "failing")
"""Those that never take one."""
