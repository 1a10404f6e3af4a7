"""What a person does on their turn: play, draw, pass, and answer at which end a tile is meant."""

from typing import Final

from passing_client.desk import NOT_SENT, Desk
from passing_client.language import _, listing
from passing_client.moves import Misfit, TypedPlay, WhichEnd, choose, read_end, read_play
from passing_client.settings import ConfirmPass
from passing_client.words.looks import not_your_turn, pass_question
from passing_client.words.refusals import SENTENCES, misfit_sentence, which_end
from passing_protocol.errors import ErrorCode
from passing_rules import Draw, Pass, Play

_MARKS: Final = ("<", ">")


def play_typed(desk: Desk, text: str) -> None:
    """Play the tile that was typed, with or without an end."""
    typed = read_play(text)
    if typed is None:
        desk.say(_("A tile is two numbers from 0 to 6, then < or > where both ends fit: 64>"))
    else:
        play(desk, typed)


def play(desk: Desk, typed: TypedPlay) -> None:
    """Play a tile; asks for the end where both fit, and says why where none does."""
    table = desk.table
    if table is None:
        return
    if table.ask is None:
        desk.say(not_your_turn(table))
        return
    chosen = choose(typed, table.hand, table.legal)
    ends = table.view.ends
    match chosen:
        case Play():
            desk.act(chosen)
        case WhichEnd(tile):
            desk.which_end = (table.ask.turn, tile)
            desk.say(which_end(chosen, ends))
        case Misfit():
            desk.say(misfit_sentence(chosen, ends))


def answer_end(desk: Desk, text: str) -> bool:
    """Take a line that only names an end, if that is what was asked; tells whether it was.

    Its letters mean something else where nothing was asked, its marks never do.
    """
    end = read_end(text)
    asked = desk.which_end
    if end is None or (asked is None and text not in _MARKS):
        return False
    desk.which_end = None
    if asked is None or asked[0] != desk.shown_turn:
        desk.say(_("Type a tile first, then < or > for its end."))
    else:
        play(desk, TypedPlay(asked[1], end))
    return True


def draw(desk: Desk, _text: str) -> None:
    """Draw a tile; says why where none can be drawn."""
    ask = desk.table.ask if desk.table is not None else None
    refused = ask.refused.get("draw") if ask is not None else None
    if refused is not None:
        # A newer server may have reasons that this client does not know.
        desk.say(_(SENTENCES.get(refused, SENTENCES[ErrorCode.TABLE_STATE])))
    else:
        desk.act(Draw())


def pass_turn(desk: Desk, _text: str) -> None:
    """Pass; while a tile fits it has to be said twice, unless the person wants it otherwise."""
    turn, asked = desk.shown_turn, pass_question(desk.table) if desk.table is not None else ""
    is_settled = turn is None or turn in (desk.pass_asked, desk.acted)
    if is_settled or not asked or desk.confirm_pass is ConfirmPass.NEVER:
        desk.pass_asked = None
        desk.act(Pass())
    elif desk.down:
        desk.say(_(NOT_SENT))
    else:
        desk.pass_asked = turn
        desk.say(asked)


def confirm(desk: Desk, text: str) -> None:
    """Choose whether a pass is asked about while a tile fits."""
    if text in list(ConfirmPass):
        desk.confirm_pass = ConfirmPass(text)
    elif text:
        refused = _("confirm: {value} is not {allowed}.")
        allowed = listing(list(ConfirmPass), choice=True)
        desk.say(refused.format(value=repr(text), allowed=allowed))
        return
    if desk.confirm_pass is ConfirmPass.ASK:
        desk.say(_("A pass while a tile fits is asked about."))
    else:
        desk.say(_("A pass while a tile fits is never asked about."))
