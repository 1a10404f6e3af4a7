"""Make the table of hands from how a round ended (R3, R4)."""

from collections.abc import Iterable

from passing_client.language import _
from passing_client.screen.panels.hands.model import Hands, Held
from passing_client.words.basics import tile_words
from passing_client.words.people import People
from passing_protocol.events import RoundEnded
from passing_rules import Tile


def present(event: RoundEnded, people: People) -> Hands:
    """Return every hand, the lowest first; in a partnership by sides, the winning one first."""
    heads = (_("player"), _("tiles left in hand"), _("pips"), _("round"), _("total"))
    if people.view.game.partners:
        return Hands(heads, tuple(_by_side(event, people)))
    return Hands(heads, tuple(_seat(event, people, seat) for seat in order_of(event, people)))


def order_of(event: RoundEnded, people: People) -> list[int]:
    """Return the seats in the order in which their hands stand."""
    if not people.view.game.partners:
        return _lowest_first(event, range(len(event.pips)))
    return [seat for side in _sides(event, people) for seat in _mates(event, people, side)]


def _sides(event: RoundEnded, people: People) -> list[int]:
    return sorted(range(people.sides), key=lambda side: (side != event.side, side))


def _mates(event: RoundEnded, people: People, side: int) -> list[int]:
    seats = range(len(event.pips))
    return _lowest_first(event, [seat for seat in seats if people.side_of(seat) == side])


def _lowest_first(event: RoundEnded, seats: Iterable[int]) -> list[int]:
    return sorted(seats, key=lambda seat: (event.pips[seat], seat not in event.winners, seat))


def _by_side(event: RoundEnded, people: People) -> Iterable[Held]:
    """Yield each side with its two seats; the points are the side's (R4.4)."""
    for side in _sides(event, people):
        yield Held(
            people.side_name(side, start=True),
            points=_points(event, side),
            total=str(event.scores[side]),
            you=people.me is not None and people.side_of(people.me) == side,
            is_side=True,
        )
        for seat in _mates(event, people, side):
            yield _seat(event, people, seat)


def _seat(event: RoundEnded, people: People, seat: int) -> Held:
    """Return one hand; the table may keep its tiles hidden (R6.2)."""
    partners = people.view.game.partners
    return Held(
        people.called(seat),
        _tiles(event, seat),
        _note(event, seat),
        str(event.pips[seat]),
        "" if partners else _points(event, seat),
        "" if partners else str(event.scores[seat]),
        won=seat in event.winners,
        you=seat == people.me,
        is_partner=partners,
    )


def _points(event: RoundEnded, side: int) -> str:
    return f"+{event.points}" if side == event.side else "0"


def _tiles(event: RoundEnded, seat: int) -> tuple[str, ...]:
    held = [] if event.hands is None else event.hands[seat]
    return tuple(tile_words(tile) for tile in sorted(map(Tile.parse, held)))


def _note(event: RoundEnded, seat: int) -> str:
    if event.hands is None:
        return _("not shown")
    return "" if event.hands[seat] else _("none")
