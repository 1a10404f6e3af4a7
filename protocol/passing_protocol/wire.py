"""The small values that messages are made of, and their way to and from the rules' own types."""

from typing import Annotated, Final, Literal, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from passing_protocol.names import NAME_CHARS
from passing_rules import ALL_TILES, Action, Draw, End, Pass, Play, Tile

TileText = Literal[
    "00", "01", "02", "03", "04", "05", "06",
    "11", "12", "13", "14", "15", "16",
    "22", "23", "24", "25", "26",
    "33", "34", "35", "36",
    "44", "45", "46",
    "55", "56",
    "66",
]  # fmt: skip
"""A tile: two digits, low then high (R1.1)."""

EndText = Literal["left", "right"]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Milliseconds = Annotated[int, Meta(ge=0, le=86_400_000)]
Pips = Annotated[int, Meta(ge=0, le=168)]
Identifier = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS)]
HexSeed = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Token = Annotated[str, Meta(min_length=16, max_length=128)]
HexBytes32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hex digits: a link of a hash chain, its tip, or a hash."""

PublicKey = Annotated[
    str,
    Meta(
        min_length=40,
        max_length=40,
        pattern=r"^[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}$",
    ),
]
"""A CURVE public key of 32 bytes, as ZeroMQ writes it (Z85)."""


class ActionMessage(
    Struct, frozen=True, omit_defaults=True, rename={"pass_": "pass"}, gc=False
):  # many are made in every message, and none can be part of a cycle
    """Carry exactly one of a play, a draw or a pass (R2.1).

    `end` goes with `play`, and is absent for the first tile of a round (R2.4).
    """

    play: TileText | UnsetType = UNSET
    end: EndText | UnsetType = UNSET
    draw: bool = False
    pass_: bool = False

    def __post_init__(self) -> None:
        """Refuse anything but one of the three."""
        if (self.play is not UNSET) + self.draw + self.pass_ != 1:
            raise ValueError("exactly one of play, draw: true and pass: true is needed")
        if self.end is not UNSET and self.play is UNSET:
            raise ValueError("end goes with play only")

    @property
    def action(self) -> Action:
        """Return the same action as the rules know it."""
        return _ACTIONS[self]


def action_message(action: Action) -> ActionMessage:
    """Return an action in the form that goes over the wire."""
    return _MESSAGES[action]


def tile_text(tile: Tile) -> TileText:
    """Return a tile in the form that goes over the wire."""
    return TILE_TEXTS[tile.index]


TILE_TEXTS: Final[tuple[TileText, ...]] = tuple(cast("TileText", str(tile)) for tile in ALL_TILES)
"""The tiles in the form that goes over the wire, by index."""

# There are 86 actions: each is written once, and looked up from then on.
_MESSAGES: Final[dict[Action, ActionMessage]] = {
    Draw(): ActionMessage(draw=True),
    Pass(): ActionMessage(pass_=True),
    **{
        Play(tile, end): ActionMessage(
            play=tile_text(tile), end=UNSET if end is None else end.value
        )
        for tile in ALL_TILES
        for end in (None, *End)
    },
}
_ACTIONS: Final = {message: action for action, message in _MESSAGES.items()}
