"""A server build that cheats is found out by stock clients, with nothing but what they are told."""

import random

import pytest

from passing_protocol.verdicts import Outcome
from tests.simulation.faulty import Mutant
from tests.simulation.unfair import UNFAIR
from tests.support.fair_table import ROUNDS, FairTable

LATE_MS = 6_000


def outcomes(*names: str) -> list[Outcome]:
    """What clients have found out in a match, with a restart after the first round."""
    table = FairTable(*names)
    chance = random.Random(1)
    for number in range(ROUNDS):
        table.play_round(chance)
        if number == 0:
            table.lan.restart()
        table.lan.pass_time(LATE_MS)
    return [outcome for player in table.players for outcome in table.outcomes(player)]


def test_an_honest_server_is_not_accused() -> None:
    assert outcomes("anna", "bob") == [Outcome.CHECKED] * 2 * ROUNDS


@pytest.mark.parametrize("mutant", UNFAIR, ids=lambda mutant: mutant.name)
def test_a_server_that_cheats_is_found_out(mutant: Mutant) -> None:
    with mutant.planted():
        assert Outcome.FAILED in outcomes("anna", "bob")
