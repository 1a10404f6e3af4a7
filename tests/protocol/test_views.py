"""What may be seen of a table: the options, to the rules' own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.views import GameOptions, game_of, options_of
from passing_rules import Lead, OptionError, Options, PartnerScoring, Preset

OPTIONS = st.builds(
    Options.of,
    st.integers(2, 4),
    pass_circles=st.sampled_from([1, 2]),
    lead=st.sampled_from(Lead),
    target=st.integers(1, 500),
    out_wins_ties=st.booleans(),
    max_rounds=st.none() | st.integers(1, 99),
) | st.builds(
    Options.of,
    st.just(4),
    partners=st.just(True),
    preset=st.sampled_from([None, Preset.CELKO]),
    partner_scoring=st.none() | st.sampled_from(PartnerScoring),
)


@given(OPTIONS)
def test_the_options_go_both_ways(options: Options) -> None:
    assert options_of(game_of(options)) == options


def test_options_that_are_absent_follow_from_the_preset_and_the_seats() -> None:
    assert options_of(GameOptions(seats=3)) == Options.of(3)
    celko = GameOptions(seats=4, partners=True, preset=Preset.CELKO)
    assert options_of(celko) == Options.of(4, partners=True, preset=Preset.CELKO)


def test_options_that_the_rules_do_not_know_are_refused() -> None:
    with pytest.raises(OptionError, match="partners"):
        options_of(GameOptions(seats=3, partners=True))
