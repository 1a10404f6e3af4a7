"""How a round and a match ended: all hands, a sum that is right, and the scores."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.words.people import People
from passing_client.words.rounds import match_summary, round_summary, standings
from passing_protocol.events import Fault, MatchEnded, RoundEnded
from passing_protocol.views import PublicView
from passing_rules import Options, PartnerScoring, score_round
from tests.support.client_scene import after, game, round_ended, round_view, taken

SCORES = "Scores: you 37, Bo 12, Caro 44, Emil 40. The match is to 61."
DRAWN = "Scores: you 37, Bo 12, Caro 44, Emil 20. The match is to 61."


def people(view: PublicView | None = None, me: int | None = 0) -> People:
    return People(view if view is not None else after(round_view(), "06"), me)


def test_a_blocked_round_shows_the_sum() -> None:
    event = round_ended(
        "blocked", ["13", "66", "33", "11"], [37, 12, 44, 40], winners=[3], side=3, points=20
    )
    assert round_summary(event, people()) == [
        "Nobody can play any more: round 3 is over.",
        "  Dana (you), seat 1: 1-3 = 4 pips.",
        "  Bo, seat 2: 6-6 = 12 pips.",
        "  Caro, seat 3: 3-3 = 6 pips.",
        "  Emil, seat 4: 1-1 = 2 pips.",
        "Emil wins the round: 4 + 12 + 6 - 2 = 20 points.",
        SCORES,
    ]


def test_r3_1_who_goes_out_is_named_and_holds_nothing() -> None:
    event = round_ended(
        "out", ["13 01", "", "33", "11"], [37, 25, 44, 20], winners=[1], side=1, points=13
    )
    lines = round_summary(event, people())
    assert lines[0] == "Bo goes out: round 3 is over."
    assert lines[1] == "  Dana (you), seat 1: 0-1, 1-3 = 5 pips."
    assert lines[2] == "  Bo, seat 2: no tiles, 0 pips."
    assert lines[5] == "Bo wins the round: 5 + 6 + 2 - 0 = 13 points."
    assert round_summary(event, people(me=1))[0] == "You go out: round 3 is over."
    assert round_summary(event, people(me=1))[5].startswith("You win the round: ")


def test_one_pip_and_one_point() -> None:
    event = round_ended("blocked", ["01", "00"], [1, 0], winners=[1], side=1, points=1)
    lines = round_summary(event, people(round_view(2)))
    assert lines[1] == "  Dana (you), seat 1: 0-1 = 1 pip."
    assert lines[2] == "  Bo, seat 2: 0-0 = 0 pips."
    assert lines[3] == "Bo wins the round: 1 - 0 = 1 point."


def test_r3_3_everybody_passed() -> None:
    event = round_ended("passed_out", ["13", "66", "33", "11"], [37, 12, 44, 40])
    assert round_summary(event, people())[0] == "Everybody passed in turn: round 3 is over."
    view = round_view()
    twice = replace(view, game=replace(view.game, pass_circles=2))
    first = round_summary(event, people(twice))[0]
    assert first == "Everybody passed twice in turn: round 3 is over."


def test_r4_3_a_tie_for_the_lowest_scores_nothing() -> None:
    event = round_ended("blocked", ["11", "66", "02", "33"], [37, 12, 44, 20])
    lines = round_summary(event, people())
    assert lines[5] == "You and Caro tie for the lowest with 2 pips: nobody scores."
    assert lines[6] == DRAWN
    away = round_summary(event, people(me=None))
    assert away[5] == "Dana and Caro tie for the lowest with 2 pips: nobody scores."


def test_r4_3_going_out_against_the_double_blank_is_a_tie() -> None:
    event = round_ended("out", ["00", "", "33", "11"], [37, 12, 44, 20])
    lines = round_summary(event, people())
    assert lines[5] == "You and Bo tie for the lowest with 0 pips: nobody scores."


def test_r6_2_hands_that_the_table_keeps_hidden_are_not_shown() -> None:
    event = round_ended(
        "blocked", ["13", "66", "33", "11"], [37, 12, 44, 40], winners=[3], side=3, points=20,
        shown=False,
    )  # fmt: skip
    assert round_summary(event, people())[1:3] == [
        "  Dana (you), seat 1: 4 pips.",
        "  Bo, seat 2: 12 pips.",
    ]


def test_r4_4_a_partnership_scores_for_both() -> None:
    view = after(round_view(partners=True), "06")
    event = round_ended(
        "blocked", ["13", "66", "33", "11"], [37, 32], winners=[3], side=1, points=20
    )
    lines = round_summary(event, people(view))
    assert lines[5] == "Emil wins the round for Bo and Emil: 4 + 12 + 6 - 2 = 20 points."
    assert lines[6] == "Scores: you and Caro 37, Bo and Emil 32. The match is to 61."
    partner = round_summary(event, people(view, 1))
    assert partner[5] == "Emil wins the round for you and Emil: 4 + 12 + 6 - 2 = 20 points."


def test_r4_4_two_partners_who_tie_win_together() -> None:
    view = after(round_view(partners=True), "06")
    event = round_ended(
        "blocked", ["13", "02", "33", "11"], [37, 24], winners=[1, 3], side=1, points=10
    )
    assert round_summary(event, people(view))[5] == (
        "Bo and Emil win the round: 4 + 6 + 2 - 2 = 10 points."
    )


def test_r4_4_only_the_opponents_may_count() -> None:
    view = after(round_view(partners=True), "06")
    view = replace(view, game=replace(view.game, partner_scoring=PartnerScoring.OPPONENTS))
    event = round_ended(
        "blocked", ["13", "66", "33", "11"], [37, 20], winners=[3], side=1, points=8
    )
    assert round_summary(event, people(view))[5] == (
        "Emil wins the round for Bo and Emil: 4 + 6 - 2 = 8 points."
    )


def computed(line: str) -> tuple[int, int]:
    """Return what a sum in a sentence comes to, and what the sentence says it does."""
    found = re.search(r": ([\d +-]+) = (\d+) points?\.", line)
    assert found is not None
    total = 0
    for sign, number in re.findall(r"([+-]?) ?(\d+)", found[1]):
        total += -int(number) if sign == "-" else int(number)
    return total, int(found[2])


@given(
    st.integers(2, 4),
    st.booleans(),
    st.sampled_from(PartnerScoring),
    st.booleans(),
    st.lists(st.integers(0, 168), min_size=4, max_size=4),
)
def test_r4_2_the_sum_that_is_shown_is_the_score(
    seats: int, partners: bool, scoring: PartnerScoring, out_wins: bool, pips: list[int]
) -> None:
    partners = partners and seats == 4
    options = Options.of(seats, partners=partners, partner_scoring=scoring, out_wins_ties=out_wins)
    counts = tuple(pips[:seats])
    out = counts.index(0) if 0 in counts else None
    score = score_round(options, counts, out)
    view = after(round_view(seats, partners=partners), "06")
    kind = replace(game(seats, partners=partners), partner_scoring=scoring, out_wins_ties=out_wins)
    event = RoundEnded(
        3, "blocked", list(counts), list(score.winners), score.points,
        [0] * options.sides, score.side,
    )  # fmt: skip
    lines = round_summary(event, people(replace(view, game=kind)))
    result = lines[1 + seats]
    if score.side is None:
        assert result.endswith("nobody scores.")
    else:
        total, told = computed(result)
        assert total == told == score.points


# --- matches ------------------------------------------------------------------------------------


def ended(event: MatchEnded, me: int | None = 0, *, partners: bool = False) -> list[str]:
    return match_summary(event, People(round_view(partners=partners), me))


def test_a_match_is_won() -> None:
    event = MatchEnded("target", [37, 12, 64, 20], 2)
    assert ended(event) == [
        "The match is over: Caro wins with 64 points.",
        "Final scores: you 37, Bo 12, Caro 64, Emil 20.",
    ]
    assert ended(event, 2)[0] == "The match is over: you win with 64 points."


def test_partners_win_a_match_together() -> None:
    event = MatchEnded("target", [37, 64], 1)
    assert ended(event, partners=True)[0] == "The match is over: Bo and Emil win with 64 points."
    assert ended(event, 3, partners=True) == [
        "The match is over: you and Bo win with 64 points.",
        "Final scores: Dana and Caro 37, you and Bo 64.",
    ]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (MatchEnded("max_rounds", [3, 3, 1, 0]), "The match is over and drawn."),
        (MatchEnded("max_rounds", [3, 4, 1, 0], 1), "The match is over: Bo wins with 4 points."),
        (
            MatchEnded("forfeit", [3, 4, 1, 0], 1, Fault("player", "left", 0)),
            "The match is over: Bo wins by forfeit, as you forfeited the seat.",
        ),
        (MatchEnded("forfeit", [3, 4, 1, 0], 1), "The match is over: Bo wins by forfeit."),
        (MatchEnded("abandoned", [3, 4, 1, 0]), "The match is abandoned; nobody wins."),
        (
            MatchEnded("abandoned", [3, 4, 1, 0], None, Fault("server", "disk\x1b[2J full")),
            "The match is abandoned (disk full); nobody wins.",
        ),
    ],
)
def test_a_match_can_end_otherwise(event: MatchEnded, sentence: str) -> None:
    assert ended(event)[0] == sentence


def test_standings_say_what_is_played_to() -> None:
    view = round_view(2)
    assert standings(view, People(view, 1)) == ("Scores: Dana 37, you 12. The match is to 101.")


def test_a_name_that_begins_with_you_is_a_name() -> None:
    view = replace(round_view(2), seats=[taken("Dana"), taken("youssef")])
    event = MatchEnded("target", [3, 104], 1)
    assert match_summary(event, People(view, 0))[0] == (
        "The match is over: youssef wins with 104 points."
    )
