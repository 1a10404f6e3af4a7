"""The record that a client keeps is what the true record shows of the rounds that it saw."""

import random
from collections.abc import Iterable
from dataclasses import replace as replace_value

import pytest
from msgspec.structs import replace

from passing_client.match_story import LATE_TAG, RESUMED_TAG, UNSEEN_TAG, MatchStory
from passing_client.model import Moment
from passing_client.proof_story import MOST_PROOF, ProofStory
from passing_protocol.events import DealRevealed, Event, MatchEnded, RoundEnded, StateChanged
from passing_protocol.messages import Leave, Update
from passing_protocol.records import (
    PUBLIC,
    EndReason,
    Outcome,
    ProvenDeal,
    ProvenList,
    Record,
    RoundRecord,
    Tiles,
    verify_records,
    write,
)
from passing_protocol.verdicts import Outcome as Found
from passing_protocol.verdicts import Reason, Verdict
from passing_protocol.views import (
    Acted,
    GameOptions,
    PublicView,
    TableOptions,
    TableState,
    Tip,
    TipList,
)
from passing_protocol.wire import ActionMessage
from tests.support.duel import DRAW, PASS, Duel
from tests.support.evenings import Evening
from tests.support.fair_table import FairTable
from tests.support.lan import Lan
from tests.support.onlookers import Onlooker, knowable, marked, true_records
from tests.support.secret_matches import SecretMatch

TARGET = 31
MATCHES = 10
RESTARTS = 12


def agrees(told: Iterable[Tiles], true: Iterable[Tiles]) -> bool:
    """Tell whether hands hold no tile that they did not hold."""
    pairs = list(zip(told, true, strict=True))
    return all(len(one) == len(other) and {*one} <= {*other, None} for one, other in pairs)


def verify_told(told: RoundRecord, true: RoundRecord) -> None:
    """Nothing that a round tells is otherwise; something may not be told."""
    assert (told.number, told.leader) == (true.number, true.leader)
    assert (told.scores_before, told.result) == (true.scores_before, true.result)
    assert agrees(told.hands, true.hands)
    assert agrees(told.left, true.left)
    for mine, tile in zip(told.boneyard, true.boneyard, strict=True):
        assert mine in (None, tile)
    for done, act in zip(told.actions, true.actions, strict=True):
        assert done == act or replace_value(act, drawn=None) == done


def verify_record(told: Record, truth: Record, *, hidden: bool, player: bool = True) -> None:
    """A record is right, and tells of each round what the true one shows its reader, no more.

    One who sat down or got up in the match has the public view, and knows more of some rounds.
    """
    assert verify_records(write([told])) == (told,)
    late, resumed = marked(told, LATE_TAG), marked(told, RESUMED_TAG)
    shown = knowable(truth, told.view.seat, hidden=hidden)
    for played, true, whole in zip(told.rounds, shown, truth.rounds, strict=False):
        verify_told(played, whole)
        changes = played.changes if played.number in late | resumed else true.changes
        assert played.changes == changes
        if told.view != PUBLIC or not player:
            assert played == replace_value(true, changes=changes)
    assert (told.options, told.deal_kind, told.event, told.match) == (
        truth.options,
        truth.deal_kind,
        truth.event,
        truth.match,
    )
    assert late or told.seats == truth.seats
    if len(told.rounds) == len(truth.rounds) and not late:
        assert told.outcome == truth.outcome
    else:
        assert told.outcome is None or late


def test_what_is_kept_is_what_the_true_record_shows() -> None:
    """People and engines come and go, are cut off and come back, and sit down for others."""
    views: set[str] = set()
    tags: set[str] = set()
    for number in range(MATCHES):
        match = SecretMatch(number, TARGET)
        match.play()
        readers = [Onlooker(client).catch_up() for client in match.everybody]
        truths = true_records(match.lan)
        for reader in readers:
            for name, record in reader.kept.items():
                player = reader.client in match.players
                verify_record(record, truths[name], hidden=match.hidden, player=player)
                views.add(str(record.view))
                tags |= {tag for tag, _ in record.tags}
    assert views == {"public", "seat 0", "seat 1", "seat 2", "seat 3"}
    assert LATE_TAG in tags


# --- servers that are started again --------------------------------------------------------------


def test_a_match_goes_on_in_its_record_after_the_server_was_killed() -> None:
    tags: set[str] = set()
    for number in range(RESTARTS):
        evening = Evening(number)
        evening.play()
        truths = true_records(evening.lan)
        for reader in evening.readers:
            (record,) = reader.kept.values()
            assert record.match is not None
            truth = truths[record.match]
            player = reader.client is not evening.watcher
            verify_record(record, truth, hidden=False, player=player)
            assert (record.outcome == truth.outcome) is not bool(marked(record, UNSEEN_TAG))
            tags |= {tag for tag, _ in record.tags}
    assert RESUMED_TAG in tags


# --- what is left out ----------------------------------------------------------------------------


def passed_out(duel: Duel) -> None:
    """Pass a round out, and let everybody be ready for the next."""
    duel.act(PASS)
    duel.act(PASS)
    duel.ready()


def test_a_record_ends_before_a_round_whose_end_was_not_seen() -> None:
    duel = Duel(Lan(), game=GameOptions(seats=2, max_rounds=4))
    zoe = Onlooker(duel.lan.watcher("zoe", duel.table))
    passed_out(duel)
    duel.act(PASS)
    duel.lan.crash()
    duel.lan.start_again()
    duel.lan.come_back(duel.anna, duel.bob)
    duel.act(PASS)
    duel.ready()
    duel.lan.come_back(zoe.client)
    passed_out(duel)
    duel.act(PASS)
    duel.act(PASS)
    (record,) = zoe.catch_up().kept.values()
    assert [played.number for played in record.rounds] == [1]
    assert dict(record.tags) == {LATE_TAG: "1", UNSEEN_TAG: "2"}
    assert record.outcome is None
    assert verify_records(write([record])) == (record,)
    again = zoe.story.played()
    assert again is not None
    assert [played.number for played in again.rounds] == [1, 3, 4]


def test_who_comes_after_the_first_round_keeps_nothing_but_can_look_again() -> None:
    duel = Duel(Lan(), game=GameOptions(seats=2, max_rounds=3))
    passed_out(duel)
    zoe = Onlooker(duel.lan.watcher("zoe", duel.table))
    passed_out(duel)
    assert zoe.catch_up().kept == {}
    again = zoe.story.played()
    assert again is not None
    assert [played.number for played in again.rounds] == [2]


def test_a_round_that_goes_on_is_not_kept_until_it_ends() -> None:
    duel = Duel(Lan(), game=GameOptions(seats=2, target=9_999))
    anna = Onlooker(duel.anna).catch_up()
    assert anna.story.record() is None
    passed_out(duel)
    duel.act(PASS)
    (record,) = anna.catch_up().kept.values()
    assert len(record.rounds) == 1
    assert record.outcome is None


def test_a_match_that_is_given_up_ends_with_the_round_that_was_played() -> None:
    duel = Duel(Lan(), TableOptions(absent="forfeit"), GameOptions(seats=2, target=9_999))
    anna = Onlooker(duel.anna)
    passed_out(duel)
    duel.act(DRAW)
    duel.bob.send(Leave(0, duel.table))
    (record,) = anna.catch_up().kept.values()
    assert [played.result is None for played in record.rounds] == [False, True]
    assert record.outcome == Outcome(EndReason.FORFEIT, 0, (1,))
    assert verify_records(write([record])) == (record,)


def test_a_rematch_has_a_record_of_its_own() -> None:
    duel = Duel(Lan(), game=GameOptions(seats=2, max_rounds=1))
    anna = Onlooker(duel.anna)
    for _ in range(2):
        passed_out(duel)
    one, two = anna.catch_up().kept.values()
    assert one.match != two.match
    assert [len(record.rounds) for record in (one, two)] == [1, 1]


def nonsense(view: PublicView) -> list[tuple[Event, PublicView | None]]:
    """What no server can mean: a play on time, hands that are none, seats that come and go."""
    ended = RoundEnded(view.round, "passed_out", [1, 2], [0], 1, [1, 0], 0)
    seats = replace(view, seats=view.seats[:1], hands=[], rev=view.rev + 9)
    return [
        (Acted(0, view.turn, ActionMessage(play="00"), timed_out=True), None),
        (replace(ended, hands=[["00"]]), None),
        (replace(ended, pips=[1]), None),
        (replace(ended, winners=[7]), None),
        (replace(ended, winners=[1]), None),
        (replace(ended, scores=[]), None),
        (MatchEnded("forfeit", [0, 0]), None),
        (StateChanged(TableState.PLAYING), seats),
        (StateChanged(TableState.PLAYING), replace(view, game=GameOptions(seats=2, partners=True))),
    ]


@pytest.mark.parametrize("number", range(9))
def test_what_a_server_cannot_mean_is_not_kept(number: int) -> None:
    duel = Duel(Lan(), game=GameOptions(seats=2, target=9_999))
    passed_out(duel)
    anna = Onlooker(duel.anna).catch_up()
    table = anna.tables[duel.table]
    event, public = nonsense(table.view)[number]
    moment = Moment(event, table.view, public or table.view)
    update = Update(1, duel.table, table.view.rev, [event], public=public)
    anna.story.see(table, [moment], update)
    kept = anna.story.record()
    assert kept is None or len(kept.rounds) == 1
    assert kept is None or verify_records(write([kept])) == (kept,)


# --- fair deals ----------------------------------------------------------------------------------


def test_the_proof_of_fair_deals_is_kept_and_is_right() -> None:
    table = FairTable("anna", "bob")
    watcher = table.lan.watcher("zoe", table.id)
    readers = [Onlooker(client) for client in (*table.players, watcher)]
    chance = random.Random(3)
    for _ in range(2):
        table.play_round(chance)
    for reader in readers:
        reader.catch_up()
        (record,) = reader.kept.values()
        kinds = [type(entry) for entry in record.proof]
        assert kinds == [ProvenList, ProvenDeal, ProvenDeal]
        assert verify_records(write([record])) == (record,)


def test_a_proof_has_no_deal_before_the_rounds_that_are_told() -> None:
    table = FairTable("anna", "bob")
    late = Onlooker(table.lan.watcher("zoe", table.id))
    anna = Onlooker(table.players[0])
    chance = random.Random(4)
    table.play_round(chance)
    anna.catch_up()
    late.catch_up()
    story, (record,) = anna.story, anna.kept.values()
    played = story.played()
    assert played is not None
    assert played.proof == record.proof


def test_what_was_found_out_about_the_deals_is_kept_with_their_rounds() -> None:
    table = FairTable("anna", "bob")
    anna = Onlooker(table.players[0])
    chance = random.Random(5)
    for _ in range(3):
        table.play_round(chance)
    (record,) = anna.catch_up().kept.values()
    assert record.match is not None
    found = [
        Verdict(table.id, record.match, 1, 1, Found.CHECKED),
        Verdict(table.id, record.match, 2, 2, Found.FAILED, Reason.OWN_HAND),
        Verdict(table.id, record.match, 2, 2, Found.CHECKED),
        Verdict(table.id, record.match, 3, 3, Found.REDONE, Reason.ABSENT),
        Verdict(table.id, record.match, 4, 3, Found.UNCHECKED, Reason.MISSED),
        Verdict(table.id, record.match, 5, 4, Found.CHECKED),
    ]
    assert all(anna.story.judge(verdict) for verdict in found)
    for other in (replace_value(found[0], match="m99"), replace_value(found[0], table="t99")):
        assert not anna.story.judge(other)
    judged = anna.story.record()
    assert judged is not None
    assert judged.tags == (
        *record.tags,
        ("Checked", "1"),
        ("Unchecked", "3:missed"),
        ("Unfair", "2:own_hand"),
    )
    assert verify_records(write([judged])) == (judged,)


def test_nothing_is_found_out_about_a_match_that_is_not_noted() -> None:
    assert not MatchStory().judge(Verdict("t1", "m1", 1, 1, Found.CHECKED))


def test_what_is_shown_of_deals_is_noted_once_and_under_a_list_that_is_known() -> None:
    proof = ProofStory()
    tips, shown = TipList(2, Tip(0, "ab" * 32), []), DealRevealed("m", 3, 2, "cd" * 32, [])
    proof.agreed(None)
    proof.shown(shown, 1)
    for _ in range(2):
        proof.agreed(tips)
        proof.shown(shown, 1)
    proof.agreed(replace(tips, version=1))
    proof.shown(replace(shown, deal=4, void=True), 1)
    proof.shown(replace(shown, deal=5), 2)
    assert [str(entry).split()[1:3] for entry in proof.told([1])] == [
        ["list", "2"],
        ["deal", "3"],
        ["void", "4"],
    ]
    assert [str(entry).split()[1:3] for entry in proof.told([])] == [["list", "2"]]


def test_a_server_cannot_make_a_proof_grow_without_end() -> None:
    proof = ProofStory()
    tips, shown = TipList(1, Tip(0, "ab" * 32), []), DealRevealed("m", 1, 1, "cd" * 32, [])
    for number in range(1, MOST_PROOF):
        proof.agreed(replace(tips, version=number))
        proof.shown(replace(shown, deal=number, version=number, void=True), 1)
    told = proof.told([])
    assert len(told) == MOST_PROOF
    assert str(told[-1]).split()[1:3] == ["void", str(MOST_PROOF // 2)]
