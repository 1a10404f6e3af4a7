"""The record of a game of a league, as it is written first and again to verify it."""

from collections.abc import Mapping, Sequence

from passing_bots.league.plan import GameKey
from passing_protocol.records import Outcome, Record, SeatChange, SeatTag, record_of_match
from passing_protocol.views import DealKind
from passing_rules import Match


def record_of_game(
    key: GameKey,
    match: Match,
    event: str,
    engines: Sequence[str],
    changes: Mapping[int, Sequence[SeatChange]],
    outcome: Outcome | None,
) -> Record:
    """Return the full record of a game, which has no time: the same game is the same text.

    `engines` are by seat, `changes` by round; `outcome` is how a match ended early.
    """
    return record_of_match(
        match,
        event=event,
        seats=[SeatTag(engine, engine) for engine in engines],
        deal_kind=DealKind.GIVEN,
        tags=[("Block", str(key.block)), ("Rotation", str(key.rotation))],
        changes=changes,
        outcome=outcome,
    )
