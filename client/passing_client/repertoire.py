"""Every command of the client in one table, and how a typed line finds its way to one."""

from typing import Final

from passing_client import acting, lobbying, looking
from passing_client.desk import Desk
from passing_client.judging import tell_deals
from passing_client.language import _, mark
from passing_client.moves import read_play
from passing_client.table_options import allowed_values
from passing_client.vocabulary import Command, Place, command_help, find, help_lines, wrong_place
from passing_client.words import looks
from passing_protocol.messages import Ready, Role
from passing_protocol.views import TableState


def help_me(desk: Desk, text: str) -> None:
    """Print what can be typed here, or what one command does."""
    found = find(COMMANDS, text, desk.place) if text else None
    if found is not None:
        desk.say(command_help(found[0]))
        if found[0].name == "new":
            options = "; ".join(f"{name} {allowed}" for name, allowed in allowed_values())
            desk.say(_("Options: {options}.").format(options=options))
        return
    desk.say(*help_here(desk))


def help_here(desk: Desk) -> list[str]:
    """Return a line of help for every command that is open to the person here."""
    closed = _CLOSED.get(desk.role, ())
    if desk.table is not None and desk.table.seat is None:
        closed = (*closed, *_SEATED)
    return help_lines([each for each in COMMANDS if each.name not in closed], desk.place)


_OWNERS: Final = ("new", "start", "invite", "remove")
_CLOSED: Final = {Role.SPECTATOR: ("join", *_OWNERS), Role.BOT: _OWNERS}
"""The commands that the server refuses to a role."""
_SEATED: Final = ("play", "draw", "pass", "hand", "ready", "confirm", *_OWNERS)
"""The commands of a table that are of no use to who watches there."""

COMMANDS: Final[tuple[Command[Desk], ...]] = (
    Command(
        "play", (), "64>", Place.TABLE,
        mark("play a tile: its two numbers, then < left or > right; the word may be left out"),
        acting.play_typed,
    ),
    Command("draw", ("d", "+"), "", Place.TABLE, mark("draw a tile"), acting.draw),
    Command("pass", ("p", "-"), "", Place.TABLE, mark("pass"), acting.pass_turn),
    Command(
        "turn", (), "", Place.TABLE, mark("whose turn it is, and what can be done"),
        looking.look(looks.question),
    ),
    Command(
        "hand", ("h",), "", Place.TABLE, mark("your tiles, and where each fits"),
        looking.look(looks.hand_lines),
    ),
    Command(
        "train", ("t",), "", Place.TABLE, mark("the train from left to right"),
        looking.look(lambda table: looks.train_line(table.view)),
    ),
    Command(
        "ends", ("e",), "", Place.TABLE, mark("the open ends"),
        looking.look(lambda table: looks.ends_line(table.view)),
    ),
    Command(
        "boneyard", ("b", "yard"), "", Place.TABLE, mark("the boneyard, and how much can be drawn"),
        looking.look(lambda table: looks.yard_line(table.view)),
    ),
    Command(
        "who", ("w",), "", Place.TABLE, mark("everybody's number of tiles, and whose turn it is"),
        looking.look(looks.who_line),
    ),
    Command(
        "passes", (), "", Place.TABLE, mark("who passed or drew this round, and at which ends"),
        looking.look(looks.passes_line),
    ),
    Command("log", ("l",), mark("[NUMBER]"), Place.TABLE, mark("the last actions"), looking.log),
    Command(
        "seats", (), "", Place.TABLE, mark("who sits where"), looking.look(looks.seat_lines)
    ),
    Command(
        "scores", ("s",), "", Place.TABLE, mark("the scores"), looking.look(looks.score_line)
    ),
    Command(
        "options", ("o",), "", Place.TABLE, mark("what is played"),
        looking.look(lambda table: looks.options_line(table.view)),
    ),
    Command(
        "deal", (), "", Place.ANYWHERE,
        mark("how the tiles are dealt, the table code, and whether the last deal was checked"),
        tell_deals,
    ),
    Command(
        "ready", ("r",), "", Place.TABLE, mark("be ready for the next round or another match"),
        lobbying.ready,
    ),
    Command("start", (), "", Place.TABLE, mark("begin the match (owner)"), lobbying.start),
    Command(
        "invite", ("i",), mark("[ENGINE] [SEAT]"), Place.TABLE,
        mark("invite an engine that waits (owner)"),
        lobbying.invite,
    ),
    Command("engines", (), "", Place.TABLE, mark("which engines wait"), lobbying.list_tables),
    Command(
        "remove", (), mark("SEAT"), Place.TABLE,
        mark("take a seat from its holder (owner)"), lobbying.remove,
    ),
    Command(
        "say", ("c",), mark("TEXT"), Place.TABLE, mark("say something to the table"), lobbying.chat,
    ),
    Command(
        "mute", (), mark("[NAME or SEAT]"), Place.TABLE, mark("hear no more of somebody"),
        lobbying.mute,
    ),
    Command(
        "unmute", (), mark("[NAME or SEAT]"), Place.TABLE, mark("hear them again"), lobbying.unmute,
    ),
    Command(
        "confirm", (), mark("[ask or never]"), Place.TABLE,
        mark("whether a pass is asked about while a tile fits"), acting.confirm,
    ),
    Command(
        "tables", ("t",), "", Place.LOBBY, mark("the tables of this server"), lobbying.list_tables
    ),
    Command(
        "join", ("j",), mark("NUMBER [SEAT]"), Place.LOBBY, mark("sit down at a table"),
        lobbying.join,
    ),
    Command("watch", ("w",), mark("[NUMBER]"), Place.LOBBY, mark("watch a table"), lobbying.watch),
    Command(
        "new", ("n",), mark("NAME [seats=2 target=101 partners ...]"), Place.LOBBY,
        mark("make a table"),
        lobbying.new_table,
    ),
    Command("rules", (), mark("[CLAUSE]"), Place.ANYWHERE, mark("the rules"), looking.rules),
    Command(
        "help", ("?",), mark("[COMMAND]"), Place.ANYWHERE, mark("what can be typed here"), help_me,
    ),
    Command("leave", (), "", Place.TABLE, mark("leave the table"), lobbying.leave),
    Command(
        "quit", ("q", "exit"), "", Place.ANYWHERE, mark("leave the server"), lobbying.leave_server,
    ),
)  # fmt: skip
"""The commands in the order of the help."""

_LEAVING: Final = ("leave", "quit")


def quits(desk: Desk, text: str) -> bool:
    """Tell whether a line leaves the server, and so has no need of it any more."""
    found = find(COMMANDS, text.strip(), desk.place)
    return found is not None and found[0].name == "quit"


def obey(desk: Desk, text: str) -> None:
    """Do what a line says that a person has typed."""
    line = text.strip()
    if line[1:]:
        line = line.removeprefix("/")  # so a command is written at the full screen
    found = find(COMMANDS, line, desk.place)
    if found is None or found[0].name not in _LEAVING:
        desk.leaving = False
    if not line:
        _enter(desk)
    elif acting.answer_end(desk, line):
        desk.pass_asked = None
    else:
        _command(desk, line, found)


def _enter(desk: Desk) -> None:
    """Take an empty line: between two rounds it says that one is ready."""
    table = desk.table
    if table is None or table.seat is None or table.view.state is not TableState.BETWEEN:
        return
    if not table.view.seats[table.seat].ready:
        desk.send(Ready(0, table.id))


def _command(desk: Desk, line: str, found: tuple[Command[Desk], str] | None) -> None:
    desk.which_end = None
    name = found[0].name if found is not None else ""
    if name != "pass":
        desk.pass_asked = None
    if found is None:
        _other(desk, line)
    elif not found[0].fits(desk.place):
        desk.say(wrong_place(name, desk.place))
    else:
        found[0].do(desk, found[1])


def _other(desk: Desk, line: str) -> None:
    """Take a line that begins with no command: a tile at the table, a number in the lobby."""
    if desk.place is Place.LOBBY and line[0].isdecimal():
        lobbying.join(desk, line)
    elif desk.place is Place.TABLE and read_play(line) is not None:
        acting.play_typed(desk, line)
    else:
        text = _("{word} is no command and no tile; type ? for help.")
        desk.say(text.format(word=repr(line.split()[0][:24])))
