"""A language that nobody speaks: other letters, texts longer by two fifths, all in brackets."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from passing_client import language
from tests.support.catalogues import extracted, mo_bytes

CODE = "eo"
"""The language whose place it takes, as it has two plural forms."""

_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβξδεφγηιϊκλμνοπψρστυωώχζύΑΒΞΔΕΦΓΗΙΪΚΛΜΝΟΠΨΡΣΤΥΩΏΧΖΎ",
)
_PLACE = re.compile(r"(\{\w+\}|%\(\w+\)\w|%\w)")


def pseudo(text: str) -> str:
    """Return a text as that language has it; what its places are filled with stays as it is."""
    parts = _PLACE.split(text)
    told = "".join(p if n % 2 else p.translate(_LETTERS) for n, p in enumerate(parts))
    return f"⟦{told}{'ö' * (len(text) * 2 // 5)}⟧"


def pseudo_catalogues(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the language of `CODE` be that one, from the next `use` on."""
    catalogue = Catalog(CODE, charset="utf-8", fuzzy=False)
    for message in extracted():
        if message.id:
            source = message.id
            same = pseudo(source) if isinstance(source, str) else tuple(map(pseudo, source))
            catalogue.add(source, same)
    path = folder / CODE / "LC_MESSAGES" / "passing.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(mo_bytes(catalogue))
    monkeypatch.setattr(language, "catalogues", lambda: folder)
