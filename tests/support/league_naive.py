"""Play the records of a league again on the naive oracle, which shares no code with the rules."""

from passing_protocol.records import Record
from passing_rules import Tile
from tests.support.agreement import naive_options
from tests.support.naive_rules import NaiveMatch, NaiveRound


def known(tiles: tuple[Tile | None, ...]) -> list[Tile]:
    assert None not in tiles
    return [tile for tile in tiles if tile is not None]


def verify_by_naive_rules(record: Record) -> int:
    """Assert that every action was legal and every result is right; return how many actions."""
    naive = NaiveMatch(naive_options(record.options))
    actions = 0
    for told in record.rounds:
        hands = [known(hand) for hand in told.hands]
        oracle = NaiveRound(hands, known(told.boneyard), told.leader, record.options.pass_circles)
        for action in told.actions:
            text = str(action.action)
            assert oracle.refusal(action.seat, text) == "", (record.tags, told.number, str(action))
            assert oracle.act("-t" if action.timed_out else text) == str(action)
            actions += 1
        if told.result is None:
            assert not oracle.ending
            continue
        winners, points = naive.score(oracle)
        assert oracle.ending == told.result.ending
        assert (winners, points) == (list(told.result.winners), told.result.points)
        assert list(told.result.scores) == naive.scores
    return actions
