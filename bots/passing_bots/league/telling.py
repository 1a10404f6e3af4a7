"""The standings of a league as text: tables for people, at most 100 columns wide."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from passing_bots.league.estimates import Estimate
from passing_bots.league.settings import GameKind
from passing_bots.league.standings import FaultCount, Gain, Standings
from passing_protocol.names import clean_chat

WIDTH: Final = 100
_GAP: Final = "  "
_NO_BREAK: Final = "\u00a0"
_EVIDENCE_CHARS: Final = 300
_FINE: Final = 1_000
"""Numbers below this are told to the hundredth, others to the tenth."""

_WHOSE: Final = {
    "player": "",
    "server": " (by the server)",
    "network": " (by the network)",
    "worker": " (by the machine it ran on)",
}


def standings_text(standings: Standings) -> str:
    """Return the standings as lines of text."""
    sections = (
        _head(standings),
        _table(standings),
        _crosstable(standings),
        _gains(standings.gains),
        _faults(standings),
    )
    return "\n".join(
        "".join(f"{line}\n" for line in lines) for lines in map(list, sections) if lines
    )


def _head(standings: Standings) -> Iterator[str]:
    """Yield what was played, and how far the league has come."""
    league = standings.league
    game = "a round" if league.game is GameKind.ROUND else f"a match to {league.options.target}"
    yield league.name
    yield (
        f"{len(league.engines)} engines; a game is {game} at {league.options.seats} seats"
        f"{' with partners' if league.options.partners else ''}; {league.blocks} blocks a pairing."
    )
    yield (
        f"{standings.games} of {standings.planned} games count, those of "
        f"{standings.blocks} whole block{'' if standings.blocks == 1 else 's'}."
    )
    if standings.unpaired:
        yield f"Games that do not count, as their blocks are not whole: {standings.unpaired}."
    if not standings.over:
        yield "The league is not finished."


def _table(standings: Standings) -> Iterator[str]:
    """Yield the engines, the best first, and what the columns mean."""
    heads = ("#", "engine", "margin", "clean", "blocks", "games", "forfeits", "faults")
    margins = _estimates([row.margin for row in standings.rows])
    cleans = _estimates([row.clean for row in standings.rows])
    rows = [
        (
            str(rank),
            row.engine,
            margin,
            clean,
            str(row.margin.blocks),
            str(row.games),
            str(row.forfeits),
            f"{row.faults}{'' if row.out is None else ', out'}",
        )
        for rank, (row, margin, clean) in enumerate(
            zip(standings.rows, margins, cleans, strict=True), start=1
        )
    ]
    yield from _columns(heads, rows)
    yield ""
    cost = standings.league.faults.margin
    yield "margin    points a game above the mean of the other sides, +- its 95 % interval"
    yield "clean     the same without the blocks in which somebody forfeited"
    yield f"forfeits  games lost by forfeit, each by {cost} points"
    yield "faults    what the engine did wrong, told below"
    yield "Intervals are over blocks, and told from 10 blocks on."


def _crosstable(standings: Standings) -> Iterator[str]:
    """Yield by how much each engine beat each other one, in as many tables as the width needs."""
    names = [row.engine for row in standings.rows]
    texts = _estimates([cell.difference for cell in standings.crosstable])
    cells = {
        (cell.engine, cell.other): text
        for cell, text in zip(standings.crosstable, texts, strict=True)
    }
    if not cells:
        return
    yield "Points a game by which the engine of the line beat that of the column"
    taken = 4 + max(map(len, names))
    columns = iter(range(len(names)))
    each = max(1, (WIDTH - taken) // (len(_GAP) + max(map(len, texts))))
    while chosen := list(islice(columns, each)):
        yield ""
        yield from _columns(
            ("#", "engine", *(str(number + 1) for number in chosen)),
            [
                (str(rank), name, *(cells.get((name, names[number]), "") for number in chosen))
                for rank, name in enumerate(names, start=1)
            ],
        )


def _gains(gains: Iterable[Gain]) -> Iterator[str]:
    """Yield what playing each deal in all rotations has gained."""
    told = [f"{gain.pairing}{_NO_BREAK}{_gain(gain)}" for gain in gains]
    if told:
        yield "How many times less a block's mean varied than that of as many games of a deal each"
        for line in _wrapped("", ", ".join(told)):
            yield line.replace(_NO_BREAK, " ")


def _gain(gain: Gain) -> str:
    return f"cancels{_NO_BREAK}exactly" if gain.gain is None else f"{gain.gain:.2f}"


def _faults(standings: Standings) -> Iterator[str]:
    """Yield each engine's faults by kind, with the first evidence, and why it is out."""
    out = {row.engine: row.out for row in standings.rows if row.out is not None}
    if not (out or standings.faults):
        return
    yield "Faults"
    for fault in standings.faults:
        yield from _wrapped(_who(fault.engine), _fault(fault))
    for name, reason in sorted(out.items()):
        yield from _wrapped(_who(name), f"out: {clean_chat(reason, _EVIDENCE_CHARS)}")


def _who(engine: str | None) -> str:
    return f"{engine or '(no engine)'}: "


def _fault(fault: FaultCount) -> str:
    kind = fault.kind.replace("_", " ")
    again = f", {fault.replayed} played again" if fault.replayed else ""
    evidence = clean_chat(fault.evidence, _EVIDENCE_CHARS)
    return f"{fault.count} x {kind}{_WHOSE[fault.owner]}{again}; first in {fault.game}: {evidence}"


def _wrapped(who: str, text: str) -> Iterator[str]:
    yield from textwrap.wrap(
        f"{who}{text}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )


def _estimates(estimates: Sequence[Estimate]) -> list[str]:
    """Return means with their intervals, each of the two right-aligned among its like."""
    means = [_number(estimate.mean, "+") for estimate in estimates]
    halves = [_number(estimate.interval, "") for estimate in estimates]
    left = max(map(len, means), default=0)
    right = max(map(len, halves), default=0)
    return [
        f"{mean:>{left}}" + (f" +- {half:>{right}}" if half else " " * (right and right + 4))
        for mean, half in zip(means, halves, strict=True)
    ]


def _number(value: float | None, sign: str) -> str:
    """Return a number to the hundredth; what is exactly 0 is told apart from what rounds to it."""
    if not value:
        return "" if value is None else "0"
    return f"{value:{sign}.{2 if abs(value) < _FINE else 1}f}"


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table: the engines' names to the left of their column, all else to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        cells = (
            f"{cell:<{width}}" if head == "engine" else f"{cell:>{width}}"
            for head, cell, width in zip(heads, row, widths, strict=True)
        )
        yield _GAP.join(cells).rstrip()
