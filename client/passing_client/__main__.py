"""Let `python -m passing_client` be the `passing` command, as child processes are started."""

import sys

from passing_client.command import main

sys.exit(main())
