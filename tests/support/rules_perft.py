"""Count every line of play from a position, on the rules and on the naive oracle."""

from dataclasses import dataclass, field

from passing_rules import Round
from tests.support.naive_rules import NaiveRound


@dataclass
class Counts:
    """By depth: the lines of play so long, and those of them that end the round."""

    lines: list[int] = field(default_factory=list[int])
    ended: list[int] = field(default_factory=list[int])

    @classmethod
    def to(cls, depth: int) -> "Counts":
        return cls([0] * depth, [0] * depth)


def count_lines(played: Round, depth: int) -> Counts:
    counts = Counts.to(depth)
    _count(played, 0, counts)
    return counts


def _count(played: Round, depth: int, counts: Counts) -> None:
    for code in played.legal_codes():
        after = played.copy()
        after.apply(code)
        counts.lines[depth] += 1
        counts.ended[depth] += after.ending is not None
        if depth + 1 < len(counts.lines):
            _count(after, depth + 1, counts)


def count_lines_naively(played: NaiveRound, depth: int) -> Counts:
    counts = Counts.to(depth)
    _count_naively(played, 0, counts)
    return counts


def _count_naively(played: NaiveRound, depth: int, counts: Counts) -> None:
    for text in played.legal():
        after = NaiveRound(
            [hand[:] for hand in played.hands],
            played.boneyard[:],
            played.leader,
            played.circles,
            played.train[:],
            played.done[:],
        )
        after.act(text)
        counts.lines[depth] += 1
        counts.ended[depth] += after.ending != ""
        if depth + 1 < len(counts.lines):
            _count_naively(after, depth + 1, counts)
