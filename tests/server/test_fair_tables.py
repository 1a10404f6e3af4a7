"""Fair deals over the wire: stock clients contribute and check, restarts and all."""

import pytest

from passing_protocol.codec import decode_server
from passing_protocol.errors import ErrorCode
from passing_protocol.events import DealRevealed
from passing_protocol.messages import (
    Contribute,
    Create,
    GiveLink,
    LinkWanted,
    Ready,
    Resync,
    TipsOffered,
    Update,
)
from passing_protocol.verdicts import Outcome
from passing_protocol.views import DealKind, GameOptions, TableOptions, TableState
from tests.support.fair_table import GAME, ROUNDS, FairTable
from tests.support.lan import Lan, LanClient


@pytest.mark.parametrize("role", [None, "bot"])
def test_every_player_checks_every_deal(role: str | None) -> None:
    table = FairTable("anna", "bob", role=role)
    table.play()
    for player in table.players:
        assert table.outcomes(player) == [Outcome.CHECKED] * ROUNDS
        assert player.tables[table.id].public is not None


def test_a_rematch_is_checked_too() -> None:
    table = FairTable("anna", "bob")
    table.play()
    table.ready()
    assert table.state is TableState.PLAYING
    table.play()
    for player in table.players:
        assert table.outcomes(player) == [Outcome.CHECKED] * 2 * ROUNDS


def test_everybody_is_shown_who_contributes_and_which_deal_it_is() -> None:
    table = FairTable("anna", "bob", "cyd", game=GameOptions(seats=3))
    watcher = table.lan.watcher("zoe", table.id)
    table.ready()
    for reader in (*table.players, watcher):
        public = reader.tables[table.id].public
        assert public is not None
        assert public.deal is DealKind.FAIR
        assert public.tips is not None
        assert [entry.seat for entry in public.tips.seats] == [0, 1, 2]
        assert public.deal_number == 1
    late = table.lan.watcher("late", table.id).tables[table.id].public
    followed = watcher.tables[table.id].public
    assert late is not None
    assert followed is not None
    assert (late.tips, late.deal_number) == (followed.tips, followed.deal_number)


def test_no_link_is_told_before_its_deal_is_over() -> None:
    table = FairTable("anna", "bob", "cyd", game=GameOptions(seats=3, max_rounds=3, target=9_999))
    watcher = table.lan.watcher("zoe", table.id)
    table.play()
    for reader in (*table.players, watcher):
        shown = {
            text.encode(): number
            for number, frame in enumerate(reader.frames)
            for event in revealed_in(frame)
            for text in (event.server, *(link.link for link in event.links))
        }
        assert len(shown) == 3 * 4
        for text, number in shown.items():
            assert not any(text in frame for frame in reader.frames[:number])


def revealed_in(frame: bytes) -> list[DealRevealed]:
    updates = [m for m in decode_server(frame) if isinstance(m, Update)]
    events = [event for update in updates for event in update.events]
    return [event for event in events if isinstance(event, DealRevealed)]


# --- who is asked, and asked again


def silent_table() -> tuple[Lan, LanClient, str]:
    """A table of one who contributes and one who says so and does nothing."""
    table = FairTable("anna", "bob")
    _, bob = table.players
    bob.contributor = None
    table.ready()
    return table.lan, bob, table.id


def asked(client: LanClient) -> list[Contribute | TipsOffered | LinkWanted]:
    return [m for m in client.messages if isinstance(m, Contribute | TipsOffered | LinkWanted)]


def test_what_is_not_answered_is_asked_again_with_the_time_that_is_left() -> None:
    lan, bob, _ = silent_table()
    (first,) = asked(bob)
    assert first.within_ms == 5_000
    lan.pass_time(1_500)
    bob.send(Resync(0, 0))
    (_, again) = asked(bob)
    assert isinstance(again, Contribute)
    assert again.within_ms == 3_500


def test_a_table_waits_five_seconds_and_no_longer() -> None:
    lan, _, table = silent_table()
    lan.pass_time(4_900)
    assert lan.server.lobby.rooms[table].table.state is TableState.STARTING
    lan.pass_time(200)
    assert lan.server.lobby.rooms[table].table.state is TableState.PLAYING


def test_what_was_not_asked_for_is_refused() -> None:
    table = FairTable("anna", "bob")
    stranger = table.lan.client("zoe")
    link = GiveLink(0, table.id, "m", 1, "ab" * 32)
    assert stranger.refusal(link).code is ErrorCode.NOT_SEATED
    assert table.players[0].refusal(link).code is ErrorCode.NO_SUCH_DEAL


# --- restarts


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("messages", range(1, 9))
def test_the_server_may_be_killed_at_any_moment_of_a_deal(messages: int, stored: bool) -> None:
    table = FairTable("anna", "bob", "cyd", game=GameOptions(seats=3, max_rounds=2, target=9_999))
    for player in table.players[:-1]:
        player.send(Ready(0, table.id))
    number, data = table.players[-1].session.request(Ready(0, table.id))
    assert number
    table.lan.put(table.players[-1].peer, data)
    table.lan.settle_some(messages)
    table.lan.restart(handled=True, stored=stored)
    table.lan.pass_time(11_000)
    if table.state is TableState.STARTING:
        table.ready()
    table.play()
    for player in table.players:
        assert Outcome.FAILED not in table.outcomes(player)
        assert table.outcomes(player)[-1] is Outcome.CHECKED


@pytest.mark.parametrize("messages", [1, 3, 5])
def test_nobody_is_struck_off_for_an_outage_of_the_store(messages: int) -> None:
    table = FairTable("anna", "bob")
    lan, (anna, bob) = table.lan, table.players
    anna.send(Ready(0, table.id))
    lan.put(bob.peer, bob.session.request(Ready(0, table.id))[1])
    lan.settle_some(messages)
    lan.store.fail_next(10**9)
    lan.settle()
    assert lan.server.ailment is not None
    lan.clients = {}
    lan.fall_silent(60_000, step=1_000)
    lan.store.fail_next(0)
    lan.fall_silent(1_500)
    lan.come_back(anna, bob)
    table.play()
    for player in table.players:
        assert table.outcomes(player) == [Outcome.CHECKED] * ROUNDS


def test_a_restart_in_a_round_leaves_the_deal_checked() -> None:
    table = FairTable("anna", "bob")
    table.ready()
    table.lan.restart()
    table.play()
    for player in table.players:
        assert table.outcomes(player) == [Outcome.CHECKED] * ROUNDS


def test_nothing_that_is_shown_of_the_server_holds_a_secret_of_a_deal() -> None:
    table = FairTable("anna", "bob")
    table.ready()
    room = table.lan.server.lobby.rooms[table.id]
    assert room.table.fair is not None
    dealing = room.table.fair.dealing
    assert dealing is not None
    assert dealing.state.live is not None
    secrets = [dealing.state.root, dealing.state.live.server]
    shown = repr([room, room.table, dealing, dealing.state, vars(room.table)])
    assert not any(secret in shown for secret in secrets)


# --- which tables


@pytest.mark.parametrize(
    ("role", "wishes", "kind"),
    [
        (None, TableOptions(), DealKind.FAIR),
        (None, TableOptions(deal="server"), DealKind.SERVER),
        (None, TableOptions(reveal="after_block"), DealKind.SERVER),
        ("organiser", TableOptions(), DealKind.SERVER),
        ("organiser", TableOptions(deal="fair"), DealKind.FAIR),
    ],
)
def test_tables_of_people_are_fair_unless_they_say_otherwise(
    role: str | None, wishes: TableOptions, kind: DealKind
) -> None:
    lan = Lan()
    table = lan.table(lan.client("anna", role), GameOptions(seats=2), wishes)
    assert lan.server.lobby.rooms[table].table.deals.kind is kind


@pytest.mark.parametrize(
    ("wishes", "fixed"),
    [
        (TableOptions(deal="fair", reveal="after_block"), {}),
        (TableOptions(deal="fair"), {"seed": "0" * 32}),
        (TableOptions(deal="server"), {"given": "0" * 32}),
    ],
)
def test_wishes_that_do_not_go_together_are_refused(
    wishes: TableOptions, fixed: dict[str, str]
) -> None:
    lan = Lan()
    create = Create(0, "x", GAME, wishes, sit=False, **fixed)
    refused = lan.client("org", "organiser").refusal(create)
    assert (refused.code, refused.field) == (ErrorCode.MALFORMED, "table.deal")
