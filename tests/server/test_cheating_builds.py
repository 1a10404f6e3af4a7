"""A server that cheats plays with stock clients: each way is found by the one who is cheated."""

import random
from collections.abc import Callable

from passing_protocol.fair_deal import Chain
from passing_protocol.verdicts import Outcome, Reason
from passing_table.dealing import Dealing
from passing_table.dealing_state import Complete
from tests.support.cheats import CHEATS, Patches, planted
from tests.support.fair_table import FairTable

Found = list[tuple[Outcome, Reason | None]]

CHECKED = (Outcome.CHECKED, None)

_deal: Callable[[Dealing], Complete] = vars(Dealing)["_deal"]


def play(patches: Patches, rounds: int = 1) -> tuple[Found, Found]:
    """Play at a server with parts of it replaced; return what each client finds."""
    with planted(patches):
        table = FairTable("anna", "bob")
        for number in range(rounds):
            table.play_round(random.Random(number))
    anna, bob = (
        [(verdict.outcome, verdict.reason) for verdict in player.verdicts]
        for player in table.players
    )
    return anna, bob


def failed(reason: Reason) -> tuple[Outcome, Reason]:
    return Outcome.FAILED, reason


def test_an_honest_server_is_accused_by_nobody() -> None:
    assert play([]) == ([CHECKED], [CHECKED])


def test_a_swapped_tile_is_found() -> None:
    anna, bob = play(CHEATS["swaps a tile"])
    assert anna == bob == [failed(Reason.OWN_HAND)]


def test_a_deal_that_was_chosen_late_is_found() -> None:
    anna, bob = play(CHEATS["chooses a deal late"])
    assert anna == bob == [failed(Reason.LEADER)]


def test_a_link_of_the_servers_that_was_chosen_late_is_found() -> None:
    anna, bob = play(CHEATS["uses a link that was not fixed before"])
    assert anna == bob == [failed(Reason.WRONG_LINK)]


def test_links_that_are_shown_early_are_found() -> None:
    anna, bob = play(CHEATS["shows links early"])
    assert anna == bob == [failed(Reason.HISTORY), failed(Reason.NOT_REVEALED)]


def test_a_link_that_is_used_for_two_deals_is_found() -> None:
    anna, bob = play(CHEATS["uses a link twice"], rounds=2)
    assert anna[:2] == bob[:2] == [CHECKED, failed(Reason.SECOND_LINK)]


def test_two_lists_are_found() -> None:
    anna, bob = play(CHEATS["offers two lists"])
    assert anna == [CHECKED]
    assert bob[0] == failed(Reason.OTHER_LIST)
    assert bob[-1][0] is Outcome.FAILED


def test_two_lists_that_are_never_mixed_are_found_by_the_deal() -> None:
    anna, bob = play(CHEATS["keeps two lists apart"])
    assert anna == [CHECKED]
    assert bob[0] in (failed(Reason.LEADER), failed(Reason.OWN_HAND))


def test_a_sent_link_that_is_left_out_is_found() -> None:
    anna, bob = play(CHEATS["leaves out a link that has come"])
    assert anna == [failed(Reason.LINKS_MISSING)]
    assert bob == [failed(Reason.OWN_LINK_MISSING)]


def test_a_contributor_who_is_called_absent_finds_it() -> None:
    anna, bob = play(CHEATS["calls a contributor absent"])
    assert anna[0] == (Outcome.REDONE, Reason.ABSENT)
    assert bob[0] == failed(Reason.OWN_LINK_MISSING)


def test_a_root_that_is_made_anew_for_every_deal_is_found() -> None:
    def anew(dealing: Dealing) -> Complete:
        vars(dealing)["_chain"] = Chain(b"\x07" * 32, dealing.state.base)
        return _deal(dealing)

    anna, bob = play([(Dealing, "_deal", anew)])
    assert anna == bob == [failed(Reason.WRONG_LINK)]
