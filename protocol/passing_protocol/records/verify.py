"""Play records again under the rules, and find the first piece that cannot be so."""

from collections.abc import Iterable

from passing_protocol.records.judge import Judge
from passing_protocol.records.judge_proof import ProofJudge
from passing_protocol.records.parse import GameReader, games
from passing_protocol.records.reader import Place, place_of
from passing_protocol.records.record import Record
from passing_protocol.records.text import write


def verify_records(text: str) -> tuple[Record, ...]:
    """Return the records of a text in which everything is as the rules have it.

    Raises InvalidRecord with the place of the first piece that is not: each game's tags, each of
    its rounds and its end are read and judged before the next. Where tiles are unknown, some deal
    must exist with which all that is told can have happened.
    """
    return tuple(map(_verified, games(text)))


def _verified(game: GameReader) -> Record:
    judge = Judge(game.reader.text, game.tags)
    for played, places in game.rounds():
        judge.verify_round(played, places)
    judge.verify_outcome(*game.outcome())
    proof_judge = ProofJudge(game.reader.text, game.tags, game.told)
    for proof, at in game.proof():
        proof_judge.verify(proof, at)
    return game.record


def departure(text: str, records: Iterable[Record]) -> Place | None:
    """Return where the text of records first differs from their canonical text, if it does."""
    canonical = write(records)
    if text == canonical:
        return None
    pairs = enumerate(zip(text, canonical, strict=False))
    shorter = min(len(text), len(canonical))
    return place_of(text, next((at for at, (one, other) in pairs if one != other), shorter))
