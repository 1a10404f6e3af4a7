"""Make the bars from the scores of the sides."""

from collections.abc import Sequence

from passing_client.language import _
from passing_client.screen.panels.points.model import Bar, Points
from passing_client.words.people import People


def present(people: People, scores: Sequence[int], winner: int | None = None) -> Points:
    """Return the sides with their scores, the highest first; `winner` is a side."""
    target = people.view.game.target or max([*scores, 1])
    order = sorted(range(len(scores)), key=lambda side: (-scores[side], side))
    bars = tuple(
        Bar(side_called(people, side), scores[side], side == winner, _is_own(people, side))
        for side in order
    )
    return Points(_("to {target}").format(target=target), target, bars)


def side_called(people: People, side: int) -> str:
    """Return who a side is: a name, or two of a partnership."""
    if people.view.game.partners:
        return people.side_name(side, start=True)
    return people.called(side)


def _is_own(people: People, side: int) -> bool:
    return people.me is not None and people.side_of(people.me) == side
