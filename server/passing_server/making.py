"""A new table from what its maker asked for, and names as the server takes them in."""

from collections.abc import Callable

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Agent, Create, Role
from passing_protocol.names import VERSION_CHARS, clean_name, name_key
from passing_protocol.views import DealKind, GameOptions, options_of
from passing_rules import OptionError, Options
from passing_server.sessions import Session
from passing_table import (
    DealSource,
    FairDeals,
    GivenDeals,
    SeededDeals,
    ServerDeals,
    Table,
    TableSettings,
)

INVITED_ALONE = (
    "At a table whose deals are given only engines sit that its owner has invited; others may "
    "watch it."
)


def verify_deals(session: Session, request: Create) -> None:
    """Raise RequestRefused unless the session may have the deals it asks for.

    The code is not_admitted for anybody but an organiser and for a person who would play given
    deals, malformed for wishes that do not go together.
    """
    wishes = {"seed": request.seed, "given": request.given}
    fixed = [name for name, key in wishes.items() if key is not None]
    if fixed and session.role is not Role.ORGANISER:
        raise RequestRefused(ErrorCode.NOT_ADMITTED, f"{fixed[0]}: only an organiser fixes deals.")
    if len(fixed) > 1:
        detail = "given: seed fixes the deals already; a table takes one of the two."
        raise RequestRefused(ErrorCode.MALFORMED, detail, field="given")
    if request.sit and request.given is not None:
        raise RequestRefused(ErrorCode.NOT_ADMITTED, INVITED_ALONE)
    if fixed and request.table.deal is not None:
        detail = f"table.deal: {fixed[0]} fixes the deals already."
        raise RequestRefused(ErrorCode.MALFORMED, detail, field="table.deal")
    if request.table.deal == "fair" and request.table.reveal == "after_block":
        detail = "table.deal: a fair deal shows every hand when its round is over."
        raise RequestRefused(ErrorCode.MALFORMED, detail, field="table.deal")


def verify_sitter(session: Session, table: Table) -> None:
    """Raise RequestRefused with not_admitted for one who would play given deals uninvited."""
    if table.deals.kind is DealKind.GIVEN and table.seats.invited_seat(session.id) is None:
        raise RequestRefused(ErrorCode.NOT_ADMITTED, INVITED_ALONE)


def new_table(
    request: Create, table_id: str, maker: Session, entropy: Callable[[int], bytes], now: int
) -> Table:
    """Return the table that a request asks for. Raises RequestRefused with malformed."""
    options = _options(request.game)
    deals = _deals(request, maker.role, entropy)
    return Table(
        table_id=table_id,
        name=readable("name", request.name),
        options=options,
        settings=TableSettings(request.table, deals.kind is not DealKind.SEEDED, options.partners),
        deals=deals,
        new_match_id=match_ids(entropy),
        maker=maker.id,
        now=now,
    )


def match_ids(entropy: Callable[[int], bytes]) -> Callable[[], str]:
    """Return what names each match of a table."""
    return lambda: entropy(8).hex()


def _deals(request: Create, role: Role, entropy: Callable[[int], bytes]) -> DealSource | FairDeals:
    if request.seed is not None:
        return SeededDeals(bytes.fromhex(request.seed))
    if request.given is not None:
        return GivenDeals(bytes.fromhex(request.given))
    is_usual = role is not Role.ORGANISER and request.table.reveal != "after_block"
    if request.table.deal == "fair" or (request.table.deal is None and is_usual):
        return FairDeals(entropy)
    return ServerDeals(entropy)


def _options(game: GameOptions) -> Options:
    try:
        return options_of(game)
    except OptionError as error:
        field = f"game.{error.field}"
        raise RequestRefused(ErrorCode.MALFORMED, f"game.{error}", field=field) from None


def readable(field: str, name: str) -> str:
    """Return a name as it may be shown. Raises RequestRefused with malformed if nothing is left."""
    cleaned = clean_name(name)
    if not cleaned:
        detail = f"{field} {name!r}: nothing readable is in it."
        raise RequestRefused(ErrorCode.MALFORMED, detail, field=field)
    return cleaned


def readable_agent(agent: Agent) -> Agent:
    """Return what a program says of itself as it may be shown. Raises RequestRefused likewise."""
    return Agent(
        name=readable("agent.name", agent.name),
        version=clean_name(agent.version, VERSION_CHARS),
        author=_cleaned(agent.author),
        build=_cleaned(agent.build),
    )


def _cleaned(text: str | None) -> str | None:
    return clean_name(text) if text is not None else None


def free_name(table: Table, engine: Session) -> str:
    """Return an engine's name, numbered when another at the table reads as it."""
    taken = {
        name_key(somebody.name)
        for seat in table.seats
        for somebody in (seat.occupant, seat.keeper, seat.invited)
        if somebody is not None and somebody.key != engine.id
    }
    number = 1
    free = engine.name
    while name_key(free) in taken:
        number += 1
        free = _numbered(engine.name, number)
    return free


def _numbered(name: str, number: int) -> str:
    """Put a number after a name, of which as much is kept as fits with it."""
    kept = name
    while len(kept) > 1 and readable("name", f"{kept} {number}") != f"{kept} {number}":
        kept = kept[:-1]
    return f"{kept} {number}"
