"""The only door out of a table: what everybody may see, and what one seat may see (R6).

Both are built up from what their reader may know; nothing is taken out of anything.
"""

from msgspec.structs import replace

from passing_protocol.follow import public_hash
from passing_protocol.views import RULES_VERSION, Ask, Mine, PublicView, SeatState
from passing_protocol.wire import tile_text
from passing_rules import Tile
from passing_table.dealing import Wanted
from passing_table.table import Table

NO_MATCH = "-"
"""The match id of a table at which no match has begun."""


def public_view(table: Table, digest: str) -> PublicView:
    """Return what every player and every watcher sees (R6.1, R6.3); `digest` is its hash."""
    play = table.play
    current = play.match.round if play is not None else None
    return PublicView(
        match=play.id if play is not None else NO_MATCH,
        rules=RULES_VERSION,
        name=table.name,
        state=table.state,
        deal=table.deals.kind,
        game=table.game,
        table=table.settings.wishes,
        owner=table.seats.owner,
        seats=[seat.info() for seat in table.seats],
        scores=list(play.match.scores) if play is not None else [0] * table.options.sides,
        round=play.match.round_number if play is not None else 0,
        turn=play.turn if play is not None else 0,
        rev=table.changes.rev,
        hash=digest,
        leader=current.leader if current is not None else None,
        to_act=play.to_act if play is not None else None,
        train=play.train if play is not None else [],
        ends=play.ends if play is not None else None,
        hands=list(current.hand_sizes) if current is not None else [],
        boneyard=current.boneyard_size if current is not None else 0,
        drawable=current.drawable if current is not None else 0,
        passes=current.passes if current is not None else 0,
        actions=play.actions if play is not None else [],
        tips=play.tips if play is not None else None,
        deal_number=play.deal_number if play is not None else None,
    )


def mine(table: Table, seat: int, drew: Tile | None = None) -> Mine:
    """Return what the holder of one seat alone sees: its hand, and the tile just drawn.

    Who has sat down since the match was over held none of its tiles.
    """
    current = table.play.match.round if table.play is not None else None
    current = None if table.seats[seat].new else current
    return Mine(
        seat=seat,
        hand=[tile_text(tile) for tile in current.hand(seat)] if current is not None else [],
        drew=tile_text(drew) if drew is not None else None,
    )


def mine_at_the_join(table: Table, seat: int) -> Mine:
    """Return the same, with the seed of an engine's own chance where the deals fix it."""
    own = mine(table, seat)
    if not table.seats[seat].is_engine:
        return own
    return replace(own, bot_seed=table.deals.bot_seed(seat))


def question(table: Table, seat: int, now: int) -> Ask | None:
    """Return the question that the seat has not answered yet, if it is its turn."""
    play = table.play
    if play is None or not table.asking or play.to_act != seat or play.held is not None:
        return None
    if table.seats[seat].state is SeatState.FORFEITED:
        return None
    return play.question(seat, now, table.seats[seat].bank_ms)


def wanted(table: Table, seat: int, now: int) -> Wanted | None:
    """Return what a seat's software is asked for the next fair deal, with `seq` 0 still."""
    return table.fair.wanted(table.id, seat, now) if table.fair is not None else None


def table_hash(table: Table) -> str:
    """Return the hash that a follower checks its own state with; empty before the first round."""
    play = table.play
    current = play.match.round if play is not None else None
    if play is None or current is None:
        return ""
    return public_hash(
        match=play.id,
        round_number=play.match.round_number,
        turn=play.turn,
        to_act=play.to_act,
        train=play.train,
        ends=play.ends,
        hands=current.hand_sizes,
        boneyard=current.boneyard_size,
        passes=current.passes,
        scores=play.match.scores,
    )
