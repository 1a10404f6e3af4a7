"""What every test shares: how hypothesis searches, and that everything speaks English."""

import atexit
import os
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from passing_client import language

# No deadline: a shared machine may stop any example for a second.
settings.register_profile("passing", deadline=None, max_examples=25)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("passing")

# Whoever tests under nohup, or in the background of a script, tests these signals all the same.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Whoever tests in another locale reads the same; it counts for what a test starts as well.
os.environ["LC_ALL"] = "C.UTF-8"

# Whoever wants nothing compiled beside the sources gets it elsewhere: tests start many programs.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    compiled = tempfile.TemporaryDirectory(prefix="compiled-")
    os.environ["PYTHONPYCACHEPREFIX"] = compiled.name
    atexit.register(compiled.cleanup)

LONG = {"e2e", "simulation"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the files that take longest begin, so that nobody waits for them alone at the end."""
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


@pytest.fixture(scope="session", autouse=True)
def nobodys_data(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let clients keep records of games and keys elsewhere than those of whoever tests."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak English again after a test of another language."""
    monkeypatch.setenv("LANGUAGE", "")
    yield
    language.use("en")
