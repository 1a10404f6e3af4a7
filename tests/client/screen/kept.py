"""Which files of pictures there are to be, and what is in each."""

from pathlib import Path

from tests.client.screen.catalogue import IN_DOCUMENTS, PICTURES
from tests.client.screen.pages_catalogue import PAGES
from tests.support.pictures import plain_of, svg_of
from tests.support.sources import ROOT

GOLDEN = Path(__file__).parent / "golden"
IN_DOCS = ROOT / "docs" / "pictures"


def kept_pictures() -> dict[Path, str]:
    """Return every picture that is kept, by its file."""
    texts = {
        GOLDEN / f"{name}.txt": plain_of(picture()) for name, picture in (PICTURES | PAGES).items()
    }
    svgs = {IN_DOCS / f"{name}.svg": svg_of(picture()) for name, picture in IN_DOCUMENTS.items()}
    return {**texts, **svgs}
