"""Run seeds of the simulation; see `--help`."""

import sys

from tests.simulation.running import main

sys.exit(main())
