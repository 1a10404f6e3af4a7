"""The page of a replay fits every screen, and shows the table, the hands and the sum of a round."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as replace_field

from passing_client.replaying import Replay
from passing_client.screen.drawing import draw
from passing_client.screen.scene import Overlay, Page, Scene
from passing_client.screen.skin import ASCII, UNICODE
from passing_protocol.events import MatchBegan, RoundBegan, StateChanged
from passing_protocol.messages import Left
from passing_protocol.records import PUBLIC, Record, SeatTag, View, parse, seen_by
from passing_protocol.records.quoting import FORBIDDEN
from passing_protocol.views import DealKind, TableState
from passing_rules import Options
from tests.client.screen.endings import HOSTILE_NAMES, SIZES, check_size, texts
from tests.client.screen.tables import scene_of
from tests.support.client_scene import TABLE, ask, full_view, round_view
from tests.support.duel import PASS, Duel
from tests.support.lan import Lan
from tests.support.onlookers import Onlooker
from tests.support.records import WHOLE, full_records, plain_record, play_match, views
from tests.support.rules_play import RNGS
from tests.support.screen_talk import ScreenTalk

RECORD = parse(WHOLE)[0]
NAMES = [name for name in HOSTILE_NAMES if not FORBIDDEN.search(name)]


def replaying(record: Record = RECORD, at: int = 0) -> Scene:
    scene = scene_of(None)
    scene.replay = Replay(record)
    scene.replay.go(at)
    return scene


def lines(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(draw(scene, columns, rows))]


@settings(max_examples=25)
@given(full_records(), RNGS, st.integers(60, 200), st.integers(12, 60))
def test_it_fits_every_screen(record: Record, rng: random.Random, columns: int, rows: int) -> None:
    if rng.random() < 0.3:
        record = replace(record, seats=tuple(SeatTag(rng.choice(NAMES)) for _ in record.seats))
    scene = replaying(rng.choice(views(record)))
    assert scene.replay is not None
    scene.skin = rng.choice((UNICODE, ASCII))
    for at in {0, rng.randrange(len(scene.replay.steps)), len(scene.replay.steps) - 1}:
        scene.replay.at = at
        check_size(draw(scene, columns, rows), columns, rows)


@given(RNGS, st.sampled_from(SIZES), st.sampled_from((2, 3, 4)))
def test_every_hand_that_is_seen_is_whole_on_every_screen(
    rng: random.Random, size: tuple[int, int], seats: int
) -> None:
    record = plain_record(play_match(rng, Options.of(seats, max_rounds=1)))
    replay = Replay(record)
    at = rng.randrange(len(replay.steps) - 1)
    text = "\n".join(lines(replaying(record, at), *size))
    for hand in replay.steps[at].hands:
        for tile in hand:
            assert tile is not None
            assert f"{tile.low}-{tile.high}" in text


@given(RNGS, st.sampled_from(SIZES), st.sampled_from((2, 3, 4)))
def test_the_sum_of_a_round_is_there_on_every_screen(
    rng: random.Random, size: tuple[int, int], seats: int
) -> None:
    record = plain_record(play_match(rng, Options.of(seats, max_rounds=1)))
    (played,) = record.rounds
    assert played.result is not None
    text = " ".join(" ".join(lines(replaying(record, 999), *size)).split())
    sign = f"- {min(played.result.pips)} = {played.result.points} point"
    assert sign in text if played.result.winners else "nobody scores" in text


def test_each_step_tells_where_it_is() -> None:
    shown = lines(replaying(at=18))
    assert shown[0].startswith(" Replay · kitchen · round 1 · to 101 · 2026.11.30")
    assert shown[-3] == " Step 19 of 28, round 1 of 1, all hands."
    assert "Left back" in shown[-1]


def test_the_end_has_the_arithmetic_and_the_winner() -> None:
    shown = lines(replaying(at=999))
    assert "   Bo wins the round: 28 - 7 = 21 points." in shown
    assert "   The match is over: Bo wins with 21 points." in shown
    assert not any("ready" in line for line in shown)


def test_eyes_that_see_one_hand_see_no_other() -> None:
    scene = replaying(at=10)
    assert scene.replay is not None
    scene.replay.eyes = View(seat=0)
    shown = lines(scene)
    dana, bo = (next(x for x in reversed(shown) if x.startswith(f"   {n}")) for n in ("Dana", "Bo"))
    assert "?-?" not in dana
    assert set(bo.split()[1:]) == {"?-?"}
    assert shown[-3].endswith("as seen by Dana.")
    scene.replay.eyes = PUBLIC
    assert lines(scene)[-3].endswith("no hands, as watchers see it.")


def test_one_s_own_seat_is_you_and_the_last() -> None:
    shown = lines(replaying(seen_by(RECORD, 1), 3))
    assert any(line.startswith("   you (Bo)") for line in shown)
    dana, you = (next(n for n, x in enumerate(shown) if w in x) for w in ("Dana", "you (Bo)"))
    assert dana < you


def test_help_can_be_read_over_it() -> None:
    scene = replaying()
    scene.overlay = Overlay.HELP
    check_size(draw(scene, 80, 24), 80, 24)


# --- keys ---------------------------------------------------------------------------------------


def looking(record: Record = RECORD) -> ScreenTalk:
    talk = ScreenTalk()
    talk.scene.replay = Replay(record)
    return talk


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (("right",), 1),
        (("right", "down", " ", "enter", "j"), 5),
        (("right", "right", "left"), 1),
        (("left",), 0),
        (("end",), 27),
        (("end", "up"), 26),
        (("end", "home"), 0),
        (("pagedown",), 27),
        (("end", "pageup"), 0),
    ],
)
def test_keys_go_through_it(keys: tuple[str, ...], at: int) -> None:
    talk = looking()
    talk.press(*keys)
    assert talk.scene.replay is not None
    assert talk.scene.replay.at == at


def test_tab_changes_whose_hands_are_seen() -> None:
    talk = looking()
    talk.press("tab")
    assert talk.scene.replay is not None
    assert talk.scene.replay.eyes == View(seat=0)
    talk.press("s-tab", "s-tab")
    assert talk.scene.replay.eyes == PUBLIC


@pytest.mark.parametrize("key", ["q", "escape", "f10", ";"])
def test_leaving_a_replay_that_is_all_there_is_ends_it(key: str) -> None:
    talk = looking()
    talk.press(key)
    assert talk.scene.replay is None
    assert talk.over is not None


@pytest.mark.parametrize("key", ["c", '"', "/", "d", "p", "n", "w", "l", "s", "f4", "6", "r", "v"])
def test_nothing_else_is_done_in_it(key: str) -> None:
    talk = looking()
    talk.press(key)
    assert talk.scene.page is Page.REPLAY
    assert talk.scene.typed == ""
    assert talk.scene.overlay is None
    assert talk.sent() == []
    assert talk.over is None


def between_rounds() -> ScreenTalk:
    """Return Dana's talk after a round that she has seen from its deal on."""
    talk = ScreenTalk()
    duel = Duel(Lan(), names=("Dana", "Bo"))
    story = Onlooker(duel.anna)
    duel.act(PASS)
    duel.act(PASS)
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN, 20_000))
    talk.conversation.desk.story = story.catch_up().story
    return talk


def test_what_was_just_played_is_looked_at_between_rounds_and_left_again() -> None:
    talk = between_rounds()
    assert any("r replay" in line for line in lines(talk.scene))
    pages = [talk.scene.page]
    talk.press("r")
    pages.append(talk.scene.page)
    assert talk.scene.replay is not None
    assert (talk.scene.replay.at, talk.scene.replay.me) == (0, 0)
    talk.press("q")
    pages.append(talk.scene.page)
    assert pages == [Page.ROUND_END, Page.REPLAY, Page.ROUND_END]
    assert talk.over is None


def test_a_replay_ends_when_the_next_round_begins() -> None:
    talk = between_rounds()
    talk.press("r")
    talk.update(RoundBegan(4, 0, DealKind.SERVER, [6] * 4, 4, 2), hand="02 46", ask=ask(27, "02"))
    assert talk.scene.page is Page.TABLE


@pytest.mark.parametrize("left", [False, True])
def test_a_replay_ends_when_the_table_goes_on_however_that_is_told(left: bool) -> None:
    talk = between_rounds()
    talk.press("r")
    if left:
        talk.hears(Left(talk.seq(), TABLE, "closed"))
    else:
        view = replace_field(round_view(leader=0), round=4)
        talk.update(public=view, hand="02 46", ask=ask(20, "02"))
    assert talk.scene.replay is None
    assert talk.scene.page is (Page.LOBBY if left else Page.TABLE)


def test_before_a_round_has_ended_there_is_nothing_to_look_at() -> None:
    talk = ScreenTalk()
    talk.sits(full_view(), hand="")
    talk.update(MatchBegan("m1", 61), RoundBegan(1, 0, DealKind.SERVER, [6] * 4, 4, 2), hand="02")
    talk.press("r")
    assert talk.scene.page is Page.TABLE
