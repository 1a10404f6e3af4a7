"""Write all kept pictures anew: `python -m tests.client.screen.golden`."""

from tests.client.screen.kept import kept_pictures


def main() -> None:
    """Write every picture to its file, and remove those that are no more."""
    kept = kept_pictures()
    folders = {path.parent for path in kept}
    for folder in folders:
        folder.mkdir(exist_ok=True)
        for path in folder.glob("*.*"):
            if path.suffix in {".txt", ".svg"} and path not in kept:
                path.unlink()
    for path, text in kept.items():
        path.write_text(text)


main()
