"""The simulation finds each fault that is planted in the server, within 100 seeds."""

import pytest

from tests.simulation.faulty import Mutant
from tests.simulation.mutants import MUTANTS
from tests.simulation.simulation import simulate

MOST_SEEDS = 100


def seeds_until_caught(mutant: Mutant) -> int | None:
    """Return the first seed that finds it."""
    with mutant.planted() as server_type:
        return next((s for s in range(MOST_SEEDS) if simulate(s, server_type).failure), None)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    assert seeds_until_caught(mutant) is not None


def test_there_are_a_dozen_at_least() -> None:
    assert len(MUTANTS) >= 12
