"""What the README shows is what happens."""

import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

from tests.house.readme import README
from tests.support.sources import ROOT

_PLAY = re.compile(r"<!-- play: passing (.*?) -->\n```text\n(.*?)```\n", re.DOTALL)
_ENGINE = re.compile(r"<!-- engine -->\n```python\n(.*?)```\n", re.DOTALL)


@contextmanager
def running(arguments: list[str]) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "passing_client", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0


def test_the_transcript_of_play_is_what_is_printed() -> None:
    text = README.read_text(encoding="utf-8")
    (command, transcript), *_ = _PLAY.findall(text)
    with running(command.split()) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        for line in transcript.splitlines():
            if line.startswith("> "):
                game.stdin.write(line.removeprefix("> ") + "\n")
                game.stdin.flush()
            else:
                assert game.stdout.readline().rstrip("\n") == line


def test_the_engine_is_the_one_that_its_page_explains_and_tests() -> None:
    (engine,) = _ENGINE.findall(README.read_text(encoding="utf-8"))
    assert engine in (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
