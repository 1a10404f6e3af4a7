"""What has just been told of deals and of the server is on the page, and goes when it is over."""

import pytest
from msgspec.structs import replace

from passing_client.conversation import Conversation
from passing_client.language import LANGUAGES, use
from passing_client.screen.cells import text_of
from passing_client.screen.keys import hints
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.panels.message.view import draw_said
from passing_client.screen.scene import Overlay
from passing_client.words.links import lost_sentence
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    MatchBegan,
    RoundBegan,
    SeatChanged,
    StateChanged,
    TipsAgreed,
)
from passing_protocol.fair_deal import list_hash, table_code
from passing_protocol.messages import Ok
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind, SeatState, SeatTip, TableState, Tip, TipList
from tests.support.client_scene import TABLE, acted, after, ask, full_view, round_view, taken
from tests.support.screen_talk import ScreenTalk, on_turn

TIPS = TipList(1, Tip(0, "ab" * 32), [SeatTip(0, 0, "cd" * 32), SeatTip(1, 0, "ef" * 32)])
CODE = table_code(list_hash("m1", TIPS))
HAND = "46 44 55 66 00 01 02"
SIZES = [(80, 24), (60, 12), (60, 18), (100, 30), (140, 40)]


def match_begins(talk: ScreenTalk) -> None:
    """Let a match begin at the table where one is, on one's own turn."""
    talk.update(
        MatchBegan("m1", 101),
        TipsAgreed("m1", TIPS),
        RoundBegan(1, 0, DealKind.FAIR, [7, 7, 7, 7], 0, 0, 1),
        hand=HAND,
        ask=ask(1, "46 44"),
    )


@pytest.fixture
def begun() -> ScreenTalk:
    talk = ScreenTalk()
    talk.before_the_match()
    match_begins(talk)
    return talk


# --- deals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_match_begins_with_the_table_code_and_who_has_no_part(
    begun: ScreenTalk, size: tuple[int, int]
) -> None:
    shown = begun.picture(*size)
    assert "YOUR TURN" in shown
    assert f"Table code {CODE}. Who has the same has the same deal; compare it aloud." in shown
    assert "No part in the deals: Caro and Emil." in shown


def test_the_news_of_the_deal_goes_with_a_key_and_the_code_with_the_first_tile(
    begun: ScreenTalk,
) -> None:
    begun.press("right")
    shown = begun.picture()
    assert "compare it aloud" not in shown
    assert f"table code {CODE}" in shown
    assert f"table code {CODE}" in begun.picture(60, 12)
    begun.update(acted(0, 1, "46"), hand=HAND.removeprefix("46 "))
    assert CODE not in begun.picture()


def test_where_nobody_has_a_part_there_is_no_code() -> None:
    talk = ScreenTalk()
    talk.sits(replace(round_view(), tips=replace(TIPS, seats=[])), hand="02")
    assert "table code" not in talk.picture()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (DealKind.SERVER, "The server deals."),
        (DealKind.SEEDED, "The deal comes from a seed."),
        (DealKind.GIVEN, "The deal is given."),
    ],
)
@pytest.mark.parametrize("size", SIZES)
def test_a_deal_that_nothing_proves_is_told_as_that_once_a_match(
    size: tuple[int, int], kind: DealKind, told: str
) -> None:
    talk = ScreenTalk()
    talk.before_the_match()
    for match in ("m1", "m2"):
        for number in (1, 2):
            begins = [MatchBegan(match, 101)] if number == 1 else []
            round_ = RoundBegan(number, 0, kind, [7, 7, 7, 7], 0, 0)
            talk.update(*begins, round_, hand=HAND, ask=ask(number, "46 44"))
            assert talk.scene.deals == ([told] if number == 1 else [])
            assert number > 1 or told in talk.picture(*size)
            talk.press("right")
            assert talk.scene.deals == []


def test_news_of_the_deal_stay_through_other_seats_turns_and_go_with_the_log(
    begun: ScreenTalk,
) -> None:
    begun.update(acted(0, 1, "46", timed_out=True), hand=HAND.removeprefix("46 "))
    assert "compare it aloud" in begun.picture()
    begun.press("l", "escape")
    assert "compare it aloud" not in begun.picture()


@pytest.mark.parametrize("size", SIZES)
def test_a_deal_that_is_done_again_is_told_on_the_page(size: tuple[int, int]) -> None:
    talk = ScreenTalk()
    talk.between()
    match = full_view().match
    talk.hears(Verdict(TABLE, match, 3, 2, Outcome.REDONE, Reason.ABSENT, (1,)))
    assert "Deal done again because of Bo." in talk.picture(*size)
    talk.press("f8")
    assert talk.scene.deals == []


def test_with_the_round_the_news_of_its_deal_end_and_what_is_checked_is_no_news(
    begun: ScreenTalk,
) -> None:
    assert len(begun.scene.deals) == 2
    begun.update(acted(0, 1, "46", timed_out=True), hand=HAND.removeprefix("46 "))
    begun.round_ends()
    begun.hears(Verdict(TABLE, "m1", 1, 1, Outcome.CHECKED))
    assert begun.scene.deals == []


# --- a deal that waits ---------------------------------------------------------------------------


def ready(talk: ScreenTalk, *seats: int) -> None:
    names = ("Dana", "Bo", "Caro", "Emil")
    talk.update(*(SeatChanged(seat, taken(names[seat], ready=True)) for seat in seats))


def test_between_rounds_the_deal_is_waited_for_once_all_are_ready() -> None:
    talk = ScreenTalk()
    talk.between()
    ready(talk, 0, 1, 2)
    assert "next 0:" in talk.picture()
    ready(talk, 3)
    for size in SIZES:
        shown = talk.picture(*size)
        assert "The deal is being made." in shown
        assert "next 0:" not in shown


def test_who_is_away_may_be_waited_for_with_a_time() -> None:
    talk = ScreenTalk()
    talk.sits(after(round_view(), "06", "d"), hand=None)
    talk.round_ends()
    ready(talk, 0, 1, 3)
    away = replace(taken("Caro", ready=True), state=SeatState.AWAY)
    talk.update(SeatChanged(2, away))
    shown = talk.picture()
    assert "Everybody is ready." in shown
    assert "next 0:" in shown


def test_the_owner_who_has_begun_the_match_sees_that_it_is_dealt() -> None:
    talk = ScreenTalk()
    talk.sits(replace(full_view(), owner=0), hand="")
    talk.passes()
    assert "Enter begins the match." in talk.picture()
    talk.press("enter")
    talk.hears(Ok(talk.seq(), talk.answers_last()))
    assert "The deal is being made." in talk.picture()
    assert not {"start", "ready"} & {action.name for action in hints(talk.scene)}
    talk.update(StateChanged(TableState.OPEN))
    assert not talk.scene.started


# --- a server that has stopped -------------------------------------------------------------------

STOPPED = LinkNews(NewsKind.LOST, "den has ended the session.", ErrorCode.DRAINING)
TOLD = (
    "The server has stopped. What was played is kept, and goes on when it is started anew: stay, "
    "and you are back by yourself then. Who quits gives the seat up."
)


@pytest.mark.parametrize("size", SIZES[:-1])
def test_of_a_server_that_has_stopped_it_is_told_what_to_do(size: tuple[int, int]) -> None:
    talk = on_turn()
    talk.hears(STOPPED, LinkNews(NewsKind.TRYING, "There is no connection yet; still trying."))
    talk.press("right")
    assert TOLD in talk.picture(*size)
    talk.hears(LinkNews(NewsKind.RESTARTED, "The connection is back."))
    assert "YOUR TURN type a tile" in talk.picture(80, 24)
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost; trying to get it back."))
    assert "has stopped" not in talk.picture(60, 12)


@pytest.mark.parametrize("size", SIZES)
def test_it_is_told_between_rounds_too(size: tuple[int, int]) -> None:
    talk = ScreenTalk()
    talk.between()
    talk.hears(STOPPED)
    assert TOLD in talk.picture(*size)


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_told_whole_on_a_small_screen_in_every_language(code: str) -> None:
    talk = on_turn()
    talk.hears(STOPPED)
    use(code)
    assert lost_sentence(ErrorCode.DRAINING) in talk.picture(60, 18)


def test_of_another_reason_it_is_told_with_the_loss() -> None:
    assert lost_sentence(ErrorCode.DISK) == (
        "The connection is lost; trying to get it back. "
        "The server cannot store anything at the moment; try again later."
    )


def test_while_nothing_can_be_sent_the_bar_offers_nothing_that_is() -> None:
    talk = on_turn()
    talk.press("4", "6")
    before = {action.name for action in hints(talk.scene)}
    assert {"play", "draw", "pass", "chat"} <= before
    talk.hears(STOPPED)
    assert {action.name for action in hints(talk.scene)} == before - {
        "play",
        "draw",
        "pass",
        "chat",
    }
    assert "4-6 is chosen for your turn." in talk.picture()
    talk.hears(LinkNews(NewsKind.BACK, "The connection is back."))
    assert {action.name for action in hints(talk.scene)} == before


# --- notices -------------------------------------------------------------------------------------


def test_the_mark_of_the_prompt_is_before_the_first_line_alone() -> None:
    said = "The connection is back; the server was started again and goes on where it was."
    rows = [text_of(row) for row in draw_said(MessageModel("", "", "", "", ">", "", said), 60, 3)]
    assert len(rows) == 2
    assert rows[0].startswith(" > The")
    assert rows[1].startswith("   goes") or rows[1].startswith("   and")


def test_what_is_told_once_goes_with_the_next_thing_that_happens() -> None:
    talk = ScreenTalk()

    def begin(conversation: Conversation) -> None:
        conversation.desk.told_once = "The key is kept."
        conversation.desk.say("The key is kept.")

    talk.controller.begin(begin)
    talk.waiting()
    assert "The key is kept." in talk.picture()
    talk.update(acted(1, 20, "06"))
    assert "The key is kept." not in talk.picture()


# --- the log -------------------------------------------------------------------------------------


def test_a_log_at_its_end_follows_what_happens() -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.scene.log.extend(f"line {number}" for number in range(100))
    talk.press("l")
    (line,) = talk.update(acted(1, 20, "06"))
    assert line in talk.picture()
    talk.press("up")
    (later,) = talk.update(acted(2, 21, "-"))
    assert later not in talk.picture()
    talk.press("end")
    (last,) = talk.update(acted(3, 22, "-"))
    assert last in talk.picture()


def test_another_text_at_its_end_stays_where_it_is() -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.scene.answer = [f"line {number}" for number in range(100)]
    talk.controller.overlays.show(Overlay.ANSWER)
    talk.press("end")
    at = talk.scene.scroll
    talk.scene.answer.append("line 100")
    talk.update(acted(1, 20, "06"))
    assert talk.scene.scroll == at


# --- the first tile ------------------------------------------------------------------------------


def test_on_an_empty_train_the_hint_tells_that_enter_plays(begun: ScreenTalk) -> None:
    begun.controller.resize(60, 12)
    assert "46 Enter plays 4-6" in begun.picture(60, 12)
    begun.passes()
    begun.press("4", "6")
    assert begun.acts() == []
    begun.press("enter")
    assert begun.acts() == ["46"]
