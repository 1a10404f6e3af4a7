"""Where to play for one who has not said it: a server that is found, or a table of one's own."""

import asyncio
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from passing_client import keyboard
from passing_client.entry import code_given, place_named
from passing_client.going import Stay
from passing_client.joined_servers import Acquaintance
from passing_client.language import _
from passing_client.server_board import ServerBoard
from passing_client.settings import Settings
from passing_client.visiting import visit
from passing_client.words.links import bad_address_sentence, bad_code_sentence
from passing_client.words.servers import nothing_found, place_of, server_line, servers_heading
from passing_link.address import DEFAULT_PORT, Address, InvalidAddress
from passing_link.exits import CommandFailed, ExitCode
from passing_link.fitting import fitted
from passing_link.news import LinkNews
from passing_protocol.join_codes import InvalidCode, Invitation, JoinCode
from passing_protocol.names import DETAIL_CHARS, clean_chat

if TYPE_CHECKING:
    from passing_link.finding import Target

PORTS: Final = (DEFAULT_PORT,)

_ELSEWHERE: Final = (ExitCode.UNREACHABLE, ExitCode.REFUSED)
"""How a visit ends that may go better at another server."""

_NAME: Final = re.compile(r"\w([\w.-]*\w)?\.?")
"""How the name or the IPv4 number of a machine looks."""


def visit_or_seek(
    arguments: Namespace, settings: Settings, *, wanted: str | None = None
) -> ExitCode:
    """Go to the server that was named, else to one that the person chooses of those found.

    `wanted` is the table to watch there. In line mode a person whose choice does not let them in
    chooses again. Where nobody can be asked it is the one server that lets them in as far as is
    known. Raises CommandFailed.
    """
    arguments.host = arguments.host or settings.server
    if arguments.host is not None:
        return visit(arguments, settings, wanted=wanted)
    while True:
        board = asyncio.run(_choose(arguments, settings, watches=wanted is not None))
        if board.private:
            return _play_privately(arguments, settings, watches=wanted is not None)
        if board.choice is None:
            return ExitCode.DONE
        there = Namespace(**{**vars(arguments), "host": str(board.choice)})
        try:
            return visit(there, settings, wanted=wanted, others=board.others)
        except CommandFailed as failed:
            again = keyboard.is_terminal() and _in_lines(settings)
            if failed.code not in _ELSEWHERE or not again:
                raise
            _say(clean_chat(failed.sentence, DETAIL_CHARS))


def _in_lines(settings: Settings) -> bool:
    """Tell whether the list of servers is one of line mode."""
    return settings.plain or not keyboard.is_full_terminal()


def _play_privately(arguments: Namespace, settings: Settings, *, watches: bool) -> ExitCode:
    """Make a table for four, where engines have all the other seats."""
    from passing_client.private_table import Plan, engines_for, run_private
    from passing_protocol.views import GameOptions

    engines = engines_for(4 if watches else 3, [])
    paced = arguments.pace is not None
    return run_private(Plan(engines, GameOptions(), not watches, paced=paced), settings)


async def _choose(arguments: Namespace, settings: Settings, *, watches: bool) -> ServerBoard:
    """Let the person choose where to go; raises CommandFailed where that cannot be known."""
    from passing_client.joined import joined_servers

    board = ServerBoard(joined=joined_servers(settings.profile))
    if not keyboard.is_terminal():
        from passing_link.finding import find

        board.take(find(PORTS))
        board.choice = _the_one(board, arguments.code)
        if board.choice is None:
            raise _nobody_to_ask(board, "watch" if watches else "play")
        return board
    if _in_lines(settings):
        await _choose_in_lines(board, keyboard.here())
        return board
    from passing_client.screen.full_screen import FullScreen
    from passing_link.finding import everybody

    code = await FullScreen(Seeking(board, lambda: everybody(PORTS)), settings, board=board).run()
    if code is not ExitCode.DONE:
        raise CommandFailed(code, _("Nothing was chosen."))
    return board


def _the_one(board: ServerBoard, given: str | None) -> Address | None:
    """Return where the code that is given lets one in, else where one has joined, if that is one.

    Raises CommandFailed for what is no code.
    """
    try:
        code = code_given(given)
    except InvalidCode as error:
        raise CommandFailed(ExitCode.USAGE, bad_code_sentence(error)) from error
    places = [
        each.address
        for each in board.found
        if (
            board.joined.acquaintance(each) is Acquaintance.JOINED
            if code is None
            else _is_for(code, each.answer.key)
        )
    ]
    return places[0] if len(places) == 1 else None


def _is_for(code: JoinCode | Invitation, key: str | None) -> bool:
    """Tell whether a code was made for the server of a key."""
    from passing_link.keys import key_bytes

    if key is None:
        return False
    own = key_bytes(key)
    return own == code.server_key if isinstance(code, Invitation) else code.fits(own)


def _nobody_to_ask(board: ServerBoard, command: str) -> CommandFailed:
    """Return why it ends where no terminal is: it is not known where to go."""
    if not board.found:
        return CommandFailed(ExitCode.UNREACHABLE, " ".join(nothing_found(PORTS)))
    text = _("Say which, as in `passing {command} {place}`.")
    told = " ".join(server_line(each, board.joined) for each in board.found)
    said = text.format(command=command, place=place_of(board.found[0].address))
    return CommandFailed(ExitCode.USAGE, f"{told} {said}")


@dataclass(frozen=True, slots=True)
class Seeking:
    """Look for servers at the full screen until the person has chosen.

    `targets` tells where to ask, each time.
    """

    board: ServerBoard
    targets: "Callable[[], Sequence[Target]]"
    private: bool = False
    to_the_end: bool = False
    wanted: str | None = None
    server: str = ""

    @property
    def starting(self) -> str:
        """Return what is waited for."""
        return _("Looking for servers on this network ...")

    def begin(self) -> None:
        """Begin nothing."""

    def end(self) -> None:
        """End nothing."""

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Look until this is cancelled."""
        from passing_client.looking_around import keep_looking

        await keep_looking(self.board, self.targets)
        return ExitCode.DONE


# --- line mode ---------------------------------------------------------------------------------


async def _choose_in_lines(board: ServerBoard, keys: keyboard.Keyboard) -> None:
    """Show a numbered list, and read what is typed until it says where to go."""
    _say(_("Looking for servers on this network ..."))
    await _look(board)
    async for line in keys.lines():
        if await _is_answer(board, line.strip()):
            return


async def _look(board: ServerBoard) -> None:
    """Look once, and say what was found and what can be typed."""
    from passing_link.finding import find

    board.take(await asyncio.to_thread(find, PORTS))
    if board.found:
        _say(servers_heading(len(board.found)))
        for number, server in enumerate(board.found, 1):
            _say(f"  {number}  {server_line(server, board.joined)}")
    else:
        for told in nothing_found(PORTS):
            _say(told)
    _say(_what_to_type())


def _what_to_type() -> str:
    """Return what says where to go."""
    return _(
        "Type the number of a server, or the address of another, HOST or HOST:PORT, or its "
        "link; p for a private table with engines, r to look again, q to leave."
    )


async def _is_answer(board: ServerBoard, text: str) -> bool:
    """Take what was typed, and tell whether it says where to go."""
    match text.casefold():
        case "q" | "quit":
            return True
        case "p":
            board.private = True
            return True
        case "" | "r":
            await _look(board)
            return False
        case "?" | "h" | "help":
            _say(_what_to_type())
            return False
        case _:
            return _names_server(board, text)


def _names_server(board: ServerBoard, text: str) -> bool:
    """Take a number of the list or an address, and tell whether it is one."""
    numbered = {str(number): server for number, server in enumerate(board.found, 1)}
    if text.isdecimal() and text not in numbered:
        _say(_("There is no server {number} in the list.").format(number=text))
        return False
    try:
        chosen = numbered[text].address if text in numbered else place_named(text)
    except InvalidAddress as error:
        _say(bad_address_sentence(error))
        return False
    except InvalidCode as error:
        _say(bad_code_sentence(error))
        return False
    if ":" not in chosen.host and not _NAME.fullmatch(chosen.host):
        told = _("{word} is no number of the list and no address; type ? for what can be typed.")
        _say(told.format(word=repr(text[:24])))
        return False
    board.choice = chosen
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{fitted(line, sys.stdout)}\n")
    sys.stdout.flush()
