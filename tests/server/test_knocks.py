"""How often an address may connect."""

import pytest

from passing_server.knocks import Knocks
from passing_server.limits import KNOCK_BURST, KNOCKS_PER_S


def knocked(knocks: Knocks, now: int, address: str, times: int) -> int:
    """Return how often an address was taken of so many times at once."""
    return sum(knocks.takes(now, address) for _ in range(times))


def test_an_address_may_connect_so_many_times_at_once_and_so_many_a_second() -> None:
    knocks = Knocks()
    assert knocked(knocks, 5, "10.0.0.7", 2 * KNOCK_BURST) == KNOCK_BURST
    assert knocked(knocks, 1_005, "10.0.0.7", 2 * KNOCK_BURST) == KNOCKS_PER_S
    assert knocked(knocks, 100_000, "10.0.0.7", 2 * KNOCK_BURST) == KNOCK_BURST


def test_an_address_holds_up_no_other_and_counts_in_each_of_its_forms() -> None:
    knocks = Knocks()
    knocked(knocks, 0, "10.0.0.7", KNOCK_BURST)
    assert not knocks.takes(0, "::ffff:10.0.0.7")
    assert knocks.takes(0, "10.0.0.8")
    assert knocks.takes(0, "fe80::1")


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "::1"])
def test_this_machine_may_connect_as_often_as_it_likes(address: str) -> None:
    assert knocked(Knocks(), 0, address, 2 * KNOCK_BURST) == 2 * KNOCK_BURST
