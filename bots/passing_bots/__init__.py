"""Engines for the Passing Game, and what it takes to write one.

>>> from passing_bots import Action, Engine, Pass, TurnView
>>> class Passer(Engine):
...     def choose(self, view: TurnView) -> Action:
...         return Pass()
"""

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from passing_bots.engine import Engine, MatchStart, RoundStart
    from passing_bots.playing import play, play_async
    from passing_bots.server import NoBotToken, OthersCode, Server, TokenInTheClear
    from passing_bots.session import EngineSession
    from passing_bots.view import TurnView
    from passing_rules import Action, Draw, End, Pass, Play, Tile

__all__ = [
    "Action",
    "Draw",
    "End",
    "Engine",
    "EngineSession",
    "MatchStart",
    "NoBotToken",
    "OthersCode",
    "Pass",
    "Play",
    "RoundStart",
    "Server",
    "Tile",
    "TokenInTheClear",
    "TurnView",
    "play",
    "play_async",
]

# The commands live in this package too, and must not load the network to print their help.
_HOMES: Final = {
    "engine": ("Engine", "MatchStart", "RoundStart"),
    "playing": ("play", "play_async"),
    "server": ("NoBotToken", "OthersCode", "Server", "TokenInTheClear"),
    "session": ("EngineSession",),
    "view": ("TurnView",),
}
_MODULES: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for, from its own module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = f"{__name__}.{_MODULES[name]}" if name in _MODULES else "passing_rules"
    return getattr(importlib.import_module(home), name)
