"""How every command ends: the exit codes, and the one exception that chooses one."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Number the ways a command can end; scripts may rely on these.

    The last three are for Ctrl-C and for signals that ask to end: 128 and the signal's number.
    """

    DONE = 0
    UNEXPECTED = 1
    USAGE = 2
    UNREACHABLE = 3
    REFUSED = 4
    CHECK_FAILED = 5
    LEAGUE_FAULTS = 6
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class CommandFailed(Exception):
    """Raised when a command cannot do what it was asked, with a sentence for its user."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        """Keep the exit code and the sentence, which is all that the user gets to read."""
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
