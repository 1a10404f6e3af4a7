"""When a key has a meaning: named questions about the scene, pure and without words."""

from passing_client.model import TableModel
from passing_client.screen.scene import ENDED, Focus, Page, Scene
from passing_protocol.messages import Role
from passing_protocol.views import SeatState, TableState
from passing_rules import Draw, Play

_WRITING = ('"', "/")
"""What the input line begins with while chat or a command is written."""


def is_writing(scene: Scene) -> bool:
    """Tell whether chat or a command is being written, so that letters are text."""
    return scene.typed.startswith(_WRITING)


def is_chatting(scene: Scene) -> bool:
    """Tell whether what is being written is chat."""
    return scene.typed.startswith('"')


def is_commanding(scene: Scene) -> bool:
    """Tell whether what is being written is a command."""
    return scene.typed.startswith("/") and scene.page is not Page.SERVERS


def is_overlaid(scene: Scene) -> bool:
    """Tell whether a text is being read over the page."""
    return scene.overlay is not None


def is_free(scene: Scene) -> bool:
    """Tell whether keys act on the page itself: nothing is written, read or replayed over it."""
    is_covered = is_writing(scene) or is_overlaid(scene) or scene.replay is not None
    return not is_covered and not scene.small


def in_replay(scene: Scene) -> bool:
    """Tell whether keys move through a replay."""
    return scene.page is Page.REPLAY and not is_overlaid(scene)


def can_replay(scene: Scene) -> bool:
    """Tell whether a round is over that can be looked at again, and none is played."""
    table, story = scene.desk.table, scene.desk.story
    ended = table is not None and table.view.state in ENDED
    return is_free(scene) and ended and story.has_played


def is_there(scene: Scene) -> bool:
    """Tell whether there is a server, and keys act."""
    return not is_writing(scene) and scene.page is not Page.STARTING


def always(scene: Scene) -> bool:
    """Tell that a key has its meaning everywhere."""
    return True


def is_ready_to_write(scene: Scene) -> bool:
    """Tell whether keys act on a page that there is a server for."""
    return is_free(scene) and scene.page is not Page.STARTING


def in_servers(scene: Scene) -> bool:
    """Tell whether keys act on the list of servers that were found."""
    return is_free(scene) and scene.page is Page.SERVERS


def on_a_server(scene: Scene) -> bool:
    """Tell whether a server of the list is chosen."""
    return in_servers(scene) and scene.servers is not None and bool(scene.servers.found)


def is_addressing(scene: Scene) -> bool:
    """Tell whether what is being written is the address of a server."""
    return scene.typed.startswith("/") and scene.page is Page.SERVERS


def has_server(scene: Scene) -> bool:
    """Tell whether keys act on a page of a server that one is at."""
    return is_ready_to_write(scene) and scene.page is not Page.SERVERS


def is_starting(scene: Scene) -> bool:
    """Tell whether a server is still waited for."""
    return is_free(scene) and scene.page is Page.STARTING


def in_lobby(scene: Scene) -> bool:
    """Tell whether keys act on the list of tables."""
    return is_free(scene) and scene.page is Page.LOBBY


def on_a_row(scene: Scene) -> bool:
    """Tell whether a table of the list is chosen."""
    return in_lobby(scene) and 0 <= scene.row < len(scene.desk.tables)


def can_sit(scene: Scene) -> bool:
    """Tell whether one may sit down at the chosen table: who has come to watch may not."""
    return on_a_row(scene) and scene.desk.role is not Role.SPECTATOR


def can_make(scene: Scene) -> bool:
    """Tell whether one may make a table."""
    return in_lobby(scene) and scene.desk.role not in (Role.SPECTATOR, Role.BOT)


def at_table(scene: Scene) -> bool:
    """Tell whether keys act on a table, or on how its round or match ended."""
    return is_free(scene) and scene.desk.table is not None


def at_table_reading(scene: Scene) -> bool:
    """Tell whether one is at a table and writes nothing; a text may be read over it."""
    at_table = scene.desk.table is not None and scene.replay is None
    return not is_writing(scene) and at_table


def holds_hand(scene: Scene) -> bool:
    """Tell whether one has tiles in hand in a round that is being played."""
    table = playing(scene)
    return table is not None and bool(table.hand)


def in_hand(scene: Scene) -> bool:
    """Tell whether the arrows move the choice in the hand."""
    return holds_hand(scene) and scene.focus is Focus.HAND


def in_keys(scene: Scene) -> bool:
    """Tell whether the arrows move along the bar of keys."""
    return is_free(scene) and scene.focus is Focus.KEYS


def has_typed(scene: Scene) -> bool:
    """Tell whether the first number of a tile is typed."""
    return is_free(scene) and bool(scene.typed)


def has_chosen(scene: Scene) -> bool:
    """Tell whether a tile of the hand is chosen."""
    return holds_hand(scene) and scene.chosen is not None


def can_play(scene: Scene) -> bool:
    """Tell whether the chosen tile can be played now (R2.1)."""
    table = playing(scene)
    plays = table.legal if table is not None and my_turn(scene) else ()
    return any(isinstance(play, Play) and play.tile == scene.chosen for play in plays)


def can_undo(scene: Scene) -> bool:
    """Tell whether something is chosen, typed, asked or said that Esc takes back or puts away."""
    asked = scene.desk.pass_asked is not None or scene.desk.leaving or bool(scene.unread)
    asked = asked or bool(scene.desk.alarm)
    chosen = scene.chosen is not None or bool(scene.typed) or scene.focus is Focus.KEYS
    return is_free(scene) and (asked or chosen)


def my_turn(scene: Scene) -> bool:
    """Tell whether a question of the table waits for one's own answer."""
    return playing(scene) is not None and scene.desk.is_asked


def can_draw(scene: Scene) -> bool:
    """Tell whether a tile may be drawn now (R2.3)."""
    table = playing(scene)
    return table is not None and my_turn(scene) and Draw() in table.legal


def playing(scene: Scene) -> TableModel | None:
    """Return the table where keys act on a round in which one has a seat; None for none."""
    table = scene.desk.table
    if table is None or table.seat is None or not is_free(scene):
        return None
    return table if table.view.state is TableState.PLAYING else None


def playing_now(scene: Scene) -> bool:
    """Tell whether keys act on a round in which one has a seat."""
    return playing(scene) is not None


def is_ended(scene: Scene) -> bool:
    """Tell whether the page of an ending is shown."""
    return is_free(scene) and scene.page in (Page.ROUND_END, Page.MATCH_END)


def is_put_away(scene: Scene) -> bool:
    """Tell whether the table is looked at while there is the page of an ending."""
    table = scene.desk.table
    if table is None or not is_free(scene) or not scene.put_away:
        return False
    return table.view.state in ENDED


def can_be_ready(scene: Scene) -> bool:
    """Tell whether one's own seat can say that it is ready: before a match, round or another.

    The owner begins a match instead, which is more.
    """
    table = scene.desk.table
    if table is None or table.seat is None or not is_free(scene) or can_start(scene):
        return False
    if scene.started and table.view.state is TableState.STARTING:
        return False
    if table.view.state is TableState.OVER and (table.free_seats or is_too_late(scene)):
        return False
    waits = (TableState.STARTING, TableState.BETWEEN, TableState.OVER)
    return table.view.state in waits and not table.view.seats[table.seat].ready


def is_dealing(scene: Scene, table: TableModel) -> bool:
    """Tell whether the next round is being dealt, as far as that is known.

    Who is away counts as ready and may be waited for still; between rounds no longer once one
    has said oneself that one is ready.
    """
    view = table.view
    if view.state is TableState.STARTING and scene.started:
        return True
    waits = (TableState.STARTING, TableState.BETWEEN, TableState.OVER)
    if view.state not in waits or not all(seat.ready for seat in view.seats):
        return False
    begins = view.state is TableState.BETWEEN and table.seat is not None
    return begins or all(seat.state is not SeatState.AWAY for seat in view.seats)


def is_too_late(scene: Scene) -> bool:
    """Tell whether the time for another match is over, as far as that is known."""
    return scene.next_at is not None and scene.now >= scene.next_at


def lacks_players(scene: Scene) -> bool:
    """Tell whether no match can begin at one's table because a seat is empty."""
    table = scene.desk.table
    if table is None or table.seat is None or not is_free(scene):
        return False
    return table.view.state in (TableState.OPEN, TableState.OVER) and table.free_seats > 0


def can_start(scene: Scene) -> bool:
    """Tell whether one can begin the match, as the owner of a table whose seats are filled."""
    table = scene.desk.table
    filled = table is not None and table.view.state is TableState.STARTING
    is_owner = table is not None and table.owns
    return is_free(scene) and filled and is_owner and not scene.started


def can_invite(scene: Scene) -> bool:
    """Tell whether one can invite an engine: the owner of a table that has a free seat."""
    table = scene.desk.table
    if table is None or not table.owns or not is_free(scene):
        return False
    free = any(seat.state is SeatState.EMPTY for seat in table.view.seats)
    return free and table.view.state is not TableState.PLAYING
