"""Who may import what, where the import contracts in pyproject.toml cannot say it."""

import sys

import pytest

from tests.support.sources import Source, code, is_below, package

EFFECTS = (
    "asyncio",
    "random",
    "secrets",
    "select",
    "socket",
    "sqlite3",
    "subprocess",
    "time",
    "zmq",
)
"""Modules that talk to the world outside, or take chance or time from it."""

SERVER_SHELL = (
    "passing_server.access_file",
    "passing_server.answering",
    "passing_server.asking",
    "passing_server.commands",
    "passing_server.ending",
    "passing_server.exporting",
    "passing_server.guest_log",
    "passing_server.housekeeping",
    "passing_server.joining",
    "passing_server.log",
    "passing_server.loop",
    "passing_server.observing",
    "passing_server.origins",
    "passing_server.remembered",
    "passing_server.serving",
    "passing_server.sqlite_file",
    "passing_server.sqlite_history",
    "passing_server.sqlite_store",
    "passing_server.sqlite_tables",
    "passing_server.state_folder",
    "passing_server.token_file",
    "passing_server.waiting",
)
"""The server's modules that do input and output; all others of it are its pure core."""

SPEAKS_ZEROMQ = ("passing_link", "passing_server.loop")


def offenders(sources: list[Source], *forbidden: str) -> list[str]:
    return [
        f"{source} imports {name}"
        for source in sources
        for name in sorted(source.imports())
        if is_below(name, *forbidden)
    ]


def server_core() -> list[Source]:
    return [
        source for source in package("passing_server") if not is_below(source.module, *SERVER_SHELL)
    ]


def test_sources_are_found() -> None:
    packages = {source.module.split(".")[0] for source in code()}
    assert packages == {
        "passing_bots",
        "passing_client",
        "passing_link",
        "passing_protocol",
        "passing_rules",
        "passing_server",
        "passing_table",
    }


def test_rules_import_only_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"passing_rules"}
    foreign = {
        f"{source} imports {name}"
        for source in package("passing_rules")
        for name in source.imports()
        if name.split(".")[0] not in allowed
    }
    assert not foreign


def test_rules_protocol_and_table_are_pure() -> None:
    assert not offenders(package("passing_rules", "passing_protocol", "passing_table"), *EFFECTS)


def test_server_core_is_pure() -> None:
    assert not offenders(server_core(), *EFFECTS)


def test_server_core_knows_nothing_of_its_shell() -> None:
    assert not offenders(server_core(), *SERVER_SHELL)


def test_only_the_link_and_the_servers_loop_import_zmq() -> None:
    others = [source for source in code() if not is_below(source.module, *SPEAKS_ZEROMQ)]
    assert not offenders(others, "zmq")


def test_only_the_client_imports_prompt_toolkit() -> None:
    others = [source for source in code() if not is_below(source.module, "passing_client")]
    assert not offenders(others, "prompt_toolkit")


PANELS = "passing_client.screen.panels"


def test_panels_of_the_screen_do_not_import_one_another() -> None:
    """What several of them need is in `screen/parts.py`, `screen/acts.py` or `words`."""
    sources = [source for source in code() if source.module.startswith(f"{PANELS}.")]
    names = sorted({panel_of(source.module) for source in sources})
    assert len(names) > 10
    for name in names:
        own = [source for source in sources if panel_of(source.module) == name]
        others = [f"{PANELS}.{other}" for other in names if other != name]
        assert not offenders(own, *others)


def panel_of(module: str) -> str:
    return module.removeprefix(f"{PANELS}.").partition(".")[0]


def test_nothing_installed_imports_its_tests() -> None:
    assert not offenders(list(code()), "tests", "pytest", "hypothesis")


@pytest.mark.parametrize("name", ["zmq", "zmq.asyncio", "socket"])
def test_a_module_is_below_itself_and_its_parents(name: str) -> None:
    assert is_below(name, *EFFECTS)


@pytest.mark.parametrize("name", ["zmqs", "timeit", "passing_link.time"])
def test_a_module_is_not_below_its_like(name: str) -> None:
    assert not is_below(name, *EFFECTS)
