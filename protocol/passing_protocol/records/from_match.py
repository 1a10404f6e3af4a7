"""Make the full record of a match from the rules' own log of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from passing_protocol.records.proof import Proof
from passing_protocol.records.record import (
    FULL,
    EndReason,
    Outcome,
    Record,
    RoundRecord,
    SeatChange,
    SeatTag,
)
from passing_protocol.views import DealKind
from passing_rules import (
    ActionRecord,
    Deal,
    Match,
    Options,
    Play,
    RoundBegun,
    RoundResult,
    Tile,
)


@dataclass(slots=True)
class _Begun:
    """Hold what the log tells of one round."""

    begun: RoundBegun
    actions: list[ActionRecord] = field(default_factory=lambda: list[ActionRecord]())


def record_of_match(
    match: Match,
    *,
    event: str,
    seats: Sequence[SeatTag],
    deal_kind: DealKind,
    tags: Iterable[tuple[str, str]] = (),
    date: str | None = None,
    match_id: str | None = None,
    changes: Mapping[int, Sequence[SeatChange]] | None = None,
    outcome: Outcome | None = None,
    proof: Iterable[Proof] = (),
) -> Record:
    """Return the full record of a match, as far as it has gone; raises InvalidValue.

    `changes` are by the number of the round, in the order of time. How the match ended needs to
    be told only where it ended early: by forfeit, or abandoned.
    """
    return Record(
        event=event,
        view=FULL,
        deal_kind=deal_kind,
        options=match.options,
        seats=tuple(seats),
        rounds=_rounds(match, changes or {}),
        outcome=outcome or _outcome(match),
        date=date,
        match=match_id,
        tags=tuple(tags),
        proof=tuple(proof),
    )


def _outcome(match: Match) -> Outcome | None:
    """Return how a match ended by itself (R5.1, R5.3); None where it did not."""
    ending = match.ending
    return None if ending is None else Outcome(EndReason(ending), match.winner)


def _rounds(match: Match, changes: Mapping[int, Sequence[SeatChange]]) -> tuple[RoundRecord, ...]:
    results = {result.number: result for result in match.results}
    scores = (0,) * match.options.sides
    rounds: list[RoundRecord] = []
    for told in _told(match):
        number = told.begun.number
        result = results.get(number)
        in_round = tuple(changes.get(number, ()))
        rounds.append(_round(match.options, told, scores, in_round, result))
        scores = scores if result is None else result.scores
    return tuple(rounds)


def _told(match: Match) -> list[_Begun]:
    """Part the log into its rounds."""
    rounds: list[_Begun] = []
    for entry in match.log:
        if isinstance(entry, RoundBegun):
            rounds.append(_Begun(entry))
        else:
            rounds[-1].actions.append(entry)
    return rounds


def _round(
    options: Options,
    told: _Begun,
    scores: tuple[int, ...],
    changes: tuple[SeatChange, ...],
    result: RoundResult | None,
) -> RoundRecord:
    begun = told.begun
    return RoundRecord(
        number=begun.number,
        leader=begun.leader,
        scores_before=scores,
        hands=begun.deal.hands,
        boneyard=begun.deal.boneyard,
        actions=tuple(told.actions),
        changes=changes,
        result=result,
        left=() if result is None else _left_hands(begun.deal, told.actions),
    )


def _left_hands(deal: Deal, actions: Iterable[ActionRecord]) -> tuple[tuple[Tile, ...], ...]:
    """Return the tiles that are left in every hand of a deal after actions, lowest first."""
    hands = [set(hand) for hand in deal.hands]
    for record in actions:
        if isinstance(record.action, Play):
            hands[record.seat].remove(record.action.tile)
        elif record.drawn is not None:
            hands[record.seat].add(record.drawn)
    return tuple(tuple(sorted(hand)) for hand in hands)
