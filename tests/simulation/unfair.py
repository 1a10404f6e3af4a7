"""Servers whose deals are not fair, which the simulation has to find."""

from tests.simulation.faulty import Mutant
from tests.support.cheats import CHEATS

UNFAIR = [Mutant(name, patches) for name, patches in CHEATS.items()]
