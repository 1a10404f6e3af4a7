"""How lengths of time are told to an operator."""

import pytest

from passing_link.keys import KeyPair
from passing_server.joining import HOURS, Joining
from passing_server.status_words import lasting

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("time", "told", "in_hours"),
    [
        (0, "0 s", "0 s"),
        (999, "0 s", "0 s"),
        (59 * SECOND, "59 s", "59 s"),
        (MINUTE, "1 min", "1 min"),
        (61 * SECOND, "1 min 1 s", "1 min 1 s"),
        (HOUR + SECOND, "1 h", "1 h"),
        (3 * HOUR + 12 * MINUTE, "3 h 12 min", "3 h 12 min"),
        (DAY - SECOND, "23 h 59 min", "23 h 59 min"),
        (DAY, "1 d", "24 h"),
        (DAY + HOUR, "1 d 1 h", "25 h"),
        (9 * DAY + 59 * MINUTE, "9 d", "216 h 59 min"),
    ],
)
def test_a_time_is_told_in_its_two_greatest_units(time: int, told: str, in_hours: str) -> None:
    assert lasting(time) == told
    assert lasting(time, HOURS) == in_hours


@pytest.mark.parametrize(("left", "told"), [(DAY, "24 h"), (DAY - MINUTE, "23 h 59 min")])
def test_for_how_long_a_code_is_good_is_told_in_hours(left: int, told: str) -> None:
    joining = Joining(["192.168.1.20"], 4000, KeyPair.new().public)
    *_, last = joining.lines("player", "7H3GAMES", left)
    assert last.endswith(f" It is good for {told} more.")
