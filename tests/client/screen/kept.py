"""Which files of pictures there are to be, and what is in each."""

from pathlib import Path

from tests.client.screen.catalogue import PICTURES
from tests.client.screen.pages_catalogue import PAGES
from tests.support.pictures import plain_of, svg_of
from tests.support.sources import ROOT

GOLDEN = Path(__file__).parent / "golden"
IN_DOCS = ROOT / "docs" / "pictures"
ALL = {**PICTURES, **PAGES}
DOCUMENTED = {"table": "table-80x24", "round-end": "round-end-80x24"}
"""The pictures of the documents, by the names of their files there."""


def kept_pictures() -> dict[Path, str]:
    """Return every picture that is kept, by its file."""
    texts = {GOLDEN / f"{name}.txt": plain_of(make()) for name, make in ALL.items()}
    svgs = {IN_DOCS / f"{name}.svg": svg_of(ALL[of]()) for name, of in DOCUMENTED.items()}
    return {**texts, **svgs}
