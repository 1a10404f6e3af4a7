"""The characters that pictures are made of: box drawing that every terminal font has, or ASCII."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Skin:
    """Hold a character, or a few, for each thing that is drawn; every one takes one cell.

    `bar` parts the halves of a tile that is drawn in a box and `half` those of one in brackets;
    `left` and `right` stand at the ends of the train, `more` where a row goes on in the next,
    `here` before who is to act, `chosen` before what is selected, `block` for a tile that is not
    seen, `full` and `rest` for a bar of points, `dot` between the parts of a line, `won` before
    a winner and `times` between two numbers.
    """

    horizontal: str
    vertical: str
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    tee_left: str
    tee_right: str
    bar: str
    half: str
    left: str
    right: str
    more: str
    here: str
    chosen: str
    block: str
    full: str
    rest: str
    dot: str
    won: str
    times: str


UNICODE: Final = Skin(
    horizontal="─",
    vertical="│",
    top_left="┌",
    top_right="┐",
    bottom_left="└",
    bottom_right="┘",
    tee_left="├",
    tee_right="┤",
    bar=":",
    half="|",
    left="◄",
    right="►",
    more="»",
    here="►",
    chosen="►",
    block="■",
    full="█",
    rest="░",
    dot="·",
    won="*",
    times="×",
)

ASCII: Final = Skin(
    horizontal="-",
    vertical="|",
    top_left="+",
    top_right="+",
    bottom_left="+",
    bottom_right="+",
    tee_left="+",
    tee_right="+",
    bar="|",
    half="|",
    left="<",
    right=">",
    more=">",
    here=">",
    chosen=">",
    block="#",
    full="#",
    rest=".",
    dot="-",
    won="*",
    times="x",
)
