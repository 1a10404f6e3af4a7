"""The image and the composition ask for no more than they need, and say what our commands take."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from argparse import Namespace
from functools import cache
from importlib import metadata
from pathlib import Path, PurePosixPath

import msgspec
import pytest

from passing_client.command_tree import CommandTree
from passing_link import connection_file
from passing_link.address import DEFAULT_PORT, Address
from tests.support.sources import ROOT

COMPOSITION = ROOT / "docker-compose.yml"
SCRIPT = ROOT / "tests/e2e/compose.sh"
_DEFAULT = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


class HealthCheck(msgspec.Struct, forbid_unknown_fields=True):
    """Hold how it is found out whether a service is well."""

    test: list[str]
    interval: str
    timeout: str
    retries: int
    start_period: str


class Dependency(msgspec.Struct, forbid_unknown_fields=True):
    """Hold what a service waits for."""

    condition: str
    restart: bool = False


class Service(msgspec.Struct, forbid_unknown_fields=True):
    """Hold all that a service of ours may say: no other key, `privileged` say, is read at all."""

    image: str
    build: str
    command: list[str]
    read_only: bool
    tmpfs: list[str]
    cap_drop: list[str]
    security_opt: list[str]
    mem_limit: str
    pids_limit: int
    stop_grace_period: str
    restart: str | None = None
    ports: list[str] = []
    volumes: list[str] = []
    environment: dict[str, str | None] = {}
    healthcheck: HealthCheck | None = None
    depends_on: dict[str, Dependency] = {}
    profiles: list[str] = []
    stdin_open: bool = False
    tty: bool = False


class Composition(msgspec.Struct, forbid_unknown_fields=True):
    """Hold the whole composition."""

    services: dict[str, Service]
    volumes: dict[str, None]
    role: object = msgspec.field(name="x-role")
    engine: object = msgspec.field(name="x-engine")


class ProjectTable(msgspec.Struct, rename="kebab"):
    """Hold what the project file says of the project."""

    readme: str
    license_files: list[str]
    requires_python: str


class Wheel(msgspec.Struct, rename="kebab"):
    """Hold what is installed."""

    packages: list[str]
    force_include: dict[str, str]


@cache
def services() -> dict[str, Service]:
    return msgspec.yaml.decode(COMPOSITION.read_bytes(), type=Composition).services


SERVICES = ("server", "greedy", "careful", "client")
ENGINES = ("greedy", "careful")


def parsed(words: list[str]) -> Namespace:
    """Read a command line as `passing` does; what it does not take ends the test."""
    return CommandTree.installed().parser_for(words).parse_args(words)


def instructions(name: str) -> list[str]:
    """What the Dockerfile says after a word, with continued lines as one."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [" ".join(line.split()[1:]) for line in text.splitlines() if line.split()[:1] == [name]]


def copied() -> set[str]:
    """What of this folder goes into the image's making."""
    found = (words.split()[:-1] for words in instructions("COPY") if "--from=" not in words)
    return {source for sources in found for source in sources}


# --- the composition ----------------------------------------------------------------------------


def test_the_composition_is_a_server_two_engines_and_a_client() -> None:
    assert tuple(services()) == SERVICES


def test_it_is_the_only_composition() -> None:
    others = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.override.yml")
    assert not [name for name in others if (ROOT / name).exists()]


def test_nothing_is_published_but_the_servers_port_on_the_loopback() -> None:
    published = {name: service.ports for name, service in services().items() if service.ports}
    assert list(published) == ["server"]
    place = f"127.0.0.1:{DEFAULT_PORT}:{DEFAULT_PORT}"
    ports = [_DEFAULT.sub(r"\1", port) for port in published["server"]]
    assert ports == [f"{place}/tcp", f"{place}/udp"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_no_more_than_it_has_to(name: str) -> None:
    service = services()[name]
    assert service.read_only
    assert service.cap_drop == ["ALL"]
    assert service.security_opt == ["no-new-privileges:true"]
    assert service.mem_limit
    assert service.pids_limit
    # Nothing of the machine's own is lent to it: a volume has a name and no path.
    assert not [volume for volume in service.volumes if not re.match("[a-z]+:/state", volume)]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_says_a_command_that_we_have(name: str) -> None:
    assert callable(parsed(services()[name].command).passing_runner)


def test_the_health_check_greets_the_server_as_a_program_of_its_machine() -> None:
    check = services()["server"].healthcheck
    assert check is not None
    kind, program, *words = check.test
    assert kind == "CMD"
    assert program in instructions("ENTRYPOINT")[0]
    arguments = parsed(words)
    assert arguments.quiet
    folder = parsed(services()["server"].command).state
    assert arguments.connection == str(PurePosixPath(folder) / connection_file.NAME)


def test_the_server_is_encrypted_on_every_address_of_its_container() -> None:
    arguments = parsed(services()["server"].command)
    assert arguments.lan
    assert arguments.port == DEFAULT_PORT
    assert not arguments.insecure_plaintext
    assert [arguments.state] == instructions("VOLUME")


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_reads_the_token_that_the_server_has_written(name: str) -> None:
    service = services()[name]
    arguments = parsed(service.command)
    folder = parsed(services()["server"].command).state
    assert arguments.spec == name
    assert name in metadata.entry_points(group="passing_game.bots").names
    assert arguments.connection == str(PurePosixPath(folder) / connection_file.NAME)
    assert services()["server"].volumes == [f"state:{folder}"]
    assert service.volumes == [f"state:{folder}:ro"]


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_comes_back_after_its_server(name: str) -> None:
    service = services()[name]
    assert service.restart == services()["server"].restart == "unless-stopped"
    assert service.depends_on["server"].restart


@pytest.mark.parametrize("name", [*ENGINES, "client"])
def test_who_goes_to_the_server_waits_for_it_and_finds_it_by_its_name(name: str) -> None:
    service = services()[name]
    assert service.depends_on["server"].condition == "service_healthy"
    arguments = parsed(service.command)
    text: str = arguments.host if name == "client" else arguments.address
    assert Address.parse(text) == Address("server", DEFAULT_PORT)


def test_the_client_is_started_on_demand_and_has_no_part_in_the_servers_state() -> None:
    client = services()["client"]
    assert client.profiles
    assert client.restart is None
    (volume,) = client.volumes
    assert volume == f"person:{instructions('VOLUME')[0]}"
    assert set(client.environment) == {
        "PASSING_CODE",
        "PASSING_NAME",
        "PASSING_RECORDS",
        "PASSING_SERVER",
    }
    assert client.stdin_open
    assert client.tty
    assert not [
        name for name, service in services().items() if service.profiles and name != "client"
    ]


# --- the image ----------------------------------------------------------------------------------


def test_the_image_is_of_the_python_that_we_are_tested_with() -> None:
    least = project().requires_python.removeprefix(">=")
    bases = {words.split()[0] for words in instructions("FROM")}
    assert bases == {f"python:{least}-slim"}


def test_the_image_runs_our_command_as_nobody_special() -> None:
    user, group = map(int, instructions("USER")[-1].split(":"))
    assert user > 0
    assert group > 0
    (made,) = (words for words in instructions("RUN") if "useradd" in words)
    assert f"--uid {user} " in made
    assert f"--gid {group} " in made
    (entry,) = instructions("ENTRYPOINT")
    assert json.loads(entry) == ["passing"]
    assert instructions("EXPOSE") == [f"{DEFAULT_PORT}/tcp {DEFAULT_PORT}/udp"]


def test_nothing_is_handed_to_the_image_that_it_would_keep() -> None:
    assert instructions("ARG") == []
    assert instructions("ADD") == []
    assert [words.partition("=")[0] for words in instructions("ENV")] == ["PATH"]


def test_only_what_is_built_from_is_sent_to_the_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule.removeprefix("!") for rule in rules if rule.startswith("!")} == copied()


def test_all_that_the_package_is_made_of_is_copied() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    hatch = tomllib.loads(text)["tool"]["hatch"]
    wheel = msgspec.convert(hatch["build"]["targets"]["wheel"], Wheel)
    needed = {Path(source).parts[0] for source in (*wheel.packages, *wheel.force_include)}
    files = {"pyproject.toml", project().readme, *project().license_files}
    assert needed | files == copied()


def project() -> ProjectTable:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["project"], ProjectTable)


# --- the script that tries it all ---------------------------------------------------------------


def test_the_script_can_be_run() -> None:
    assert os.access(SCRIPT, os.X_OK)
    subprocess.run(["bash", "-n", SCRIPT], check=True)


def test_the_script_says_why_it_cannot_run(tmp_path: Path) -> None:
    for tool in ("bash", "dirname", "mktemp", "rm"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    done = subprocess.run(
        [SCRIPT], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 77
    assert done.stdout.startswith("skipped: no Docker engine")
