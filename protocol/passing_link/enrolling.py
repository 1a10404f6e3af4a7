"""Have a server remember a key of ours, by the token of a join code.

The token stands for a CURVE key (see `join_codes`): whoever does not have it never finishes a
handshake. On a connection with that key there is one thing to do.
"""

from time import monotonic, sleep
from typing import Final

import zmq

from passing_link import words
from passing_link.address import Address
from passing_link.denials import CodeNotTaken, TakesNoCode, WrongCode
from passing_link.doubts import NULL, mechanism_at
from passing_link.driver import OPEN_S
from passing_link.hints import hint_for
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.news import CannotReach, TurnedAway
from passing_link.pauses import jittered
from passing_link.resolving import look_up
from passing_link.transport import Sign, Transport
from passing_protocol.codec import CodecError, decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.handshake import Enrol, Enrolled, Refused
from passing_protocol.join_codes import join_secret
from passing_protocol.messages import PROTOCOL_VERSION

AGAIN_S: Final = 1.0
"""How long to wait at most before asking a server again that takes so many clients a second."""

_VERSIONS: Final = (PROTOCOL_VERSION, PROTOCOL_VERSION)


def enrol(
    address: Address,
    server_key: str,
    token: str,
    own: KeyPair,
    name: str,
    timeout_s: float = OPEN_S,
) -> Enrolled:
    """Have the server of a public key (Z85) remember our own; returns what it takes us for.

    Raises CannotReach, CodeNotTaken, WrongCode for a server with another key, TakesNoCode for one
    without, and TurnedAway with the server's refusal. Waits for all that. Where others are let in
    before us it asks again, as long as there is time.
    """
    deadline = monotonic() + timeout_s
    join = KeyPair.of_secret(join_secret(token, key_bytes(server_key)))
    security = Security(server_key, join)
    request = Enrol(_VERSIONS, own.public, name)
    while True:
        left_s = max(0.0, deadline - monotonic())
        try:
            return _enrol_once(address, security, request, left_s)
        except TurnedAway as turned:
            pause_s = jittered(AGAIN_S)
            if turned.code is not ErrorCode.RATE_LIMITED or monotonic() + pause_s >= deadline:
                raise
            sleep(pause_s)


def _enrol_once(address: Address, security: Security, request: Enrol, timeout_s: float) -> Enrolled:
    """Ask at the numbers of a machine, one after the other; raises as `enrol` does."""
    numbers = look_up(address)
    failed: CannotReach | None = None
    for number in numbers:
        attempt = _Attempt(address, number, request)
        try:
            return attempt.make(security, timeout_s / len(numbers))
        except CannotReach as error:
            failed = error
    raise failed or CannotReach(words.no_answer(str(address), reached=False))


class _Attempt:
    """Try one number of a machine, once."""

    def __init__(self, address: Address, number: Address, request: Enrol) -> None:
        self._place = str(address)
        self._number = number
        self._request = request
        self._reached = False

    def make(self, security: Security, timeout_s: float) -> Enrolled:
        """Connect, ask, and return the answer; raises as `enrol` does."""
        deadline = monotonic() + timeout_s
        transport = Transport(self._number.endpoint, security)
        poller = zmq.Poller()
        for socket in (transport.socket, transport.monitor):
            poller.register(socket, zmq.POLLIN)
        try:
            while (left_s := deadline - monotonic()) > 0:
                poller.poll(int(left_s * 1000) + 1)
                answer = self._look(transport)
                if answer is not None:
                    return answer
        finally:
            transport.close()
        trouble = words.no_answer(self._place, self._reached, hint_for(self._number))
        raise CannotReach(words.gave_up(trouble, timeout_s))

    def _look(self, transport: Transport) -> Enrolled | None:
        """Take in what has come, and send the request once there is a connection."""
        signs = transport.signs()
        for frame in transport.frames():  # before the signs: it may have been answered and cut
            answer = self._read(frame)
            if answer is not None:
                return answer
        for sign in signs:
            if sign is Sign.AGREED:
                transport.send(encode(self._request))
            elif sign is Sign.REACHED:
                self._reached = True
            else:
                self._give_up(sign)
        return None

    def _read(self, frame: bytes) -> Enrolled | None:
        try:
            messages = decode_server(frame)
        except CodecError as error:
            raise CannotReach(words.nonsense(self._place, error.detail)) from None
        for message in messages:
            if isinstance(message, Refused):
                raise TurnedAway(message)
            if isinstance(message, Enrolled):
                return message
        return None

    def _give_up(self, sign: Sign) -> None:
        """Raise what a sign means that no answer can follow."""
        if sign is Sign.NOT_LET_IN:
            raise CodeNotTaken(self._place)
        if sign is Sign.OTHER_SECURITY:
            raise TakesNoCode(self._place)
        hung_up = self._reached and sign is not Sign.SILENT
        mechanism = mechanism_at(self._number) if hung_up else None
        if mechanism is not None:
            raise TakesNoCode(self._place) if mechanism == NULL else WrongCode(self._place)
        trouble = words.of_sign(sign, self._place, self._reached, hint_for(self._number))
        raise CannotReach(trouble.then(words.look_there()))
