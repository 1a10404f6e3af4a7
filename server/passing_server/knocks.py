"""How often the machines of a network connect: none may without end, whoever it is."""

from passing_protocol.errors import RequestRefused
from passing_server.allowance import Allowances
from passing_server.denials import LOOPBACK, plain_address
from passing_server.limits import KNOCK_BURST, KNOCKS_PER_S


class Knocks:
    """Count the connections of each address, of the newest, before it is asked who they are."""

    def __init__(self) -> None:
        """Begin with none."""
        self._each = Allowances(KNOCK_BURST, KNOCKS_PER_S)

    def takes(self, now: int, address: str) -> bool:
        """Tell whether an address may connect once more; this machine always may."""
        plain = plain_address(address)
        if plain == LOOPBACK:
            return True
        try:
            self._each.spend(now, plain.encode())
        except RequestRefused:
            return False
        return True
