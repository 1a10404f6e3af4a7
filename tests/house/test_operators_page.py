"""The page for operators and the unit for systemd say what is so."""

import configparser
import io
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from passing_client.command_tree import CommandTree
from passing_link.connection_file import ConnectionFile
from passing_link.environment import TOKEN_VARIABLE, security_from
from passing_link.keys import KeyPair
from passing_protocol.messages import StatusReport
from passing_server.log import Log
from passing_server.token_file import NAME, kept_tokens
from tests.support.sources import ROOT

PAGE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
UNIT = ROOT / "packaging" / "passing-game.service"
ENGINE_UNIT = ROOT / "packaging" / "passing-engine@.service"
_TOLD = re.compile(r'\.tell\(\s*"(\w+)"')


def test_every_event_of_the_log_is_on_the_page() -> None:
    table = PAGE.partition("## The log")[2]
    on_page = {name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in row.split("`")}
    logged = {
        event
        for name in (
            "answering",
            "guest_log",
            "housekeeping",
            "observing",
            "serving",
            "token_file",
            "waiting",
        )
        for event in _TOLD.findall(
            (ROOT / "server" / "passing_server" / f"{name}.py").read_text(encoding="utf-8")
        )
    }
    assert len(logged) > 8
    assert logged | {"event"} == {name for name in on_page if re.fullmatch(r"\w+", name)}


def test_every_field_of_a_status_is_on_the_page() -> None:
    fields = {field.name for field in msgspec.structs.fields(StatusReport)} - {"seq", "re"}
    assert not [field for field in fields if f"`{field}`" not in PAGE]


def unit(path: Path = UNIT) -> configparser.RawConfigParser:
    read = configparser.RawConfigParser(strict=False, allow_no_value=True)
    read.read(path, encoding="utf-8")
    return read


def commands(text: str) -> list[str]:
    """Every command line in a text: in blocks of `sh` and `text`, and within lines."""
    blocks = "\n".join(re.findall(r"^```(?:sh|text)\n(.*?)^```", text, re.M | re.S))
    typed = [line.removeprefix("$ ") for line in blocks.splitlines()]
    inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [line for line in [*typed, *inline] if re.search(r"(?:^|\W)passing [a-z]", line)]


def test_its_commands_are_there() -> None:
    parser = CommandTree.installed().parser_for()
    found = commands(PAGE)
    assert len(found) > 6
    for line in found:
        words = line.replace("DIR", "x").partition("passing ")[2].split()
        CommandTree.installed().parser_for(words).parse_args(words)
    for words in (["status", "--json"], ["drain", "--grace", "5"], ["export", "--out", "-"]):
        assert f"`{words[0]}`" in PAGE or f"serve {words[0]}" in PAGE
        assert parser.parse_args(["serve", "--state", "x", *words]).state == "x"


def test_a_service_is_asked_with_the_program_that_was_installed() -> None:
    """It is on nobody's path."""
    section = PAGE.partition("## As a service")[2].partition("In the composition")[0]
    program, _, *state = unit()["Service"]["ExecStart"].split()
    asked = [line for line in commands(section) if "serve" in line]
    assert asked == [f"sudo {program} serve status {' '.join(state)}"]
    venv = Path(program).parent.parent
    assert f"python3 -m venv {venv}" in section
    for unit_file in (UNIT, ENGINE_UNIT):
        assert f"install -m 0644 packaging/{unit_file.name} /etc/systemd/system/" in section


def test_the_engines_unit_runs_a_command_that_is_there_with_the_token_of_the_page() -> None:
    service = unit(ENGINE_UNIT)["Service"]
    program, *words = service["ExecStart"].replace("%i", "greedy").split()
    assert program == unit()["Service"]["ExecStart"].split()[0]
    arguments = CommandTree.installed().parser_for(words).parse_args(words)
    assert (arguments.spec, arguments.address) == ("greedy", "localhost")
    assert f"/dev/stdin {service['EnvironmentFile']}" in PAGE
    assert f"enable --now {ENGINE_UNIT.name.removesuffix('.service')}greedy" in PAGE


def test_the_token_of_the_page_is_the_bots(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path, Log(io.StringIO(), as_json=False))
    (script,) = re.findall(r"^sudo sed '(.*)' ", PAGE, re.M)
    done = subprocess.run(
        ["sed", script, str(tmp_path / NAME)], capture_output=True, text=True, check=True
    )
    assert done.stdout.rstrip("\n") == f"{TOKEN_VARIABLE}={tokens['bot']}"


def test_the_keys_of_the_page_are_those_of_the_connection_file(tmp_path: Path) -> None:
    file = ConnectionFile("x:1", KeyPair.new().public, 1, {"bot": "b" * 32}, KeyPair.new().secret)
    file.write(tmp_path / "server.json")
    (script,) = re.findall(r"^sudo sed -n '(.*?)' ", PAGE, re.M | re.S)
    done = subprocess.run(
        ["sed", "-n", script, str(tmp_path / "server.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    told = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert security_from(told) == file.security


def test_an_engine_may_do_no_more_than_the_server() -> None:
    own = {"execstart", "environmentfile", "restart", "restartsec"}  # in lower case, as read
    server, engine = unit()["Service"], unit(ENGINE_UNIT)["Service"]
    assert {key for key in engine if server.get(key) != engine[key]} == own


def test_the_unit_runs_a_command_that_is_there() -> None:
    service = unit()["Service"]
    program, *words = service["ExecStart"].split()
    assert Path(program).name == "passing"
    arguments = CommandTree.installed().parser_for(words).parse_args(words)
    assert arguments.state == f"/var/lib/{service['StateDirectory']}"


def test_the_unit_is_started_again_for_ever_and_the_page_says_how_soon() -> None:
    service = unit()["Service"]
    assert service["Restart"] == "on-failure"
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"
    assert f"after {service['RestartSec']} s and as often as it takes" in PAGE.replace("\n", " ")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("path", [UNIT, ENGINE_UNIT])
def test_systemd_takes_the_unit(tmp_path: Path, path: Path) -> None:
    copy = tmp_path / path.name.replace("@", "@greedy")
    text = path.read_text(encoding="utf-8")
    copy.write_text(text.replace("/opt/passing/bin/passing", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert copy.name not in done.stderr, done.stderr
