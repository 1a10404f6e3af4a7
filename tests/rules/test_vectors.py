"""The vectors of the rules: fresh, small, and replayed by the rules and by the naive oracle."""

import pytest

from passing_rules import (
    ActionRecord,
    Deal,
    IllegalAction,
    Match,
    Options,
    PartnerScoring,
    Refusal,
    Round,
    parse_action,
    score_round,
)
from tests.support.agreement import naive_options
from tests.support.naive_rules import NaiveMatch, NaiveRound
from tests.support.rendering import render
from tests.support.rules_perft import count_lines, count_lines_naively
from tests.support.rules_vector_types import (
    FOLDER,
    MatchVector,
    PerftVector,
    PlayedRound,
    RefusalVector,
    RoundVector,
    State,
    read_matches,
    read_perft,
    read_refusals,
    read_rounds,
    read_scores,
)
from tests.support.rules_vectors import DOCUMENTS, naive_of

MOST_BYTES = 600_000


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_vectors_are_what_the_rules_make_now(name: str) -> None:
    """Stale? Look why, then `python -m tests.rules.make_vectors`."""
    assert (FOLDER / name).read_text(encoding="ascii") == render(DOCUMENTS[name]()) + "\n"


def test_every_file_is_made_and_all_are_small() -> None:
    files = {path.name for path in FOLDER.glob("*.json")}
    assert files == set(DOCUMENTS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def do_record(match: Match | Round, seat: int, text: str) -> None:
    record = ActionRecord.parse(seat, text)
    assert match.do(seat, record.action, record.timed_out) == record


@pytest.mark.parametrize("vector", read_rounds(), ids=lambda vector: vector.name)
def test_rounds(vector: RoundVector) -> None:
    match = Match(vector.options)
    match.begin_round(Deal.parse(vector.deal), vector.leader)
    played = match.round
    assert played is not None
    assert state(played) == vector.start
    for step in vector.steps:
        do_record(match, played.to_act, step.action)
        assert state(played) == step.state
    result = match.results[0]
    assert vector.result.ending == result.ending
    assert vector.result.pips == list(result.pips)
    assert vector.result.winners == list(result.winners)
    assert (vector.result.side, vector.result.points) == (result.side, result.points)
    assert vector.result.scores == list(match.scores)


def state(played: Round) -> State:
    left, right = played.left, played.right
    return State(
        None if played.ending else played.to_act,
        None if left is None or right is None else (left, right),
        list(played.hand_sizes),
        played.boneyard_size,
        [str(action) for action in played.legal_actions()],
    )


@pytest.mark.parametrize("vector", read_rounds(), ids=lambda vector: vector.name)
def test_rounds_with_the_naive_oracle(vector: RoundVector) -> None:
    naive = NaiveMatch(naive_options(vector.options))
    played = naive_of(Deal.parse(vector.deal), vector.leader, vector.options.pass_circles, [])
    for step in vector.steps:
        assert played.act(naive_text(step.action)) == step.action
        assert naive_state(played) == step.state
    winners, points = naive.score(played)
    result = vector.result
    assert (result.ending, result.pips) == (played.ending, played.pips)
    assert (result.winners, result.points, result.scores) == (winners, points, naive.scores)


def naive_text(record: str) -> str:
    return "d" if record.startswith("d") else record


def naive_state(played: NaiveRound) -> State:
    return State(
        None if played.ending else played.on_turn,
        played.ends if played.train else None,
        [len(hand) for hand in played.hands],
        len(played.boneyard),
        played.legal(),
    )


@pytest.mark.parametrize("vector", read_matches())
def test_matches(vector: MatchVector) -> None:
    match = Match(vector.options)
    for played in vector.rounds:
        assert not match.over
        assert match.chance_leads == (played.drawn_leader is not None)
        begun = match.begin_round(Deal.parse(played.deal), played.drawn_leader)
        assert (begun.number, begun.leader) == (played.number, played.leader)
        assert match.round is not None
        for text in played.actions.split():
            do_record(match, match.round.to_act, text)
        result = match.results[-1]
        assert played.result.ending == result.ending
        assert played.result.points == result.points
        assert played.result.scores == list(match.scores)
    assert match.over
    assert match.winner == vector.winner


@pytest.mark.parametrize("vector", read_matches())
def test_matches_with_the_naive_oracle(vector: MatchVector) -> None:
    naive = NaiveMatch(naive_options(vector.options))
    for played in vector.rounds:
        assert not naive.over
        assert naive.next_leader(played.leader) == played.leader
        replay_naively(naive, played, vector.options.pass_circles)
        assert played.result.scores == naive.scores
    assert naive.over
    assert naive.winner == vector.winner


def replay_naively(naive: NaiveMatch, played: PlayedRound, circles: int) -> None:
    texts = played.actions.split()
    oracle = naive_of(Deal.parse(played.deal), played.leader, circles, texts)
    assert oracle.done == texts
    assert oracle.ending == played.result.ending
    assert naive.score(oracle) == (played.result.winners, played.result.points)


def test_scoring() -> None:
    for vector in read_scores():
        score = score_round(vector.options, vector.pips, vector.out)
        assert score == (vector.winners, vector.side, vector.points)


def test_the_vectors_hold_every_kind_of_table() -> None:
    tables = [vector.options for vector in read_rounds()]
    assert {(table.seats, table.partners) for table in tables} == {
        *((2, False), (3, False), (4, False), (4, True)),
    }
    assert {table.pass_circles for table in tables} == {1, 2}
    assert {table.partner_scoring for table in tables} == set(PartnerScoring)
    assert {vector.result.ending for vector in read_rounds()} == {"out", "blocked", "passed_out"}
    assert None in [vector.winner for vector in read_matches()]
    assert {refused.code for vector in read_refusals() for refused in vector.refused} == set(
        Refusal
    )


@pytest.mark.parametrize("vector", read_refusals(), ids=lambda vector: vector.name)
def test_refusals(vector: RefusalVector) -> None:
    played = Round(Deal.parse(vector.deal), vector.leader, vector.pass_circles)
    for text in vector.actions:
        do_record(played, played.to_act, text)
    for refused in vector.refused:
        with pytest.raises(IllegalAction) as caught:
            played.do(refused.seat, parse_action(refused.action))
        assert caught.value.refusal == refused.code
    assert len(played.records) == len(vector.actions)


@pytest.mark.parametrize("vector", read_perft(), ids=lambda vector: str(vector.lines))
def test_perft(vector: PerftVector) -> None:
    played = Round(Deal.parse(vector.deal), vector.leader, vector.pass_circles)
    for text in vector.actions:
        do_record(played, played.to_act, text)
    counts = count_lines(played, len(vector.lines))
    assert (counts.lines, counts.ended) == (vector.lines, vector.ended)


@pytest.mark.parametrize("vector", read_perft(), ids=lambda vector: str(vector.lines))
def test_perft_with_the_naive_oracle(vector: PerftVector) -> None:
    deal = Deal.parse(vector.deal)
    oracle = naive_of(deal, vector.leader, vector.pass_circles, vector.actions)
    counts = count_lines_naively(oracle, len(vector.lines))
    assert (counts.lines, counts.ended) == (vector.lines, vector.ended)


def test_options_stand_in_full_in_every_vector() -> None:
    text = (FOLDER / "rounds.json").read_text(encoding="ascii")
    for name in Options.__dataclass_fields__:
        assert text.count(f'"{name}": ') >= len(read_rounds())
