"""A record as one JSON object, for programs that would rather not read the text."""

from msgspec import to_builtins

from passing_protocol.records.proof import Proof, ProvenList
from passing_protocol.records.record import Record, RoundRecord, Tiles
from passing_protocol.records.text import UNKNOWN, own_tags
from passing_rules import RoundResult

Json = dict[str, object]


def record_as_json(record: Record) -> Json:
    """Return a record as values of JSON; tiles and actions are as in the text.

    `tags` are all tags by name; seats and sides are numbers from 0, as in the text.
    """
    outcome = record.outcome
    return {
        "tags": dict((*own_tags(record), *record.tags)),
        "rounds": [_round(played) for played in record.rounds],
        "outcome": None
        if outcome is None
        else {
            "reason": outcome.reason.value,
            "winner": outcome.winner,
            "forfeited": list(outcome.forfeited),
        },
        "proof": [_proof(proof) for proof in record.proof],
    }


def _proof(proof: Proof) -> Json:
    if isinstance(proof, ProvenList):
        return {"list": to_builtins(proof.tips)}
    return {
        "deal": proof.deal,
        "round": proof.round,
        "list": proof.version,
        "server": proof.server,
        "links": to_builtins(list(proof.links)),
        "missing": list(proof.missing),
    }


def _round(played: RoundRecord) -> Json:
    return {
        "number": played.number,
        "leader": played.leader,
        "scores_before": list(played.scores_before),
        "hands": [_tiles(hand) for hand in played.hands],
        "boneyard": _tiles(played.boneyard),
        "actions": [[action.seat, str(action)] for action in played.actions],
        "changes": [
            {
                "after": change.after,
                "seat": change.seat,
                "kind": change.kind.value,
                "text": change.text,
            }
            for change in played.changes
        ],
        "result": None if played.result is None else _result(played.result, played.left),
    }


def _result(result: RoundResult, left: tuple[Tiles, ...]) -> Json:
    return {
        "ending": result.ending.value,
        "left": [_tiles(hand) for hand in left],
        "pips": list(result.pips),
        "winners": list(result.winners),
        "side": result.side,
        "points": result.points,
        "scores": list(result.scores),
    }


def _tiles(tiles: Tiles) -> list[str]:
    return [UNKNOWN if tile is None else str(tile) for tile in tiles]
