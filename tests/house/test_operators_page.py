"""The page for operators and the unit for systemd say what is so."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from passing_client.command_tree import CommandTree
from passing_protocol.messages import StatusReport
from tests.support.sources import ROOT

PAGE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
UNIT = ROOT / "packaging" / "passing-game.service"
_TOLD = re.compile(r'\.tell\(\s*"(\w+)"')


def test_every_event_of_the_log_is_on_the_page() -> None:
    table = PAGE.partition("## The log")[2]
    on_page = {name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in row.split("`")}
    logged = {
        event
        for name in ("serving", "observing", "housekeeping")
        for event in _TOLD.findall(
            (ROOT / "server" / "passing_server" / f"{name}.py").read_text(encoding="utf-8")
        )
    }
    assert len(logged) > 8
    assert logged | {"event"} == {name for name in on_page if re.fullmatch(r"\w+", name)}


def test_every_field_of_a_status_is_on_the_page() -> None:
    fields = {field.name for field in msgspec.structs.fields(StatusReport)} - {"seq", "re"}
    assert not [field for field in fields if f"`{field}`" not in PAGE]


def test_its_commands_are_there() -> None:
    parser = CommandTree.installed().parser_for()
    for words in (["status", "--json"], ["drain", "--grace", "5"], ["export", "--out", "-"]):
        assert f"`{words[0]}`" in PAGE or f"serve {words[0]}" in PAGE
        assert parser.parse_args(["serve", "--state", "x", *words]).state == "x"


def test_the_unit_runs_a_command_that_is_there() -> None:
    unit = configparser.RawConfigParser(strict=False, allow_no_value=True)
    unit.read(UNIT, encoding="utf-8")
    program, *words = unit["Service"]["ExecStart"].split()
    assert Path(program).name == "passing"
    arguments = CommandTree.installed().parser_for(words).parse_args(words)
    assert arguments.state == f"/var/lib/{unit['Service']['StateDirectory']}"
    assert unit["Service"]["Restart"] == "on-failure"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8")
    copy.write_text(text.replace("/opt/passing/bin/passing", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert UNIT.name not in done.stderr, done.stderr
