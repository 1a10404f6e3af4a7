"""What goes wrong with a link, in sentences for people."""

from passing_link.sentences import NOTHING, Sentence, sentence
from passing_link.transport import Sign
from passing_protocol.messages import Request
from passing_protocol.names import DETAIL_CHARS, clean_chat


def of_sign(sign: Sign, place: str, reached: bool, hint: Sentence = NOTHING) -> Sentence:
    """Say why an attempt failed; `reached` tells whether anything answered at the place.

    `hint` is what may be wrong with the way there.
    """
    if sign is Sign.CLOSED and not reached:
        return sentence("Nobody is listening at {place}.", place=place).then(hint)
    if sign is Sign.SILENT:
        return sentence("{place} takes the connection, but does not answer.", place=place)
    return sentence("{place} answers, but it is not a Passing Game server.", place=place)


def unproven(place: str) -> Sentence:
    """Say that an attempt to encrypt failed, and nobody tells whether the key is another."""
    return sentence(
        "{place} answers, but not as the server whose key is known here: it is another program, "
        "or has another key.",
        place=place,
    )


def tells_no_key(place: str) -> Sentence:
    """Say that a code is of no use where nobody tells a key to hold it against."""
    hint = sentence(
        "Where one does, a firewall may stop UDP, which a code needs: use the link instead, which "
        "`passing serve invite` shows as well."
    )
    return sentence("No server answers at {place}.", place=place).then(look_there()).then(hint)


def no_answer(place: str, reached: bool, hint: Sentence = NOTHING) -> Sentence:
    """Say that an attempt took too long; `hint` is what may be wrong with the way there."""
    if reached:
        return sentence(
            "{place} answers, but does not greet us as a Passing Game server does.", place=place
        )
    return sentence("{place} does not answer at all.", place=place).then(hint)


def nonsense(place: str, detail: str) -> Sentence:
    """Say that what came is no message of the protocol; the detail is for experts."""
    return sentence(
        "{place} sends what is no message of this game: {detail}", place=place, detail=detail
    )


def unknown_machine(host: str) -> Sentence:
    """Say that a name leads nowhere."""
    return sentence("No machine called {host} is known here.", host=host)


def lost(place: str) -> str:
    """Say that the connection is gone and that we go on."""
    return f"The connection to {place} is lost; trying to get it back."


def silent(place: str) -> str:
    """Say that the server has not been heard for too long."""
    return f"{place} has fallen silent; trying to get the connection back."


def trying(trouble: str, seconds: float) -> str:
    """Say what is wrong, and for how long we have been trying."""
    lasting = f", for {seconds:.0f} s now" if seconds >= 1 else ""
    return f"{trouble} Still trying{lasting}."


def gave_up(trouble: Sentence, seconds: float) -> Sentence:
    """Say what is wrong, for how long we have tried in vain, and what to look at."""
    lasting = f"{round(seconds, 1):g}"
    return trouble.then(
        sentence(
            "Gave up after {seconds} s.",
            seconds=lasting,
        )
    ).then(look_there())


def look_there() -> Sentence:
    """Say what to look at where no server is reached."""
    return sentence("Is that the address, and does a server run there?")


def down(place: str) -> str:
    """Say that nothing can be sent now."""
    return f"There is no connection to {place} at the moment; nothing was sent."


def back(place: str, seconds: float, *, restarted: bool) -> str:
    """Say that the session goes on; `restarted` tells whether at a server of a new life."""
    lasting = f" after {seconds:.0f} s" if seconds >= 1 else ""
    why = "; the server was started again and goes on where it was" if restarted else ""
    return f"The connection to {place} is back{lasting}{why}."


def new_session(place: str) -> str:
    """Say that the connection is back but the session is gone, and with it every seat."""
    return f"{place} is back, but has forgotten us: we hold no seat there any more."


def superseded() -> str:
    """Say that another connection has taken over."""
    return "This session now goes on at another connection; this one has ended."


def refused(detail: str) -> Sentence:
    """Say in the server's own words, cleaned, why it does not let us in."""
    reason = clean_chat(detail, DETAIL_CHARS) or "The server does not say why."
    return Sentence(("{reason}",), {"reason": reason})


def closed(place: str, detail: str | None) -> str:
    """Say that the server has ended the session."""
    reason = clean_chat(detail or "", DETAIL_CHARS)
    return f"{place} has ended the session{': ' + reason if reason else '.'}"


def session_gone() -> str:
    """Say what became of a request whose session is no more."""
    return "The session ended before the answer came; nobody can tell whether it was done."


def no_reply(request: Request, seconds: float) -> str:
    """Say that a request has not been answered in time."""
    return f"No answer to {request.__struct_config__.tag} within {seconds:g} s."
