"""A terminal of tmux's, where a program runs as it does for a person."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_S = 30.0
LOOK_S = 0.05


def is_there() -> bool:
    """Tell whether tmux is installed."""
    return shutil.which("tmux") is not None


class Tmux:
    """Hold one terminal with a shell in it, on a server of tmux's of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._socket = folder / "tmux"
        self._environment = {**os.environ, **environment}

    def __enter__(self) -> Self:
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tmux("kill-server")

    def types(self, text: str) -> None:
        """Type characters as they are; a last semicolon would end a command of tmux's."""
        last = "\\;" if text.endswith(";") else text[-1:]
        self._tmux("send-keys", "-l", text[:-1] + last)

    def press(self, *keys: str) -> None:
        """Press keys by the names that tmux has for them."""
        self._tmux("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def text(self) -> str:
        """Return what is on the screen."""
        return self._tmux("capture-pane", "-p")

    def about(self, *names: str) -> list[str]:
        """Return what tmux knows of the terminal, by the names that it has for that."""
        format_ = "\n".join(f"#{{{name}}}" for name in names)
        return self._tmux("display-message", "-p", format_).splitlines()

    def shows(self, *texts: str) -> str:
        """Wait until all these texts are to be seen at once, and return the screen."""
        self.until(lambda: all(text in self.text for text in texts))
        return self.text

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, self.text
            time.sleep(LOOK_S)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *words],
            capture_output=True,
            text=True,
            check=True,
            env=self._environment,
        )
        return done.stdout
