"""Write the vectors of the rules anew: `python -m tests.rules.make_vectors`."""

import sys

from tests.support.rendering import render
from tests.support.rules_vector_types import FOLDER
from tests.support.rules_vectors import DOCUMENTS


def main() -> None:
    for name, make in DOCUMENTS.items():
        text = render(make()) + "\n"
        (FOLDER / name).write_text(text, encoding="ascii")
        sys.stdout.write(f"{len(text):>8} {name}\n")


if __name__ == "__main__":
    main()
