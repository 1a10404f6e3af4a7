"""The standings of a league as text: tables for people, at most 100 columns wide."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from passing_bots.league.estimates import Estimate
from passing_bots.league.settings import GameKind
from passing_bots.league.standings import FaultCount, Gain, Row, Standings
from passing_protocol.names import clean_chat

WIDTH: Final = 100
_GAP: Final = "  "
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
    others = (
        ("Of blocks that are not whole", standings.unpaired),
        ("Not played, as an engine was out", standings.dropped),
        ("Not played yet", standings.left),
    )
    yield from (f"{what}: {count}." for what, count in others if count)
    if not standings.over:
        yield "The league is not finished."


def _table(standings: Standings) -> Iterator[str]:
    """Yield the engines, the best first, and what the columns mean."""
    heads = ("#", "engine", "margin", "clean", "won", "games", "forfeits", "faults")
    margins = _estimates([row.margin for row in standings.rows])
    cleans = _estimates([row.clean for row in standings.rows])
    rows = [
        (
            _rank(row),
            row.engine,
            margin,
            clean,
            f"{row.won / row.games:.1%}" if row.games else "",
            str(row.games),
            str(row.forfeits),
            str(row.faults),
        )
        for row, margin, clean in zip(standings.rows, margins, cleans, strict=True)
    ]
    yield from _columns(heads, rows)
    yield ""
    cost = standings.league.faults.margin
    yield "margin    points a game above the mean of the other sides, +- its 95 % interval"
    yield "clean     the same without the blocks in which somebody forfeited"
    yield "won       games won outright; games, forfeits: those of whole blocks alone"
    yield f"forfeits  games lost by forfeit, each by {cost} points"
    yield "faults    all that the engine did wrong, told below"
    yield "Intervals are told from 10 blocks on, where no pairing has 1 block only."
    if not _all_met_alike(standings):
        yield "Some have met other opponents than others, and so their margins do not compare."


def _rank(row: Row) -> str:
    if row.out is not None:
        return "out"
    return "-" if row.rank is None else str(row.rank)


def _all_met_alike(standings: Standings) -> bool:
    """Tell whether every two engines have met in as many whole blocks as any other two."""
    count = len(standings.rows)
    met = {cell.difference.blocks for cell in standings.crosstable}
    return not met or (len(standings.crosstable) == count * (count - 1) and len(met) == 1)


def _crosstable(standings: Standings) -> Iterator[str]:
    """Yield by how much each ranked engine beat each other one, in as many tables as it needs."""
    names = {row.engine: row.rank for row in standings.rows if row.rank is not None}
    told = [cell for cell in standings.crosstable if {cell.engine, cell.other} <= names.keys()]
    cells = {
        (cell.engine, cell.other): f"{text}{'*' if cell.difference.beyond_chance else ' '}"
        for cell, text in zip(told, _estimates([cell.difference for cell in told]), strict=True)
    }
    if not cells:
        return
    yield "Points a game by which the engine of the line beat that of the column"
    yield "* more than chance: 0 is outside the interval. Empty: they have played no whole block."
    taken = 4 + max(map(len, names))
    columns = iter(names)
    each = max(1, (WIDTH - taken) // (len(_GAP) + max(map(len, cells.values()))))
    while chosen := list(islice(columns, each)):
        yield ""
        yield from _columns(
            ("#", "engine", *(f"{names[other]} " for other in chosen)),
            [
                (str(rank), name, *(cells.get((name, other), "") for other in chosen))
                for name, rank in names.items()
            ],
        )


def _gains(gains: Sequence[Gain]) -> Iterator[str]:
    """Yield what playing each deal in all rotations has gained, over all pairings."""
    known = sorted(gain.gain for gain in gains if gain.gain is not None)
    if known:
        least, most = (f"{gain:.1f}" for gain in (known[0], known[-1]))
        times = least if least == most else f"{least} to {most}"
        yield f"Playing each deal from every seat was worth {times} times as many games."
    if len(known) < len(gains):
        yield f"Pairings in which all luck has cancelled exactly: {len(gains) - len(known)}."


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
    where = fault.game
    if fault.record is not None:
        where += f" (results/{fault.record}, game {fault.number})"
    return f"{fault.count} x {kind}{_WHOSE[fault.owner]}{again}; first in {where}: {evidence}"


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
