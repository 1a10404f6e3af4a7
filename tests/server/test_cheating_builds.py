"""A server that cheats plays with stock clients: each way is found by the one who is cheated."""

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from passing_protocol.fair_deal import Chain
from passing_protocol.fair_messages import TipsOffered
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import Tip
from passing_rules import Deal
from passing_table.dealing import Dealing, Wanted
from passing_table.dealing_state import Complete, There
from passing_table.rows import KeptLinks
from tests.support.fair_table import FairTable

Found = list[tuple[Outcome, Reason | None]]

_deal: Callable[[Dealing], Complete] = vars(Dealing)["_deal"]
_links: Callable[..., KeptLinks] = vars(Dealing)["_links"]
_look: Callable[[Dealing, int, There], Complete | None] = vars(Dealing)["_look_for_links"]
_wanted = Dealing.wanted


def play(monkeypatch: pytest.MonkeyPatch, name: str, cheat: object) -> tuple[Found, Found]:
    """Play a round with a method of the server's that cheats; return what each client finds."""
    monkeypatch.setattr(Dealing, name, cheat)
    table = FairTable("anna", "bob")
    table.play_round(random.Random(2))
    anna, bob = (
        [(verdict.outcome, verdict.reason) for verdict in player.verdicts]
        for player in table.players
    )
    return anna, bob


def test_an_honest_server_is_accused_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = [(Outcome.CHECKED, None)]
    assert play(monkeypatch, "_deal", _deal) == (checked, checked)


def test_a_swapped_tile_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(dealing: Dealing) -> Complete:
        complete = _deal(dealing)
        one, other = (list(hand) for hand in complete.deal.hands)
        one[0], other[0] = other[0], one[0]
        deal = Deal((tuple(one), tuple(other)), complete.deal.boneyard)
        return replace(complete, deal=deal)

    anna, bob = play(monkeypatch, "_deal", swapped)
    assert anna == bob == [(Outcome.FAILED, Reason.OWN_HAND)]


def test_a_link_of_the_servers_that_was_chosen_late_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def chosen(dealing: Dealing, **given: object) -> KeptLinks:
        return replace(_links(dealing, **given), server="ab" * 32)

    anna, bob = play(monkeypatch, "_links", chosen)
    assert anna == bob == [(Outcome.FAILED, Reason.WRONG_LINK)]


def test_two_lists_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_lists(dealing: Dealing, table: str, seat: int, key: str, now: int) -> Wanted | None:
        wanted = _wanted(dealing, table, seat, key, now)
        if isinstance(wanted, TipsOffered) and seat == 1:
            return replace(wanted, server=Tip(wanted.server.base, "ab" * 32))
        return wanted

    def any_hash(
        dealing: Dealing, seat: int, key: str, match: str, version: int, hash_: str
    ) -> None:
        members = (replace(m, answer=hash_) if m.seat == seat else m for m in dealing.state.members)
        dealing.state = replace(dealing.state, members=tuple(members))

    monkeypatch.setattr(Dealing, "agree", any_hash)
    anna, bob = play(monkeypatch, "wanted", two_lists)
    assert anna == [(Outcome.CHECKED, None)]
    assert bob[0] == (Outcome.FAILED, Reason.OTHER_LIST)
    assert bob[-1][0] is Outcome.FAILED


def test_a_sent_link_that_is_dropped_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def dropped(dealing: Dealing, **given: object) -> KeptLinks:
        links = _links(dealing, **given)
        return replace(links, links=links.links[:1])

    anna, bob = play(monkeypatch, "_links", dropped)
    assert anna == [(Outcome.FAILED, Reason.LINKS_MISSING)]
    assert bob == [(Outcome.FAILED, Reason.OWN_LINK_MISSING)]


def test_a_contributor_who_is_called_absent_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(dealing: Dealing, now: int, there: There) -> Complete | None:
        first, *rest = dealing.state.members
        if dealing.state.begun == 1 and rest and all(m.answer for m in dealing.state.members):
            called = replace(rest[0], answer=None, failed=True)
            dealing.state = replace(dealing.state, members=(first, called))
        return _look(dealing, now, there)

    anna, bob = play(monkeypatch, "_look_for_links", absent)
    assert anna[0] == (Outcome.REDONE, Reason.ABSENT)
    assert bob[0] == (Outcome.FAILED, Reason.OWN_LINK_MISSING)


def test_a_root_that_is_made_anew_for_every_deal_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def anew(dealing: Dealing) -> Complete:
        vars(dealing)["_chain"] = Chain(b"\x07" * 32, dealing.state.base)
        return _deal(dealing)

    anna, bob = play(monkeypatch, "_deal", anew)
    assert anna == bob == [(Outcome.FAILED, Reason.WRONG_LINK)]
