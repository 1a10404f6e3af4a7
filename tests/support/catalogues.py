"""The client's catalogues: extract its texts, bring each language up to date, compile it.

`python -m tests.support.catalogues` does all of that, and says what is still to be translated.
Its output follows from the sources and the translations alone, so no date is in it.
"""

import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from passing_client.language import DOMAIN, LANGUAGES, catalogues
from passing_link.denials import AccessDenied

SOURCES: Final = Path(__file__).parents[2] / "client" / "passing_client"
LINK: Final = Path(__file__).parents[2] / "protocol" / "passing_link"
TRANSLATED: Final = tuple(code for code in LANGUAGES if code != "en")
KEYWORDS: Final = {"_": None, "mark": None, "plural": (1, 2)}
WIDTH: Final = 98
HEAD: Final = "# The texts of the client of passing-game."

ARGPARSE: Final = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "show program's version number and exit",
    "%(prog)s: error: %(message)s\n",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "argument %(argument_name)s: %(message)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
    "expected one argument",
    "expected at least one argument",
    "not allowed with argument %s",
    "ambiguous option: %(option)s could match %(matches)s",
    "ignored explicit argument %r",
)
"""What argparse says to who types a command; it looks its texts up in the domain that is set."""


class Plain(Catalog):
    """A catalogue whose head has no date, no tool and no person in it."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What stands in the head; it follows from the language."""
        headers = [
            ("Project-Id-Version", DOMAIN),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]
        if self.locale_identifier is not None:
            headers += [("Language", self.locale_identifier), ("Plural-Forms", self.plural_forms)]
        return headers

    @mime_headers.setter
    def mime_headers(self, value: Iterable[tuple[str, str]]) -> None:
        """Take nothing over from the head of a file."""


def extracted() -> Plain:
    """Return all texts of the client's sources, without translations."""
    template = Plain(charset="utf-8", fuzzy=False, header_comment=HEAD)
    found = extract_from_dir(SOURCES, [("**.py", "python")], keywords=KEYWORDS)
    for name, _line, message, _comments, _context in sorted(found, key=lambda each: each[0]):
        template.add(message, locations=[(name, 0)])
    told = extract_from_dir(LINK, [("**.py", "python")], keywords={"sentence": None})
    for name, _line, message, _comments, _context in sorted(told, key=lambda each: each[0]):
        template.add(message, locations=[(f"passing_link/{name}", 0)])
    for text in ARGPARSE:
        template.add(text, locations=[("argparse", 0)])
    for kind in AccessDenied.__subclasses__():
        template.add(kind.text, locations=[("passing_link/denials.py", 0)])
    return template


def po_path(code: str) -> Path:
    return catalogues() / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(code: str) -> Path:
    return po_path(code).with_suffix(".mo")


def pot_path() -> Path:
    return catalogues() / f"{DOMAIN}.pot"


def translated(code: str) -> Plain:
    """Return the translations of a language as they are in its file; none without one."""
    catalogue = Plain(code, charset="utf-8", fuzzy=False)
    if po_path(code).exists():
        with po_path(code).open("rb") as file:
            known = read_po(file, code)
        catalogue.header_comment = known.header_comment
        for message in known:
            if message.id:
                catalogue[message.id] = message
    return catalogue


def updated(code: str, template: Catalog) -> Plain:
    """Return the translations of a language, of exactly the texts that there are."""
    known, catalogue = translated(code), Plain(code, charset="utf-8", fuzzy=False)
    catalogue.header_comment = known.header_comment
    for message in template:
        if message.id:
            same = known.get(message.id)
            string = same.string if same is not None else ""
            catalogue.add(message.id, string, message.locations, message.flags)
    return catalogue


def po_bytes(catalogue: Catalog) -> bytes:
    out = io.BytesIO()
    write_po(out, catalogue, width=WIDTH, include_lineno=False, sort_by_file=True)
    return out.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def untranslated(catalogue: Catalog) -> Iterator[str]:
    """Yield the English texts without a translation, of plural ones the first form."""
    for message in catalogue:
        texts = (
            [message.string] if isinstance(message.string, str) else list(message.string or [""])
        )
        if message.id and not all(texts):
            yield message.id if isinstance(message.id, str) else message.id[0]


def main() -> int:
    """Bring all files up to date; return 1 where something is still to be translated."""
    template = extracted()
    pot_path().parent.mkdir(exist_ok=True)
    pot_path().write_bytes(po_bytes(template))
    missing = 0
    for code in TRANSLATED:
        catalogue = updated(code, template)
        po_path(code).parent.mkdir(parents=True, exist_ok=True)
        po_path(code).write_bytes(po_bytes(catalogue))
        mo_path(code).write_bytes(mo_bytes(catalogue))
        for text in untranslated(catalogue):
            missing += 1
            sys.stdout.write(f"{code}: {text!r}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
