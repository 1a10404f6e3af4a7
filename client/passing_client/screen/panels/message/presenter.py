"""What a person is told to do now at a table, and what they have typed."""

from typing import Final

from passing_client.language import _, plural
from passing_client.model import TableModel
from passing_client.moves import fitting_ends
from passing_client.screen.filters import is_dealing, is_too_late
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.scene import Scene
from passing_client.words.basics import tile_words
from passing_client.words.links import lost_sentence
from passing_client.words.looks import pass_question
from passing_client.words.people import people_of
from passing_protocol.views import SeatState, TableState
from passing_rules import Draw, End, Play, Tile

_SEVERAL: Final = 2


def present(scene: Scene, table: TableModel) -> MessageModel:
    """Return the message and the input line."""
    strong = _("YOUR TURN") if scene.desk.is_asked and not scene.desk.down else ""
    text, short, style = _message(scene, table)
    label, typed = labelled(scene.typed)
    said = scene.flash if scene.desk.down and scene.flash != text else scene.notice
    hint = "" if scene.typed else said or _choice(scene, table) or told_besides(scene)
    return MessageModel(strong, text, short, style, label, typed, hint)


def leave_question(scene: Scene) -> str:
    """Return the question before a match is left, and what becomes of the seat."""
    if scene.desk.private:
        return _("The match is not over. q again leaves, Esc goes back.")
    return _("Your seat is lost for good. q again leaves, Esc goes back.")


def alarm_words(scene: Scene) -> str:
    """Return that the server has cheated, and how that is put away."""
    read = _("Esc: I have read it.")
    return f"{scene.desk.alarm} {read}"


def told_besides(scene: Scene) -> str:
    """Return how the tiles are dealt while that is new, else what others have said."""
    return " ".join(scene.deals) or unread(scene)


def unread(scene: Scene) -> str:
    """Return what others have said last, and how much of it is still to be read."""
    if len(scene.unread) < _SEVERAL:
        return "".join(scene.unread)
    text = _("({number} unread, l shows them) {line}")
    return text.format(number=len(scene.unread), line=scene.unread[-1])


def labelled(typed: str) -> tuple[str, str]:
    """Return what stands before the typed text, and the text."""
    if typed.startswith('"'):
        return _("say"), typed[1:]
    return ("/", typed[1:]) if typed.startswith("/") else (">", typed)


# --- the message -------------------------------------------------------------------------------


def _message(scene: Scene, table: TableModel) -> tuple[str, str, str]:
    """Return the message, the same for a small screen, and its style."""
    ask = table.ask
    if scene.desk.leaving:
        return _twice(leave_question(scene), "warning")
    if scene.desk.down:
        is_refused = scene.flash and scene.typed
        return _twice(scene.flash if is_refused else lost_sentence(scene.lost), "warning")
    if scene.desk.alarm and not scene.typed:
        return _twice(alarm_words(scene), "warning")
    if ask is not None and scene.desk.pass_asked == ask.turn:
        return _twice(_sure(table), "warning")
    if scene.flash:
        return _twice(scene.flash)
    if scene.desk.is_asked:
        return _what_can_be_done(table), _short_of_it(table), ""
    if table.seat is None and table.view.state is TableState.PLAYING:
        text = _("watching live, public view: hands stay hidden until the round ends")
        return text, _("watching: hands stay hidden until the round ends"), ""
    return _twice(waiting_words(scene, table))


def _twice(text: str, style: str = "") -> tuple[str, str, str]:
    """Return a message that is the same on a small screen."""
    return text, text, style


def _sure(table: TableModel) -> str:
    """Return the question before a pass while a tile fits, and the way back."""
    back = _("Esc goes back.")
    return f"{pass_question(table)} {back}"


def _what_can_be_done(table: TableModel) -> str:
    """Return how to play, and whether there is a tile to draw (R2.1, R2.3)."""
    plays = any(isinstance(action, Play) for action in table.legal)
    if Draw() in table.legal:
        if table.view.ends is None:
            return _("type any tile (64).   d draw   p pass")
        if not plays:
            return _("none of your tiles fits.   d draw   p pass")
        return _("type a tile (64), then < or > for the end.   d draw   p pass")
    if table.view.ends is None:
        return _("type any tile (64).   p pass   no tile to draw")
    if not plays:
        return _("none of your tiles fits.   p pass   no tile to draw")
    return _("type a tile (64), then < or >.   p pass   no tile to draw")


def _short_of_it(table: TableModel) -> str:
    """Return the same in fewer words."""
    can_draw = Draw() in table.legal
    play = next((action for action in table.legal if isinstance(action, Play)), None)
    if play is None:
        return _("no tile fits   d draw   p pass") if can_draw else _("no tile fits   p pass")
    if table.view.ends is None and can_draw:
        text = _("{typed} Enter plays {tile}   d draw   p pass   ? help")
    elif table.view.ends is None:
        text = _("{typed} Enter plays {tile}   p pass   ? help")
    elif can_draw:
        text = _("{typed} plays {tile}   d draw   p pass   ? help")
    else:
        text = _("{typed} plays {tile}   p pass   ? help")
    return text.format(typed=play, tile=tile_words(play.tile))


def waiting_words(scene: Scene, table: TableModel) -> str:
    """Return what is waited for while no question of one's own is open."""
    match table.view.state:
        case TableState.PLAYING:
            return _playing(scene, table)
        case TableState.PAUSED:
            return _("The match is paused.")
        case TableState.OPEN:
            return _open(table)
        case TableState.STARTING:
            return dealing_words() if is_dealing(scene, table) else _starting(table)
        case TableState.BETWEEN:
            return _ended(table, _("The round is over."), _("The round is over.   Enter ready"))
        case TableState.OVER:
            return over_words(scene, table) or _ended(
                table, _("The match is over."), _("The match is over.   Enter ready")
            )
        case TableState.CLOSED:
            return _("The table is closed.")


def _open(table: TableModel) -> str:
    """Return who is waited for before there can be a match."""
    free = sum(seat.state is SeatState.EMPTY for seat in table.view.seats)
    if not free:
        return _("Waiting for an engine that is invited.")
    text = plural(
        "Waiting for players: {number} seat is free.",
        "Waiting for players: {number} seats are free.",
        free,
    )
    return text.format(number=free)


def over_words(scene: Scene, table: TableModel) -> str:
    """Return why no other match can begin at a table whose match is over; nothing if one can."""
    if table.view.state is not TableState.OVER:
        return ""
    if is_too_late(scene):
        return _("It is too late for another match here. q leaves the table.")
    if not table.free_seats:
        return ""
    text = plural(
        "Another match needs all seats: {number} is free.",
        "Another match needs all seats: {number} are free.",
        table.free_seats,
    )
    return text.format(number=table.free_seats)


def _ended(table: TableModel, text: str, asking: str) -> str:
    """Return the text, or the one that asks whoever is not ready yet."""
    seat = table.seat
    return text if seat is None or table.view.seats[seat].ready else asking


def dealing_words() -> str:
    """Return that the programs of the players are waited for, which have a part in the deal."""
    return _("The deal is being made.")


def turn_words(scene: Scene, table: TableModel) -> str:
    """Return whose turn it is in the round that is played."""
    return _("YOUR TURN") if scene.desk.is_asked else _playing(scene, table)


def _playing(scene: Scene, table: TableModel) -> str:
    seat = table.view.to_act
    if table.ask is not None and not scene.desk.is_asked:
        return _("Your action is on its way.")
    if seat is None or seat == table.seat:
        return _("Please wait.")
    return _("{name} to play.").format(name=people_of(table).name(seat))


def _starting(table: TableModel) -> str:
    """Return how the match can begin."""
    if table.owns:
        return _("Every seat is filled. Enter begins the match.")
    if table.seat is None:
        return _("Every seat is filled; the match is about to begin.")
    if table.view.seats[table.seat].ready:
        return _("You are ready; waiting for the others.")
    return _("Every seat is filled. Press Enter when you are ready.")


# --- the chosen tile ---------------------------------------------------------------------------


def _choice(scene: Scene, table: TableModel) -> str:
    """Return what would happen to the chosen tile; nothing without one."""
    tile = scene.chosen
    if tile is None or tile not in table.hand:
        return ""
    if scene.desk.down or not scene.desk.is_asked:
        return _("{tile} is chosen for your turn.   Esc = back").format(tile=tile_words(tile))
    ends = table.view.ends
    if ends is None:
        return _("{tile} begins the train.  Enter = play   Esc = back").format(
            tile=tile_words(tile)
        )
    return _fit(tile, fitting_ends(tile, ends), ends, scene.end)


def _fit(tile: Tile, fits: tuple[End, ...], ends: tuple[int, int], end: End | None) -> str:
    figures, (left, right) = tile_words(tile), ends
    if not fits:
        text = _("{tile} fits neither end ({left} and {right}).  Esc = back")
        return text.format(tile=figures, left=left, right=right)
    if fits == (End.LEFT,):
        text = _("{tile} fits the left end ({number}).  Enter = play   Esc = back")
        return text.format(tile=figures, number=left)
    if fits == (End.RIGHT,):
        text = _("{tile} fits the right end ({number}).  Enter = play   Esc = back")
        return text.format(tile=figures, number=right)
    if end is None:
        return _("{tile} fits both ends.  < or > plays it   Esc = back").format(tile=figures)
    if end is End.LEFT:
        text = _("{tile} goes to the left end ({number}).  Enter = play   Down = right end")
        return text.format(tile=figures, number=left)
    text = _("{tile} goes to the right end ({number}).  Enter = play   Up = left end")
    return text.format(tile=figures, number=right)
