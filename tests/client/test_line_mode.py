"""The loop of line mode: messages, typed lines and the time, brought together and ended."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from passing_client.conversation import Conversation
from passing_client.line_mode import LineFace, LineMode
from passing_link.exits import ExitCode
from passing_link.news import Item, LinkNews, NewsKind
from passing_protocol.messages import (
    Act,
    Create,
    Join,
    Request,
    Tables,
    Update,
)
from passing_protocol.views import Ask, Clock, Mine, PublicView
from tests.support.client_scene import (
    TABLE,
    FakeFace,
    acted,
    after,
    ask,
    open_view,
    round_view,
    tiles,
)


class QueueLink:
    """Give what a test puts in, and keep what is sent."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[Item | None] = asyncio.Queue()
        self.sent: list[Request] = []
        self.asked = asyncio.Event()

    def send(self, message: Request) -> int:
        self.sent.append(message)
        self.asked.set()
        return len(self.sent)

    async def __aiter__(self) -> AsyncIterator[Item]:
        while (item := await self.inbox.get()) is not None:
            yield item


class QueueKeyboard:
    """Type what a test puts in; None is the end of the input, an exception is raised."""

    def __init__(self) -> None:
        self.typed: asyncio.Queue[str | BaseException | None] = asyncio.Queue()

    def printing(self) -> AbstractContextManager[object]:
        return nullcontext()

    async def lines(self) -> AsyncIterator[str]:
        while (line := await self.typed.get()) is not None:
            if isinstance(line, BaseException):
                raise line
            yield line

    def ring(self) -> None:
        pass


@dataclass
class Session:
    """Hold one running line mode and both of its ends."""

    link: QueueLink = field(default_factory=QueueLink)
    keyboard: QueueKeyboard = field(default_factory=QueueKeyboard)
    face: FakeFace = field(default_factory=FakeFace)
    to_the_end: bool = False

    def __post_init__(self) -> None:
        self.conversation = Conversation(self.link, self.face, to_the_end=self.to_the_end)
        self.mode = LineMode(self.conversation, self.link, self.keyboard)
        self.seq = 0

    def hear(self, item: Item) -> None:
        self.link.inbox.put_nowait(item)

    def type(self, *lines: str | BaseException | None) -> None:
        for line in lines:
            self.keyboard.typed.put_nowait(line)

    async def settle(self) -> None:
        """Let everything run that can run now."""
        for _ in range(20):
            await asyncio.sleep(0)

    def table(
        self, view: PublicView, question: Ask | None = None, *, re: int | None = None
    ) -> Update:
        self.seq += 1
        mine = Mine(0, tiles("02 46"))
        return Update(self.seq, TABLE, 1, [], re=re, public=view, mine=mine, ask=question)

    def sit(self, view: PublicView, question: Ask | None = None) -> None:
        self.conversation.desk.send(Join(0, TABLE))
        self.hear(self.table(view, question, re=len(self.link.sent)))


def my_turn(turn: int = 23) -> tuple[PublicView, Ask]:
    view = replace(after(round_view(), "06", "d", "00<"), turn=turn)
    return view, ask(turn, "02< 46> d -")


def actions(session: Session) -> list[str]:
    return [str(act.action.action) for act in session.link.sent if isinstance(act, Act)]


def test_a_turn_is_heard_and_answered_and_the_end_of_the_input_is_the_end() -> None:
    async def run() -> None:
        session = Session()
        session.sit(*my_turn())
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert session.face.lines[-1].startswith("Your turn. ")
        assert session.face.rings == 1
        session.type("02<")
        await session.settle()
        assert actions(session) == ["02<"]
        session.type(None)
        assert await task is ExitCode.DONE

    asyncio.run(run())


def test_typed_ahead_lines_wait_until_it_is_settled_where_one_is() -> None:
    async def run() -> None:
        session = Session()
        session.type("new kitchen", "seats", "start", None)
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert session.link.sent == [Create(0, "kitchen")]
        assert session.face.lines == []
        session.hear(session.table(open_view(2), re=1))
        assert await task is ExitCode.DONE
        assert session.face.lines[-3] == "  Dana (you), seat 1: owns the table"
        assert session.face.lines[-2] == "  seat 2, free"
        assert [type(request).__name__ for request in session.link.sent] == ["Create", "Start"]

    asyncio.run(run())


@pytest.mark.parametrize("line", ["quit", None])
@pytest.mark.parametrize("first", ["tables", "new kitchen"])
def test_a_link_that_is_lost_keeps_nobody(first: str, line: str | None) -> None:
    async def run() -> None:
        session = Session()
        session.type(first, line)
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert not task.done()
        session.hear(LinkNews(NewsKind.LOST, "The connection is lost."))
        assert await task is ExitCode.DONE
        assert session.face.lines[0] == "The connection is lost."

    asyncio.run(run())


def test_what_is_typed_after_the_link_is_lost_is_answered_at_once() -> None:
    async def run() -> None:
        session = Session()
        session.type("tables")
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        session.hear(LinkNews(NewsKind.LOST, "The connection is lost."))
        await session.settle()
        session.type("?")
        await session.settle()
        assert session.face.lines[-1].endswith("leave the server")
        session.hear(LinkNews(NewsKind.BACK, "The connection is back."))
        session.type("quit")
        await session.settle()
        assert not task.done()
        session.hear(Tables(1, 1, [], []))
        assert await task is ExitCode.DONE

    asyncio.run(run())


def test_c24_actions_typed_ahead_while_one_waits_do_not_play_in_a_later_turn() -> None:
    async def run() -> None:
        session = Session()
        view, question = my_turn()
        session.sit(view, question)
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        session.type("tables", "02<")
        session.type("join 1")
        await session.settle()
        assert actions(session) == ["02<"]
        session.type("46>", "46>")
        await session.settle()
        session.hear(session.table(*my_turn(27)))
        await session.settle()
        assert actions(session) == ["02<"]
        session.type(None)
        await task

    asyncio.run(run())


def test_an_action_typed_before_the_question_came_does_not_count() -> None:
    async def run() -> None:
        session = Session()
        session.type("new kitchen", "02<", None)
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        session.hear(session.table(*my_turn(), re=1))
        assert await task is ExitCode.DONE
        assert session.face.lines[-2:] == [
            "That was typed before this turn was shown, so it does not count.",
            "The input is at its end and nothing more can be typed, so you leave.",
        ]
        assert actions(session) == []

    asyncio.run(run())


def test_ctrl_c_is_told_apart_from_the_end_of_the_input() -> None:
    async def run() -> None:
        session = Session()
        session.type(KeyboardInterrupt())
        assert await session.mode.run() is ExitCode.INTERRUPTED

    asyncio.run(run())


def test_quit_ends_it() -> None:
    async def run() -> None:
        session = Session()
        session.type("quit")
        assert await session.mode.run() is ExitCode.DONE

    asyncio.run(run())


def test_the_end_of_the_link_ends_it() -> None:
    async def run() -> None:
        session = Session()
        session.hear(LinkNews(NewsKind.CLOSED, "The server has ended the session."))
        assert await session.mode.run() is ExitCode.UNREACHABLE
        assert session.face.lines == ["The server has ended the session."]

    asyncio.run(run())


def test_the_last_that_is_said_is_why_it_ends() -> None:
    async def run() -> None:
        session = Session()
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        session.type(None)
        session.hear(LinkNews(NewsKind.LOST, "The connection is lost."))
        assert await task is ExitCode.DONE
        (line,) = session.face.lines
        assert line.endswith("so you leave.")

    asyncio.run(run())


def test_a_watcher_without_a_keyboard_watches_on() -> None:
    async def run() -> None:
        session = Session(to_the_end=True)
        session.type(None)
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert not task.done()
        session.hear(LinkNews(NewsKind.SUPERSEDED, "This goes on elsewhere."))
        assert await task is ExitCode.REFUSED

    asyncio.run(run())


def test_what_goes_wrong_inside_is_not_swallowed() -> None:
    async def run() -> None:
        session = Session()
        session.type(OSError("the keyboard is gone"))
        with pytest.raises(OSError, match="the keyboard is gone"):
            await session.mode.run()

    asyncio.run(run())


class Timer:
    """Stand for a call that is planned; a test lets the time come."""

    def __init__(self, delay: float, call: Callable[[int, int], None], turn: int, s: int) -> None:
        self.delay = delay
        self.cancelled = False
        self._call, self._turn, self._seconds = call, turn, s

    def come(self) -> None:
        self._call(self._turn, self._seconds)

    def cancel(self) -> None:
        self.cancelled = True


def planned(monkeypatch: pytest.MonkeyPatch) -> list[Timer]:
    """Return the list of what the running loop is asked to call later."""
    timers: list[Timer] = []

    def call_later(
        delay: float, call: Callable[[int, int], None], turn: int, seconds: int
    ) -> Timer:
        timers.append(Timer(delay, call, turn, seconds))
        return timers[-1]

    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", call_later)
    return timers


def test_the_time_is_told_at_30_10_and_5_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        session = Session()
        timers = planned(monkeypatch)
        view, _ = my_turn()
        session.sit(view, ask(23, "02< d -", clock=Clock(30_000, 20_000)))
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert [timer.delay for timer in timers] == [20, 40, 45]
        session.face.lines.clear()
        for timer in timers:
            timer.come()
        assert session.face.lines == ["30 seconds left.", "10 seconds left.", "5 seconds left."]
        session.type(None)
        await task

    asyncio.run(run())


def test_marks_that_are_past_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        session = Session()
        timers = planned(monkeypatch)
        view, _ = my_turn()
        session.sit(view, ask(23, "02< d -", clock=Clock(8_000, 0)))
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert [timer.delay for timer in timers] == [3]
        session.type(None)
        await task
        assert all(timer.cancelled for timer in timers)

    asyncio.run(run())


def test_a_turn_that_is_over_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        session = Session()
        timers = planned(monkeypatch)
        view, _ = my_turn()
        session.sit(view, ask(23, "02< d -", clock=Clock(30_000, 0)))
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert len(timers) == 2
        session.hear(Update(9, TABLE, 2, [acted(0, 23, "-", timed_out=True)]))
        await session.settle()
        assert all(timer.cancelled for timer in timers)
        session.hear(session.table(*my_turn(27)))
        await session.settle()
        assert len(timers) == 2
        session.face.lines.clear()
        timers[0].come()
        assert session.face.lines == []
        session.type(None)
        await task

    asyncio.run(run())


def test_the_lobby_keeps_lines_waiting_and_no_longer() -> None:
    async def run() -> None:
        session = Session()
        session.type("tables", "?")
        task = asyncio.create_task(session.mode.run())
        await session.settle()
        assert session.face.lines == []
        session.hear(Tables(1, 1, [], []))
        await session.settle()
        assert session.face.lines[0] == "There is no table yet."
        assert any(line.startswith("  n new NAME") for line in session.face.lines)
        session.type(None)
        await task

    asyncio.run(run())


def test_lines_are_printed_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    rings: list[str] = []
    face = LineFace(lambda: rings.append("ring"))
    face.say("Your turn.")
    assert capsys.readouterr().out == "Your turn.\n"
    face.ring()
    assert rings == ["ring"]


class Terminal(io.StringIO):
    """A terminal as far as it says that it is one."""

    def isatty(self) -> bool:
        return True


def test_lines_are_broken_between_words_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "__stdout__", Terminal())
    monkeypatch.setenv("COLUMNS", "30")
    line = "  Your hand, 6 tiles, 43 pips: 0-6, 1-2, 2-3, 2-5, 5-5, 6-6."
    LineFace(lambda: None).say(line)
    shown = capsys.readouterr().out.splitlines()
    assert all(len(part) <= 30 and part.startswith("  ") for part in shown)
    assert [word for part in shown for word in part.split()] == line.split()


def test_a_line_stays_one_line_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    line = "word " * 60
    LineFace(lambda: None).say(line)
    assert capsys.readouterr().out == f"{line}\n"
