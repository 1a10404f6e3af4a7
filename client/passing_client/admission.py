"""Be let in at a server by its code or by the keys that are kept, and tell why where that fails.

It imports sockets, so it is imported late.
"""

from dataclasses import dataclass
from pathlib import Path

from passing_client.asking import CodeWanted
from passing_client.entry import Entry
from passing_client.language import _
from passing_client.words.denials import asking_sentence, denied_sentence
from passing_client.words.links import cannot_reach_sentence, turned_away_sentence
from passing_link.address import Address
from passing_link.admitting import find_security
from passing_link.denials import BY_CODE, AccessDenied, CodeNotTaken, NotAdmitted
from passing_link.exits import CommandFailed, ExitCode
from passing_link.keys import Security
from passing_link.known_servers import KnownServers, KnownServersDamaged, client_folder
from passing_link.news import CannotReach, LinkError, TurnedAway
from passing_protocol.messages import Welcome


@dataclass(frozen=True, slots=True)
class Admission:
    """Hold what it takes to speak to a server, None for in the clear.

    `is_new` tells that its key was not known before. `elsewhere` are the addresses where it was
    reached before, for one that was never reached at this: that it is here may be false.
    """

    entry: Entry
    security: Security | None
    is_new: bool
    elsewhere: tuple[Address, ...] = ()

    @property
    def kept_in(self) -> Path:
        """Return the file that holds the keys."""
        return self._known.path

    @property
    def _known(self) -> KnownServers:
        return KnownServers(client_folder(self.entry.profile))

    def is_open(self, welcome: Welcome) -> bool:
        """Tell whether what is said at the server that greets so can be read on the way.

        A server may say so itself. Who poses as one would not, so at another machine nobody is
        asked.
        """
        return self.security is None and (welcome.open_to_all or not self.entry.address.is_loopback)

    def note_visit(self, server: str) -> None:
        """Keep where the server was reached, and what it calls itself; it has proved its key."""
        if self.security is None:
            return
        try:
            self._known.visited(self.entry.address, self.security.server_key, server)
        except OSError as error:
            raise _not_kept(self.kept_in, error) from error


def admit(entry: Entry, name: str) -> Admission:
    """Find out how a server is spoken to, joining it under `name` where there is a code.

    Waits for up to some seconds. Raises CommandFailed, with CodeWanted among it.
    """
    known = KnownServers(client_folder(entry.profile))
    try:
        before = {server.server_key: server.places for server in known.all()}
        security = find_security(entry.address, entry.code, known, name)
    except LinkError as error:
        raise failure_of(error, entry.address) from error
    except KnownServersDamaged as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from error
    except OSError as error:
        raise _not_kept(known.path, error) from error
    if security is None:
        return Admission(entry, None, is_new=False)
    places = before.get(security.server_key, ())
    elsewhere = () if entry.address.plain in places else places
    is_new = security.server_key not in before
    return Admission(entry, security, is_new, elsewhere)


def failure_of(error: LinkError, address: Address, *, gave_code: bool = False) -> CommandFailed:
    """Return how a command ends that could not get in at a server.

    Whoever `gave_code` that was taken has a key that is known, so then it was not taken.
    """
    if isinstance(error, NotAdmitted) and gave_code:
        error = CodeNotTaken(error.place)
    if isinstance(error, AccessDenied):
        sentence = denied_sentence(error)
        if isinstance(error, BY_CODE):
            return CodeWanted(sentence, asking_sentence(error))
        return CommandFailed(ExitCode.REFUSED, sentence)
    if isinstance(error, TurnedAway):
        return CommandFailed(ExitCode.REFUSED, turned_away_sentence(error))
    if isinstance(error, CannotReach):
        return CommandFailed(ExitCode.UNREACHABLE, cannot_reach_sentence(error, address))
    return CommandFailed(ExitCode.UNREACHABLE, str(error))


def _not_kept(file: Path, error: OSError) -> CommandFailed:
    text = _("{file}: the keys of servers cannot be kept there: {reason}.")
    told = text.format(file=file, reason=error.strerror)
    return CommandFailed(ExitCode.UNEXPECTED, told)
