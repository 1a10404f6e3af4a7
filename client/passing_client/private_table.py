"""A table of one's own, here and now: a server and engines of ours that end with us."""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from passing_client.conversation import Conversation
from passing_client.settings import Settings
from passing_client.visiting import GREETING, connect, converse, own_name
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError
from passing_link.processes import Child, GuardedServer, start_engine
from passing_link.signals import ended_by_signals
from passing_protocol.messages import Create, Invite, Lobby, Tables, Update
from passing_protocol.names import name_key
from passing_protocol.views import GameOptions, TableOptions

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
    """Hold what a private table is to be; `sit` tells whether the person plays, at seat 0."""

    engines: tuple[str, ...]
    game: GameOptions
    sit: bool
    seed: int | None = None

    @property
    def first_seat(self) -> int:
        """Return the seat of the first engine."""
        return 1 if self.sit else 0


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
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        state = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="passing-")))
        server = stack.enter_context(GuardedServer(state / "server"))
        engines = [
            stack.enter_context(
                start_engine(spec, server.connection_path, state, ["--name", name], f"-{name}")
            )
            for spec, name in zip(plan.engines, names, strict=True)
        ]
        organiser = _Organiser(plan, settings, person, names, server, engines)
        return asyncio.run(organiser.run())


@dataclass(frozen=True, slots=True)
class _Organiser:
    """Bring the person and the engines to one table of our server."""

    plan: Plan
    settings: Settings
    person: str
    names: Sequence[str]
    server: GuardedServer
    engines: Sequence[Child]

    async def run(self) -> ExitCode:
        """Be at the table until the end, and see to the server meanwhile; raises CommandFailed."""
        playing = asyncio.ensure_future(self._play())
        try:
            while not (await asyncio.wait({playing}, timeout=_GUARD_S))[0]:
                self.server.look()
            return playing.result()
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    async def _play(self) -> ExitCode:
        """Fill the table and run the conversation there; raises CommandFailed."""
        address = Address.parse(self.server.connection.address)
        token = self.server.connection.tokens["organiser"]
        async with await connect(address, self.person, token) as connection:
            try:
                made = await self._make(connection)
            except LinkError as error:
                sentence = f"The private table could not be made: {error}"
                raise CommandFailed(ExitCode.UNEXPECTED, sentence) from error
            return await self._converse(connection, made)

    async def _converse(self, connection: AsyncConnection, made: Update) -> ExitCode:
        def begin(conversation: Conversation) -> None:
            if self.plan.sit:
                conversation.desk.say(f"A private table. {GREETING}")
            conversation.take_place(made)

        watching = not self.plan.sit
        return await converse(connection, self.settings, begin, private=True, to_the_end=watching)

    async def _make(self, connection: AsyncConnection) -> Update:
        """Make the table, invite each engine to its seat, and return the first view of it."""
        await self._engines_waiting(connection)
        seed = self.plan.seed
        pace_ms = self.settings.pace if self.plan.sit else 0
        made = await connection.request(
            Create(
                0,
                "Private table",
                self.plan.game,
                TableOptions(turn_ms=0, pace_ms=pace_ms),
                self.plan.sit,
                None if seed is None else seed_text(seed),
            )
        )
        if not isinstance(made, Update):
            raise CommandFailed(ExitCode.UNEXPECTED, "The server did not show the new table.")
        for seat, name in enumerate(self.names, self.plan.first_seat):
            await connection.request(Invite(0, made.table, name, seat))
        return made

    async def _engines_waiting(self, connection: AsyncConnection) -> None:
        """Wait until every engine waits at the server; raises CommandFailed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while not await self._all_wait(connection):
                    self._check_engines()
                    await asyncio.sleep(_LOOK_S)
                return
        raise CommandFailed(ExitCode.UNEXPECTED, f"The engines did not come within {WAIT_S:g} s.")

    async def _all_wait(self, connection: AsyncConnection) -> bool:
        answer = await connection.request(Lobby(0))
        waiting = {e.name for e in answer.engines} if isinstance(answer, Tables) else set[str]()
        return waiting.issuperset(self.names)

    def _check_engines(self) -> None:
        for spec, engine in zip(self.plan.engines, self.engines, strict=True):
            if engine.exit_code is not None:
                usage = engine.exit_code == ExitCode.USAGE
                code = ExitCode.USAGE if usage else ExitCode.UNEXPECTED
                said = engine.last_words().removeprefix("passing: ")
                raise CommandFailed(code, f"The engine {spec} did not start: {said}")
