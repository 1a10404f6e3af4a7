"""Why a client and a server do not trust each other, as sentences with what there is to do."""

from passing_client.language import _
from passing_link.denials import AccessDenied


def denied_sentence(error: AccessDenied) -> str:
    """Return what is wrong and what to do next; the catalogues hold the link's own texts."""
    return _(type(error).text).format(place=error.place)
