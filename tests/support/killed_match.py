"""One match of real processes whose server is killed again and again, and what came of it.

A person at a line-mode client plays by what it prints, two engines in processes of their own play
against it, and an organiser, who has made the table with a seed, watches every event.
"""

import os
import queue
import random
import re
import signal
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeGuard

from passing_link.blocking import Connection
from passing_link.processes import Child, ServerProcess, start_engine, start_server
from passing_protocol.events import MatchEnded, RoundBegan
from passing_protocol.messages import Create, Invite, Lobby, Tables, Update, UpdateOf
from passing_protocol.views import Acted, GameOptions, TableOptions
from passing_rules import ActionRecord, Draw, Pass
from passing_server.sqlite_store import SqliteStore
from passing_table import read_row
from passing_table.rows import KeptAction, KeptDeal, KeptRow
from tests.support.hall import await_engines, open_as_organiser
from tests.support.line_client import PATIENCE_S, LineClient, answer

ENGINES: Final = ("greedy", "careful")
SEED: Final = "4b" * 16
QUIET_S: Final = 0.2
"""After a restart a question is answered when nothing more has come for so long: what was on its
way then has its effect."""

_TOLD: Final = re.compile(r"You (?:lead|play|draw|pass)\b[^.]*")

Place = tuple[int, int]
"""Where an action is in a match: the round, and how many came before it there."""


@dataclass
class Outcome:
    """Hold what a match has left behind, and how the server came back each time."""

    log: list[KeptRow]
    scores: list[int]
    seen: dict[Place, Acted]
    lines: list[str]
    starts_s: list[float] = field(default_factory=list[float])
    back_s: list[float] = field(default_factory=list[float])


class Person:
    """Play at a line-mode client until the match is over, whatever happens to the server."""

    def __init__(self, client: LineClient) -> None:
        self._client = client
        self._unsettled = False
        self._question: str | None = None

    def play(self) -> None:
        while True:
            try:
                line = self._client.next_line(QUIET_S if self._unsettled else PATIENCE_S)
            except queue.Empty:
                assert self._unsettled, "\n".join(self._client.lines[-30:])
                self._settle()
                continue
            assert line is not None, "\n".join(self._client.lines[-30:])
            if line.startswith("The match is over"):
                return
            self._hear(line)

    def _hear(self, line: str) -> None:
        if " is lost; " in line or "was not sent" in line or "was started again" in line:
            self._unsettled = True
            self._question = None
        elif line.startswith("Your turn. "):
            self._question = line
            if not self._unsettled:
                self._settle()
        elif line.startswith(("You play", "You draw", "You pass", "The next round begins")):
            self._question = None
        if line.startswith("The next round begins"):
            self._client.type("")

    def _settle(self) -> None:
        self._unsettled = False
        question, self._question = self._question, None
        if question is not None:
            answer(self._client, question)


class Watch:
    """Follow a table as its organiser; every action is noted at its place, and never another."""

    def __init__(self, connection: Connection, table: str) -> None:
        self._connection = connection
        self._table = table
        self._round = 0
        self._count = 0
        self.seen: dict[Place, Acted] = {}
        self.ended: MatchEnded | None = None
        self.heard_at = time.monotonic()

    def hear(self, timeout_s: float) -> None:
        item = self._connection.receive(timeout_s)
        if not isinstance(item, UpdateOf) or item.table != self._table:
            return
        self.heard_at = time.monotonic()
        for event in item.events:
            self._happened(event)
        if item.public is not None and item.public.round:
            self._round, self._count = item.public.round, len(item.public.actions)
            for number, acted in enumerate(item.public.actions):
                self._note(number, acted)

    def _happened(self, event: object) -> None:
        match event:
            case RoundBegan(round=number):
                self._round, self._count = number, 0
            case Acted():
                self._note(self._count, event)
                self._count += 1
            case MatchEnded():
                self.ended = event
            case _:
                pass

    def _note(self, number: int, acted: Acted) -> None:
        before = self.seen.setdefault((self._round, number), acted)
        assert before == acted, f"{self._round}/{number}: {before}, and then {acted}"


@contextmanager
def seated(folder: Path, server: ServerProcess, target: int) -> Generator[tuple[LineClient, Watch]]:
    """Bring the person and the engines to a table, ready to begin."""
    with ExitStack() as stack:
        for name in ENGINES:
            stack.enter_context(engine_at(server, folder, name))
        organiser = stack.enter_context(open_as_organiser(server.connection_path))
        await_engines(organiser, ENGINES)
        game = GameOptions(seats=3, target=target)
        options = TableOptions(turn_ms=0, pace_ms=0)
        made = organiser.request(Create(0, "kitchen", game, options, sit=False, seed=SEED))
        assert isinstance(made, Update)
        for seat, name in enumerate(ENGINES, 1):
            organiser.request(Invite(0, made.table, name, seat))
        words = ("play", server.connection.address, "--plain", "--name", "Dana")
        client = stack.enter_context(LineClient(*words))
        client.until("kitchen")
        client.type("join kitchen")
        client.until("You are Dana, seat 1 of 3.")
        yield client, Watch(organiser, made.table)


def engine_at(server: ServerProcess, folder: Path, name: str) -> Child:
    return start_engine(name, server.connection_path, folder, ["--name", name])


def waiting_engines(organiser: Connection) -> list[str]:
    tables = organiser.request(Lobby(0))
    assert isinstance(tables, Tables)
    return [engine.name for engine in tables.engines]


def play_match(folder: Path, *, target: int, kills: int = 0, seed: int = 0) -> Outcome:
    """Play a match to its end; the server is killed so many times on the way."""
    chance = random.Random(seed)
    state = folder / "server"
    server = start_server(state)
    starts: list[float] = []
    back: list[float] = []
    try:
        with (
            seated(folder, server, target) as (client, watch),
            ThreadPoolExecutor(1) as pool,
        ):
            client.type("start")
            playing = pool.submit(Person(client).play)
            for _ in range(kills):
                _watch_for(watch, playing, chance.uniform(0.02, 0.3))
                if watch.ended is not None:
                    break
                server, started_s, back_s = _killed(server, state, watch)
                starts.append(started_s)
                back.append(back_s)
            while watch.ended is None:
                _watch_for(watch, playing, 0.1)
            playing.result(PATIENCE_S)
            lines = client.lines
    finally:
        server.stop()
    return Outcome(log_of(state), watch.ended.scores, watch.seen, lines, starts, back)


def _watch_for(watch: Watch, playing: "Future[None]", seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and watch.ended is None:
        watch.hear(left)
        if playing.done():
            playing.result()


def _killed(server: ServerProcess, state: Path, watch: Watch) -> tuple[ServerProcess, float, float]:
    """Kill the server and start it again; returns how long that and the way back took."""
    port = server.connection.address.rpartition(":")[2]
    os.kill(server.pid, signal.SIGKILL)
    server.wait(PATIENCE_S)
    server.stop(0)
    began = time.monotonic()
    again = start_server(state, ["--port", port])
    listening = time.monotonic()
    while watch.heard_at < listening:
        watch.hear(0.05)
        assert time.monotonic() < listening + PATIENCE_S
    return again, listening - began, watch.heard_at - listening


def log_of(state: Path) -> list[KeptRow]:
    """Return the rows of the one match in a folder, from the store itself."""
    store = SqliteStore(state)
    try:
        (rows,) = store.load().logs.values()
        return [read_row(row) for row in rows]
    finally:
        store.close()


def verify_same(broken: Outcome, whole: Outcome) -> None:
    """The match that was interrupted is the one that was not: every tile, action and score.

    And what anybody was told of it is in it: nothing that was told is lost, nothing counts twice.
    """
    assert broken.log == whole.log
    assert broken.scores == whole.scores
    did = actions_by_place(broken.log)
    assert broken.seen.keys() <= did.keys()
    for place, acted in broken.seen.items():
        assert (acted.seat, acted.turn) == (did[place].seat, did[place].turn)
        assert acted.action.action == did[place].record.action
    verify_told(broken)


def actions_by_place(log: list[KeptRow]) -> dict[Place, KeptAction]:
    found: dict[Place, KeptAction] = {}
    round_, count = 0, 0
    for row in log:
        if isinstance(row, KeptDeal):
            round_, count = row.round, 0
        elif isinstance(row, KeptAction):
            found[round_, count] = row
            count += 1
    return found


def verify_told(outcome: Outcome) -> None:
    """What the person was told of its own actions is what it did, in order; some may be missing."""
    did = iter([text_of(row.record) for row in outcome.log if own(row)])
    told = [found[0] for line in outcome.lines if (found := _TOLD.match(line))]
    for line in told:
        assert any(line.startswith(text) for text in did), f"{line!r} was told and is not stored"


def own(row: KeptRow) -> TypeGuard[KeptAction]:
    return isinstance(row, KeptAction) and row.seat == 0


def text_of(record: ActionRecord) -> str:
    """Return how the client begins to tell the person of its own action."""
    match record.action:
        case Draw():
            return "You draw"
        case Pass():
            return "You pass"
        case play:
            return f"You {'lead' if play.end is None else 'play'} {play.tile.low}-{play.tile.high}"
