"""The files that are generated from the protocol's types, and what they must hold."""

import json
from pathlib import Path

from tests.support.protocol.document import DOCUMENT, ROOT, regenerated
from tests.support.protocol.schema import schemas
from tests.support.protocol.vectors import Vector, vectors

SCHEMAS = ROOT / "schema"
VECTORS = ROOT / "vectors" / "protocol"


def _lines(items: list[Vector]) -> str:
    """Return vectors as JSON, one a line, so that a change shows as the lines it changes."""
    return "[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]\n"


def generated_files() -> dict[Path, str]:
    """Return the content of every generated file by its path."""
    files = {
        SCHEMAS / f"{name}.json": json.dumps(schema, indent=2) + "\n"
        for name, schema in schemas().items()
    }
    files |= {VECTORS / f"{name}.json": _lines(items) for name, items in vectors().items()}
    files[DOCUMENT] = regenerated(DOCUMENT.read_text(encoding="utf-8"))
    return files
