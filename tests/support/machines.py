"""Separate machines on one cable: network namespaces that are joined by a bridge in another.

Each machine has its own addresses, loopback and routes, so what passes between two of them passes
over the bridge, where it can be seen, and a machine's cable can be pulled.
"""

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

_BRIDGE = "br0"
_numbers = itertools.count(1)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


@dataclass(frozen=True, slots=True)
class Machine:
    """Hold one namespace: its name, its address on the cable, and a home of its own."""

    name: str
    address: str
    home: Path

    @property
    def inside(self) -> list[str]:
        """Return what a command line begins with to run on this machine."""
        return ["ip", "netns", "exec", self.name]

    @property
    def cable(self) -> str:
        """Return the interface at the bridge by which all passes that it sends and hears."""
        return self.name

    @property
    def environment(self) -> dict[str, str]:
        """Return what to add to the environment of a person's programs there."""
        return {"HOME": str(self.home), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "LANG": "C"}

    def run(self, *words: str, timeout_s: float = 30.0) -> "subprocess.CompletedProcess[str]":
        """Run `passing` there to its end."""
        return subprocess.run(
            [*self.inside, sys.executable, "-m", "passing_client", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
            env=os.environ | self.environment,
        )


class Network:
    """Hold machines on one bridge."""

    def __init__(self, switch: str, machines: list[Machine]) -> None:
        self.machines = machines
        self._switch = switch

    @property
    def at_the_bridge(self) -> list[str]:
        """Return what a command line begins with to run where all that is sent comes by."""
        return ["ip", "netns", "exec", self._switch]

    def pull(self, machine: Machine) -> None:
        """Pull a machine's cable: nothing comes or goes, and it is told nothing."""
        _ip("-n", self._switch, "link", "set", machine.cable, "nomaster")

    def plug(self, machine: Machine) -> None:
        """Put the cable back."""
        _ip("-n", self._switch, "link", "set", machine.cable, "master", _BRIDGE)


def why_no_machines() -> str | None:
    """Return why no namespaces can be made here, None where they can."""
    if shutil.which("ip") is None:
        return "network namespaces need the program ip (iproute2)"
    try:
        with _namespace(f"pg{os.getpid()}-try"):
            return None
    except OSError as error:
        return f"network namespaces are not allowed here: {error}"


@contextmanager
def _namespace(name: str) -> Generator[None]:
    _ip("netns", "add", name)
    try:
        _ip("-n", name, "link", "set", "lo", "up")
        yield
    finally:
        _ip("netns", "del", name)


@contextmanager
def machines(folder: Path, count: int) -> Generator[Network]:
    """Give so many machines that reach each other; raises OSError where that is not allowed.

    They are 10.28.66.1 and on, with link-local IPv6 addresses as well.
    """
    tag = f"pg{os.getpid()}-{next(_numbers)}"
    switch = f"{tag}-s"
    with ExitStack() as stack:
        stack.enter_context(_namespace(switch))
        _ip("-n", switch, "link", "add", _BRIDGE, "type", "bridge")
        _ip("-n", switch, "link", "set", _BRIDGE, "up")
        made: list[Machine] = []
        for number in range(1, count + 1):
            name = f"{tag}-{number}"
            stack.enter_context(_namespace(name))
            machine = Machine(name, f"10.28.66.{number}", folder / name)
            _connect(machine, switch)
            made.append(machine)
        yield Network(switch, made)


def _connect(machine: Machine, switch: str) -> None:
    ends = ("link", "add", machine.cable, "netns", switch, "type", "veth")
    _ip(*ends, "peer", "name", "eth0", "netns", machine.name)
    _ip("-n", switch, "link", "set", machine.cable, "master", _BRIDGE)
    _ip("-n", switch, "link", "set", machine.cable, "up")
    _ip("-n", machine.name, "addr", "add", f"{machine.address}/24", "broadcast", "+", "dev", "eth0")
    _ip("-n", machine.name, "link", "set", "eth0", "up")
