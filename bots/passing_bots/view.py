"""What an engine sees when it is its turn: the public view, its own hand and the question, typed.

Everything is worked out when it is first asked for, so a simple engine pays for what it uses.
"""

import random
from functools import cached_property

from passing_protocol.views import Ask, Clock, Mine, PublicView, options_of
from passing_rules import (
    ALL_TILES,
    Action,
    ActionRecord,
    Draw,
    Options,
    Placed,
    Play,
    Tile,
)


class TurnView:
    """Show all that a seat may know when it is asked for an action (R6.1).

    `public`, `mine` and `ask` are the messages themselves. `table` names the table, `seed` is
    the engine's chance there (32 hex digits): the server's `bot_seed` where it gives one.
    """

    def __init__(
        self, public: PublicView, mine: Mine, ask: Ask, *, table: str = "", seed: str = ""
    ) -> None:
        """Hold the three parts of a question."""
        self.public = public
        self.mine = mine
        self.ask = ask
        self.table = table
        self.seed = seed

    # --- what I may do, and with what ------------------------------------------------------

    @property
    def seat(self) -> int:
        """Return my seat, from 0."""
        return self.mine.seat

    @cached_property
    def hand(self) -> tuple[Tile, ...]:
        """Return the tiles in my hand."""
        return tuple(map(Tile.parse, self.mine.hand))

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Return every action that is legal now; a pass always is (R2.2)."""
        return tuple([message.action for message in self.ask.legal])

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """Return the legal plays; a tile that fits both ends is there twice (R2.4)."""
        return tuple(action for action in self.legal if isinstance(action, Play))

    @cached_property
    def can_draw(self) -> bool:
        """Tell whether drawing is legal now (R2.3)."""
        return Draw() in self.legal

    @property
    def clock(self) -> Clock | None:
        """Return the milliseconds left of this turn and of my bank; None without a clock."""
        return self.ask.clock

    @property
    def turn(self) -> int:
        """Return the number of this decision at the table."""
        return self.ask.turn

    @cached_property
    def random(self) -> random.Random:
        """Return a source of chance that is the same for the same seed and turn.

        So an engine that draws on nothing else plays the same game again, even if it was
        started anew in the middle of it.
        """
        return random.Random(f"{self.seed}:{self.turn}")

    # --- what lies on the table ------------------------------------------------------------

    @property
    def ends(self) -> tuple[int, int] | None:
        """Return the numbers at the left and the right end; None before the first tile."""
        return self.public.ends

    @cached_property
    def train(self) -> tuple[Placed, ...]:
        """Return the train from left to right, with who played what."""
        return tuple(Placed(Tile.parse(laid.tile), laid.seat) for laid in self.public.train)

    @property
    def boneyard(self) -> int:
        """Count the tiles of the boneyard, with the two that stay (R1.3)."""
        return self.public.boneyard

    @property
    def drawable(self) -> int:
        """Count the tiles that can still be drawn."""
        return self.public.drawable

    # --- the others, and what has happened -------------------------------------------------

    @property
    def seats(self) -> int:
        """Count the seats of the table."""
        return len(self.public.hands)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Count the tiles of every hand, by seat."""
        return tuple(self.public.hands)

    @property
    def passes(self) -> int:
        """Count the passes in a row up to now (R3.3)."""
        return self.public.passes

    @cached_property
    def passes_left(self) -> int:
        """Count the passes, mine included, after which the round ends as passed out (R3.3)."""
        return self.options.pass_circles * self.seats - self.passes

    @property
    def leader(self) -> int:
        """Return the seat that led this round."""
        return 0 if self.public.leader is None else self.public.leader

    @property
    def round(self) -> int:
        """Return the number of this round in the match, from 1."""
        return self.public.round

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the scores, by side: partners 0+2 and 1+3, or every seat its own (R1.4)."""
        return tuple(self.public.scores)

    @cached_property
    def options(self) -> Options:
        """Return the options of the rules at this table; an engine assumes none of them."""
        return options_of(self.public.game)

    @cached_property
    def records(self) -> tuple[ActionRecord, ...]:
        """Return every action of this round in order; a draw does not tell its tile (R6.1)."""
        return tuple(
            ActionRecord(acted.seat, acted.action.action, timed_out=acted.timed_out)
            for acted in self.public.actions
        )

    @cached_property
    def unseen(self) -> tuple[Tile, ...]:
        """Return the tiles that are neither in my hand nor on the train."""
        seen = {laid.tile for laid in self.public.train}
        seen.update(self.mine.hand)
        return tuple(tile for text, tile in _TILES if text not in seen)


_TILES = tuple((str(tile), tile) for tile in ALL_TILES)
