"""Whether a server answers, tried by greeting it as any client does."""

import os
from importlib import metadata
from time import monotonic

from passing_client.command_tree import DISTRIBUTION
from passing_client.diagnosis import Finding, Verdict
from passing_client.language import _
from passing_client.words.links import cannot_reach_sentence, turned_away_sentence
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.exits import ExitCode
from passing_link.news import CannotReach, TurnedAway
from passing_protocol.messages import Agent
from passing_protocol.names import clean_chat, clean_name


def server_finding(address: Address, timeout_s: float) -> tuple[Finding, ExitCode]:
    """Greet a server, leave it, and return what came of it and the exit code that says so."""
    agent = Agent("passing doctor", metadata.version(DISTRIBUTION))
    # Whoever looks at the server's people can tell the doctors apart that visit at a time.
    name = f"doctor {os.getpid()}"
    began = monotonic()
    try:
        with Connection.open(address, name=name, agent=agent, timeout_s=timeout_s) as connection:
            taken_ms = (monotonic() - began) * 1000
            server = clean_name(connection.welcome.server) or _("A server")
            text = _("{server} answers at {address} in {time} ms")
            sentence = text.format(server=server, address=address, time=f"{taken_ms:.0f}")
    except CannotReach as error:
        sentence = clean_chat(cannot_reach_sentence(error, address))
        return Finding("server", Verdict.BAD, sentence), ExitCode.UNREACHABLE
    except TurnedAway as error:
        return Finding(
            "server", Verdict.BAD, clean_chat(turned_away_sentence(error))
        ), ExitCode.REFUSED
    return Finding("server", Verdict.FINE, sentence), ExitCode.DONE
