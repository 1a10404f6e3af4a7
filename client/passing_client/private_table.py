"""A table of one's own, here and now: a server and engines of ours that end with us."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from passing_client.conversation import Conversation
from passing_client.going import Stay, go
from passing_client.keyboard import is_full_terminal
from passing_client.language import _, plural
from passing_client.scratch import scratch_folder
from passing_client.settings import Settings
from passing_client.visiting import connect, greeting, own_name
from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError, LinkNews
from passing_link.processes import Child, Guarded, GuardedServer, start_engine
from passing_protocol.messages import Create, Invite, Lobby, Tables, Update
from passing_protocol.names import name_key
from passing_protocol.views import GameOptions, TableOptions

if TYPE_CHECKING:
    from passing_link.aio import AsyncConnection

ENGINES: Final = ("careful", "greedy", "random")
"""Who plays where nobody was chosen, in this order and over again."""

NAMES: Final = ("Bo", "Caro", "Emil", "Ann", "Ida")
"""What our engines are called, in the order of their seats; one more than can sit down."""

WAIT_S: Final = 20.0
"""How long engines may take until they wait at the server."""

_LOOK_S: Final = 0.05
_GUARD_S: Final = 0.25


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold what a private table is to be; `sit` tells whether the person plays, at seat 0.

    `paced` tells that a pace was asked for, so that it counts where nobody looks too.
    """

    engines: tuple[str, ...]
    game: GameOptions
    sit: bool
    seed: int | None = None
    paced: bool = False

    @property
    def first_seat(self) -> int:
        """Return the seat of the first engine."""
        return 1 if self.sit else 0

    def is_seen(self, settings: Settings) -> bool:
        """Tell whether a person follows each action, or wants it to be as if one did."""
        return self.sit or self.paced or (not settings.plain and is_full_terminal())


def engines_for(number: int, chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the engines for so many seats: the chosen ones, over again where they are fewer.

    >>> engines_for(3, ["greedy"]), engines_for(4, [])
    (('greedy', 'greedy', 'greedy'), ('careful', 'greedy', 'random', 'careful'))
    """
    return tuple(islice(cycle(chosen or ENGINES), number))


def names_for(number: int, person: str) -> list[str]:
    """Return the names of so many engines, none that reads like the person's own."""
    free = [name for name in NAMES if name_key(name) != name_key(person)]
    return free[:number]


def seed_text(seed: int) -> str:
    """Return a seed as the 32 hex digits of its 16 bytes, the highest first."""
    return f"{seed:032x}"


def run_private(plan: Plan, settings: Settings) -> ExitCode:
    """Make a private table, be there until the end, and leave nothing behind."""
    person = own_name(settings)
    names = names_for(len(plan.engines), person)
    table = TableOptions(
        turn_ms=0,
        pace_ms=settings.pace if plan.is_seen(settings) else 0,
        absent="engine",
        memory=True if settings.memory else None,
        deal="fair" if plan.sit and plan.seed is None else None,
    )
    return go(PrivateTable(plan, table, person, names), settings)


class _Household:
    """Hold the server and the engines of ours, and the folder where they keep what is theirs.

    They are started in a thread: an event loop goes on meanwhile, and modules are imported.
    """

    server: GuardedServer
    engines: list[Guarded]

    def __init__(self) -> None:
        """Start nothing yet."""
        self._stack = ExitStack()
        self._thread = ThreadPoolExecutor(1)
        self._starting: Future[None] | None = None

    def begin(self, specs: Sequence[str], names: Sequence[str]) -> None:
        """Begin to start everything."""
        self._starting = self._thread.submit(self._start, specs, names)

    async def started(self) -> None:
        """Wait until the server listens and every engine is started; raises CommandFailed."""
        if self._starting is not None:
            await asyncio.wrap_future(self._starting)

    def _start(self, specs: Sequence[str], names: Sequence[str]) -> None:
        enter = self._stack.enter_context
        state = enter(scratch_folder())
        self.server = enter(GuardedServer(state / "server"))
        path = self.server.connection_path
        self.engines = [
            enter(_guarded_engine(spec, name, path, state))
            for spec, name in zip(specs, names, strict=True)
        ]

    def look(self, *, engines: bool) -> None:
        """Start again what has ended; raises CommandFailed where the server ends too often.

        An engine that does is left away: the server passes for it, or fills its seat.
        """
        self.server.look()
        for engine in self.engines if engines else ():
            with suppress(CommandFailed):
                engine.look()

    def end(self) -> None:
        """End all that was started, and remove the folder."""
        self._thread.shutdown()  # nothing is left out that is being started now
        self._stack.close()


def _guarded_engine(spec: str, name: str, connection: Path, state: Path) -> Guarded:
    """Start an engine that is started again when it dies, under the same name."""

    def start() -> Child:
        """Start the engine, anew where it has died."""
        return start_engine(spec, connection, state, ["--name", name], f"-{name}")

    return Guarded(start(), start, name)


@dataclass(slots=True)
class PrivateTable:
    """Bring the person and the engines to one table of our server."""

    plan: Plan
    options: TableOptions
    person: str
    names: Sequence[str]
    private: bool = True
    wanted: str | None = None
    _household: _Household = field(default_factory=_Household)
    _is_made: bool = False

    @property
    def to_the_end(self) -> bool:
        """Tell whether one only watches."""
        return not self.plan.sit

    @property
    def server(self) -> str:
        """Return what there is of a server that is nobody else's."""
        return _("Private table")

    @property
    def starting(self) -> str:
        """Return how many engines are waited for."""
        number = len(self.plan.engines)
        return plural(
            "Starting {number} engine ...", "Starting {number} engines ...", number
        ).format(number=number)

    def begin(self) -> None:
        """Begin to start the server and the engines."""
        self._household.begin(self.plan.engines, self.names)

    def end(self) -> None:
        """End the server and the engines."""
        self._household.end()

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Be at the table once everything is started; raises CommandFailed."""
        await self._household.started()
        return await self._guarded(self._play(stay, report))

    async def _guarded(self, play: Coroutine[None, None, ExitCode]) -> ExitCode:
        """See to the server, and to engines at the table, while there is play.

        Raises CommandFailed.
        """
        playing = asyncio.ensure_future(play)
        try:
            while not (await asyncio.wait({playing}, timeout=_GUARD_S))[0]:
                self._household.look(engines=self._is_made)
            return playing.result()
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    async def _play(self, stay: Stay, report: Callable[[LinkNews], None]) -> ExitCode:
        """Fill the table and stay there; raises CommandFailed."""
        found = self._household.server.connection
        address = Address.parse(found.address)
        token = found.tokens["organiser"]
        async with await connect(
            address, self.person, token, security=found.security, report=report
        ) as connection:
            try:
                made = await self._make(connection)
            except LinkError as error:
                text = _("The private table could not be made: {error}")
                sentence = text.format(error=error)
                raise CommandFailed(ExitCode.UNEXPECTED, sentence) from error

            self._is_made = True

            def begin(conversation: Conversation) -> None:
                """Greet the person and put them at the table."""
                if self.plan.sit:
                    private = _("A private table.")
                    conversation.desk.say(f"{private} {greeting()}")
                conversation.take_place(made)

            return await stay(connection, begin)

    async def _make(self, connection: "AsyncConnection") -> Update:
        """Make the table, invite each engine to its seat, and return the first view of it."""
        await self._engines_waiting(connection)
        seed = self.plan.seed
        made = await connection.request(
            Create(
                0,
                _("Private table"),
                self.plan.game,
                self.options,
                self.plan.sit,
                None if seed is None else seed_text(seed),
            )
        )
        if not isinstance(made, Update):
            told = _("The server did not show the new table.")
            raise CommandFailed(ExitCode.UNEXPECTED, told)
        for seat, name in enumerate(self.names, self.plan.first_seat):
            await connection.request(Invite(0, made.table, name, seat))
        return made

    async def _engines_waiting(self, connection: "AsyncConnection") -> None:
        """Wait until every engine waits at the server; raises CommandFailed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while not await self._all_wait(connection):
                    self._check_engines()
                    await asyncio.sleep(_LOOK_S)
                return
        told = _("The engines did not come within {seconds} s.").format(seconds=f"{WAIT_S:g}")
        raise CommandFailed(ExitCode.UNEXPECTED, told)

    async def _all_wait(self, connection: "AsyncConnection") -> bool:
        answer = await connection.request(Lobby(0))
        waiting = {e.name for e in answer.engines} if isinstance(answer, Tables) else set[str]()
        return waiting.issuperset(self.names)

    def _check_engines(self) -> None:
        for spec, engine in zip(self.plan.engines, self._household.engines, strict=True):
            exit_code = engine.child.exit_code
            if exit_code is not None:
                usage = exit_code == ExitCode.USAGE
                code = ExitCode.USAGE if usage else ExitCode.UNEXPECTED
                said = engine.child.last_words().removeprefix("passing: ")
                text = _("The engine {engine} did not start: {reason}")
                raise CommandFailed(code, text.format(engine=spec, reason=said))
