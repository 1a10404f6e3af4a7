"""Why a client and a server do not trust each other, as sentences with what there is to do."""

from collections.abc import Mapping
from typing import Final

from passing_client.language import _, mark
from passing_link.denials import AccessDenied, CodeNeeded, NotAdmitted

_ASKING: Final[Mapping[type[AccessDenied], str]] = {
    CodeNeeded: mark(
        "{place} lets in only those who have joined it: ask whoever runs it for a code, which "
        "`passing serve invite` shows, and type it here."
    ),
    NotAdmitted: mark(
        "{place} does not admit this client, or does not any more: ask whoever runs it for a code, "
        "which `passing serve invite` shows, and type it here."
    ),
}
"""What is said otherwise where a code can be typed in the next line."""


def denied_sentence(error: AccessDenied) -> str:
    """Return what is wrong and what to do next; the catalogues hold the link's own texts."""
    return _(type(error).text).format(place=error.place)


def asking_sentence(error: AccessDenied) -> str:
    """Return the same for above a question for the code, which wants no flag."""
    return _(_ASKING.get(type(error), error.text)).format(place=error.place)
