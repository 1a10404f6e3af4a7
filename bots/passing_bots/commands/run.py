"""`passing bot run`: connect an engine to a server and let it play."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from passing_bots.server import Server
    from passing_link.address import Address
    from passing_link.news import LinkError
    from passing_link.processes import Child
    from passing_protocol.messages import Agent, Welcome

HELP = "connect an engine to a server and let it wait for invitations"
EXAMPLES = """\
  passing bot run greedy 192.168.1.20 --code 2Q7KD-8XNPT-4M0VB-H3ZCE
  passing bot run my_module:MyBot --connection ~/.local/state/passing-game/server/server.json
"""

MOST_TABLES = 4096
MOST_PROCESSES = 64


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument(
        "spec", metavar="SPEC", help="a name from `passing bot list`, or module:Class"
    )
    parser.add_argument(
        "address", metavar="HOST[:PORT]", nargs="?", help="the server; else the connection file's"
    )
    parser.add_argument("--connection", metavar="FILE", help="the server's connection file")
    parser.add_argument("--name", help="the engine's name in the lobby (SPEC's own)")
    parser.add_argument(
        "--tables", type=_count(MOST_TABLES), default=1, help="tables at once, each process (1)"
    )
    parser.add_argument(
        "--code", help="a join code for engines, or a link; needed once (else PASSING_CODE)"
    )
    parser.add_argument(
        "--as",
        dest="profile",
        metavar="PROFILE",
        help="whose key to join with, where several engines play (bot)",
    )
    parser.add_argument(
        "--processes", type=_count(MOST_PROCESSES), default=1, help="processes to run (1)"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="give up the seat after a mistake of the engine's, instead of passing",
    )
    parser.add_argument("--end-with-parent", action="store_true", help=SUPPRESS)


def run(arguments: Namespace) -> int:
    """Play until told to stop: SIGTERM, SIGINT or, with --end-with-parent, a closed stdin."""
    import signal
    import sys

    from passing_bots.catalogue import UnknownEngine, find
    from passing_bots.playing import play
    from passing_link.news import CannotReach, LinkEnded, LinkError, NewsKind
    from passing_link.processes import ParentWatch

    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(ExitCode.DONE))
    if arguments.end_with_parent:
        ParentWatch().start()
    try:
        make = find(arguments.spec)
        server = _server(arguments)
        with ExitStack() as children:
            for _ in range(1, arguments.processes):
                children.enter_context(_another(arguments, server))
            play(
                make,
                server,
                name=_name(arguments),
                tables=arguments.tables,
                agent=_agent(arguments.spec),
                strict=arguments.strict,
                welcomed=None if arguments.end_with_parent else _say_waiting,
            )
    except UnknownEngine as error:
        raise CommandFailed(ExitCode.USAGE, f"{error}.") from None
    except CannotReach as error:
        raise CommandFailed(ExitCode.UNREACHABLE, str(error)) from None
    except LinkEnded as error:
        closed = error.news.kind is NewsKind.CLOSED
        code = ExitCode.UNREACHABLE if closed else ExitCode.REFUSED
        raise CommandFailed(code, str(error)) from None
    except LinkError as error:
        raise CommandFailed(ExitCode.REFUSED, _why_refused(error, arguments)) from None
    return ExitCode.DONE


def _why_refused(error: "LinkError", arguments: Namespace) -> str:
    """Return why the server does not let the engine in.

    A code that was given and taken would have made its key known, so it was not taken.
    """
    import os

    from passing_link.denials import CodeNotTaken, NotAdmitted
    from passing_link.environment import CODE_VARIABLE

    gave_code = arguments.code or os.environ.get(CODE_VARIABLE)
    if isinstance(error, NotAdmitted) and gave_code and arguments.connection is None:
        return str(CodeNotTaken(error.place))
    return str(error)


def _server(arguments: Namespace) -> "Server":
    """Find the server; raises LinkError and CommandFailed."""
    from passing_bots.server import NoBotToken, Server
    from passing_link.address import InvalidAddress
    from passing_link.connection_file import InvalidConnectionFile
    from passing_link.environment import InvalidEnvironment
    from passing_link.known_servers import BOT_PROFILE, InvalidProfile, KnownServersDamaged
    from passing_protocol.join_codes import InvalidCode

    try:
        return Server.find(
            arguments.address,
            arguments.connection,
            code=arguments.code,
            name=_name(arguments),
            profile=arguments.profile or BOT_PROFILE,
        )
    except (InvalidAddress, InvalidCode, InvalidEnvironment) as error:
        raise CommandFailed(ExitCode.USAGE, f"{error}.") from None
    except InvalidProfile as error:
        raise CommandFailed(ExitCode.USAGE, f"--as: {error}.") from None
    except (KnownServersDamaged, NoBotToken) as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from None
    except InvalidConnectionFile as error:
        raise CommandFailed(ExitCode.USAGE, f"--connection {error}.") from None
    except OSError as error:
        raise _unreadable(arguments, error) from None


def _unreadable(arguments: Namespace, error: OSError) -> CommandFailed:
    """Return that a file cannot be read or written, and what to do about it."""
    if arguments.connection is None:
        return CommandFailed(ExitCode.UNEXPECTED, f"{error.filename}: {error.strerror}.")
    if isinstance(error, PermissionError):
        return CommandFailed(
            ExitCode.REFUSED,
            f"--connection {arguments.connection}: {error.strerror}. It is for the server's user "
            "alone: run the engine as that user, or name the server's HOST[:PORT] instead and give "
            "the bot token in the environment variable PASSING_TOKEN.",
        )
    return CommandFailed(
        ExitCode.UNREACHABLE,
        f"--connection {arguments.connection}: {error.strerror}. Is the server up?",
    )


def _name(arguments: Namespace) -> str:
    """Return the engine's name: the chosen one, else its own."""
    return str(arguments.name or arguments.spec.rpartition(":")[2])


def _say_waiting(welcome: "Welcome", place: "Address") -> None:
    """Say on standard error where the engine waits, and under which name.

    Programs that start engines do not want it: they hear of it from the server.
    """
    import sys

    from passing_link.fitting import fitted
    from passing_protocol.names import clean_name

    told = f"Waiting at {place} as {clean_name(welcome.name)}."
    sys.stderr.write(f"{fitted(told, sys.stderr)}\n")
    sys.stderr.flush()


def _agent(spec: str) -> "Agent":
    """Tell which program decides: the engine's name, whatever it is called in the lobby."""
    from passing_bots.playing import agent_of

    return agent_of(spec.rpartition(":")[2])


def _another(arguments: Namespace, server: "Server") -> "Child":
    """Start the same engine once more, in a process that ends with this one.

    It has the key that this one has by now, and joins by no code of its own.
    """
    from passing_link.environment import CODE_VARIABLE
    from passing_link.processes import Child, own_command

    command = ["bot", "run", arguments.spec, str(server.address)]
    command += ["--as", arguments.profile] if arguments.profile else []
    command += ["--tables", str(arguments.tables)]
    command += ["--connection", arguments.connection] if arguments.connection else []
    command += ["--name", arguments.name] if arguments.name else []
    command += ["--strict"] if arguments.strict else []
    return Child(own_command(command), environment={CODE_VARIABLE: ""})


def _count(most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from 1 to `most`."""

    def read(text: str) -> int:
        """Return the number that a text says."""
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is not a number from 1 to {most}")
        return int(text)

    return read
