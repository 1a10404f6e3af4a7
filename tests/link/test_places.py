"""A server that may be at several addresses is tried at each, and the best reason is told."""

import asyncio
from collections.abc import Callable

import pytest

from passing_link.address import Address
from passing_link.denials import CodeNeeded, KeyChanged, NotAdmitted
from passing_link.news import CannotReach, LinkError, TurnedAway
from passing_link.places import PLACE_S, open_first, open_first_async
from passing_protocol.errors import ErrorCode
from tests.support.fake_server import refused

A, B, C = (Address(host) for host in ("a", "b", "c"))
Tried = list[tuple[Address, float | None]]


class House:
    """Be at one of several addresses, and fail at the others as it is told; note what is tried."""

    def __init__(self, failures: dict[Address, LinkError]) -> None:
        self._failures = failures
        self.tried: Tried = []

    def open_at(self, place: Address, within_s: float | None) -> str:
        self.tried.append((place, within_s))
        if place in self._failures:
            raise self._failures[place]
        return f"at {place.host}"

    async def open_at_async(self, place: Address, within_s: float | None) -> str:
        return self.open_at(place, within_s)


Opener = Callable[[House, tuple[Address, ...], float | None], tuple[Address, str]]


def blocking(
    house: House, places: tuple[Address, ...], timeout_s: float | None
) -> tuple[Address, str]:
    return open_first(places, house.open_at, timeout_s)


def in_a_loop(
    house: House, places: tuple[Address, ...], timeout_s: float | None
) -> tuple[Address, str]:
    return asyncio.run(open_first_async(places, house.open_at_async, timeout_s))


@pytest.fixture(params=[blocking, in_a_loop])
def opened(request: pytest.FixtureRequest) -> Opener:
    opener: Opener = request.param
    return opener


@pytest.mark.parametrize("timeout_s", [5.0, 0.1, None])
def test_a_single_address_has_all_the_time(opened: Opener, timeout_s: float | None) -> None:
    house = House({})
    assert opened(house, (A,), timeout_s) == (A, "at a")
    assert house.tried == [(A, timeout_s)]


@pytest.mark.parametrize(
    "failure",
    [CannotReach("gone"), KeyChanged("a"), TurnedAway(refused(ErrorCode.FULL))],
    ids=["nobody", "another", "full"],
)
def test_the_next_address_is_tried_whatever_is_wrong_with_the_first(
    opened: Opener, failure: LinkError
) -> None:
    house = House({A: failure})
    assert opened(house, (A, B, C), 5.0) == (B, "at b")
    assert house.tried == [(A, PLACE_S), (B, PLACE_S)]


def test_no_address_is_tried_longer_than_it_is_told(opened: Opener) -> None:
    house = House({A: CannotReach("gone")})
    opened(house, (A, B), 0.5)
    assert house.tried == [(A, 0.5), (B, 0.5)]


def test_what_there_is_something_to_be_done_about_is_told(opened: Opener) -> None:
    nobody, another, unknown = CannotReach("gone"), KeyChanged("b"), NotAdmitted("c")
    for failures, told in (
        ((nobody, another, unknown), unknown),
        ((unknown, nobody, another), unknown),
        ((another, nobody, nobody), another),
        ((nobody, CannotReach("too"), nobody), nobody),
        ((nobody, CodeNeeded("b"), another), CodeNeeded("b")),
    ):
        house = House(dict(zip((A, B, C), failures, strict=True)))
        with pytest.raises(LinkError) as caught:
            opened(house, (A, B, C), 5.0)
        assert str(caught.value) == str(told)
        assert [place for place, _ in house.tried] == [A, B, C]


def test_who_waits_for_ever_does_so_where_it_was_told_to(opened: Opener) -> None:
    house = House({A: CannotReach("gone"), B: CannotReach("gone")})
    with pytest.raises(CannotReach):
        opened(house, (A, B), None)
    assert house.tried == [(A, PLACE_S), (B, PLACE_S), (A, None)]


def test_nobody_waits_for_ever_for_a_server_that_has_answered(opened: Opener) -> None:
    house = House({A: CannotReach("gone"), B: NotAdmitted("b")})
    with pytest.raises(NotAdmitted):
        opened(house, (A, B), None)
    assert house.tried == [(A, PLACE_S), (B, PLACE_S)]


def test_what_is_no_trouble_of_the_link_is_not_passed_over(opened: Opener) -> None:
    class Broken(House):
        def open_at(self, place: Address, within_s: float | None) -> str:
            super().open_at(place, within_s)
            raise KeyboardInterrupt

    house = Broken({})
    with pytest.raises(KeyboardInterrupt):
        opened(house, (A, B), 5.0)
    assert [place for place, _ in house.tried] == [A]
