"""Why a client may not speak to a server, or must not: each with what its person can do."""

from typing import ClassVar, Final

from passing_link.news import LinkError
from passing_protocol.errors import ErrorCode


class AccessDenied(LinkError):
    """Raised when a client and a server do not come to trust each other; see its kinds.

    The text is what is wrong and what to do next; `place` is the server as people know it, `code`
    the nearest one of the protocol's.
    """

    text: ClassVar[str]
    code: ClassVar[ErrorCode]

    def __init__(self, place: str) -> None:
        """Say what is wrong at a place."""
        super().__init__(self.text.format(place=place))
        self.place = place


class CodeNeeded(AccessDenied):
    """Raised when a server speaks only to clients that it knows, and we are none."""

    text = (
        "{place} lets in only those who have joined it: ask whoever runs it for a code, which "
        "`passing serve invite` shows, and give it with --code."
    )
    code = ErrorCode.NOT_ADMITTED


class WrongCode(AccessDenied):
    """Raised when the key of a server is not the one that a code was made for."""

    text = (
        "The server at {place} does not fit the code, and has not been told anything: compare "
        "the code with what `passing serve invite` shows there, and the address with the server's."
    )
    code = ErrorCode.BAD_CODE


class TakesNoCode(AccessDenied):
    """Raised when there is a code for a server that encrypts nothing, so that none is for it."""

    text = (
        "{place} encrypts nothing, so no code is for it, and it has not been told anything: "
        "compare the address with the server's, or ask whoever runs it to start it with `passing "
        "serve --lan`. Where nothing is to be encrypted leave --code out."
    )
    code = ErrorCode.BAD_CODE


class CodeNotTaken(AccessDenied):
    """Raised when a server does not let one in by the code's token."""

    text = (
        "{place} does not take the code: it is mistyped, older than a day or replaced by a newer "
        "one, or too many were tried. Wait a minute, or ask for a new one (`passing serve invite`)."
    )
    code = ErrorCode.BAD_CODE


class NotAdmitted(AccessDenied):
    """Raised when a server does not let in a client that holds a key for it."""

    text = (
        "{place} does not admit this client, or does not any more: ask whoever runs it for a code, "
        "which `passing serve invite` shows, and give it with --code."
    )
    code = ErrorCode.NOT_ADMITTED


class KeyChanged(AccessDenied):
    """Raised when a server shows another key than the one that is known to be its."""

    text = (
        "{place} has another key than the one known here: it is another server, or somebody who "
        "poses as it, and has not been told anything. Ask whoever runs it; if that is meant, join "
        "it anew with its code (--code)."
    )
    code = ErrorCode.KEY_CHANGED


class NotEncrypted(AccessDenied):
    """Raised when a server whose key is known encrypts nothing."""

    text = (
        "{place} encrypts nothing, but the server known there does: it is another one, or somebody "
        "who poses as it, and has not been told anything. Ask whoever runs it to start it with "
        "`passing serve --lan`."
    )
    code = ErrorCode.KEY_CHANGED


BY_CODE: Final = (CodeNeeded, WrongCode, CodeNotTaken, NotAdmitted)
"""The denials that another code can end."""
