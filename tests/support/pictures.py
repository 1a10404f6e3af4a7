"""Pictures of the screen as text, and as SVG for documents."""

from dataclasses import dataclass
from html import escape

from passing_client.screen.cells import Line, text_of, width
from passing_client.screen.picture import Picture
from passing_client.screen.style import STYLES

CELL = 8.4
LINE = 16
SIZE = 14
PAD = 12
PAPER = "#1e1e1e"
INK = "#d4d4d4"
INKS = {
    "ansibrightblack": "#8a8a8a",
    "ansiyellow": "#e5c07b",
    "ansicyan": "#56b6c2",
    "ansigreen": "#98c379",
    "ansired": "#e06c75",
}


def plain_of(picture: Picture) -> str:
    """Return a picture as text, without spaces at the ends of lines, and its cursor."""
    lines = [text_of(drawn).rstrip() for drawn in picture.lines]
    cursor = picture.cursor
    where = "none" if cursor is None else f"row {cursor[0]}, column {cursor[1]}"
    return "\n".join([*lines, f"cursor: {where}"]) + "\n"


@dataclass(frozen=True)
class Look:
    """How a style is drawn: everything that prompt_toolkit's words for it say."""

    ink: str = INK
    paper: str = PAPER
    is_bold: bool = False

    @classmethod
    def of(cls, style: str) -> "Look":
        words = STYLES[style].split() if style else []
        ink = next((INKS[word] for word in words if word in INKS), INK)
        unknown = [word for word in words if word not in {"bold", "reverse", *INKS}]
        assert not unknown, unknown
        if "reverse" in words:
            return cls(PAPER, ink, "bold" in words)
        return cls(ink, PAPER, "bold" in words)


def svg_of(picture: Picture) -> str:
    """Return a picture as SVG; the same picture always gives the same text."""
    columns = max(width(text_of(drawn)) for drawn in picture.lines)
    across, down = columns * CELL + 2 * PAD, len(picture.lines) * LINE + 2 * PAD
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {down:g}" '
        f'font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="{SIZE}">'
    )
    body = [part for row, drawn in enumerate(picture.lines) for part in _line(row, drawn)]
    paper = f'<rect width="{across:g}" height="{down:g}" rx="6" fill="{PAPER}"/>'
    return "\n".join([head, paper, *body, "</svg>"]) + "\n"


def _line(row: int, drawn: Line) -> list[str]:
    """Return the fragments of a line that show something, each in its own place."""
    parts: list[str] = []
    column = 0
    for style, text in drawn:
        look = Look.of(style)
        if look.paper != PAPER:
            parts.append(_paper(row, column, width(text), look))
        if text.strip():
            parts.append(_text(row, column, text, look))
        column += width(text)
    return parts


def _paper(row: int, column: int, cells: int, look: Look) -> str:
    left, top = PAD + column * CELL, PAD + row * LINE
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{cells * CELL:g}" height="{LINE}" '
        f'fill="{look.paper}"/>'
    )


def _text(row: int, column: int, text: str, look: Look) -> str:
    """Return a text without the spaces around it, as wide as its cells whatever the font."""
    shown = text.strip()
    left = PAD + (column + width(text) - width(text.lstrip())) * CELL
    bold = ' font-weight="bold"' if look.is_bold else ""
    return (
        f'<text x="{left:g}" y="{PAD + row * LINE + SIZE - 1:g}" xml:space="preserve" '
        f'textLength="{width(shown) * CELL:g}" fill="{look.ink}"{bold}>{escape(shown)}</text>'
    )
