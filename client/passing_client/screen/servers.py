"""What keys do with the servers that were found."""

from passing_client.entry import Place, place_named
from passing_client.screen.scene import Scene
from passing_client.words.links import bad_address_sentence, bad_code_sentence
from passing_link.address import Address, InvalidAddress
from passing_link.exits import ExitCode
from passing_protocol.join_codes import InvalidCode


class Servers:
    """Choose a server of the list in a scene; it stays chosen while others come and go."""

    def __init__(self, scene: Scene) -> None:
        """Work on a scene."""
        self._scene = scene
        self._chosen: Address | None = None

    def move(self, step: int) -> None:
        """Choose the server before or after the chosen one, round and round."""
        count = len(self._addresses)
        if count:
            self.choose((self._scene.row + step) % count)

    def choose(self, row: int) -> None:
        """Choose a row, counted from 0, if there is one."""
        if row < len(self._addresses):
            self._chosen, self._scene.row = self._addresses[row], row

    def keep(self) -> None:
        """Stay on the same server, or near where it was once it is gone."""
        addresses = self._addresses
        if self._chosen in addresses:
            self._scene.row = addresses.index(self._chosen)
        elif addresses:
            self.choose(min(self._scene.row, len(addresses) - 1))

    def go(self) -> None:
        """Go to the chosen server."""
        if self._chosen is not None:
            self._go_to(self._chosen)

    def go_to_typed(self) -> None:
        """Go to the address or link that was typed; what is none stays, and it is said why."""
        try:
            self._go_to(place_named(self._scene.typed[1:]))
        except InvalidAddress as error:
            self._scene.flash = bad_address_sentence(error)
        except InvalidCode as error:
            self._scene.flash = bad_code_sentence(error)

    def play_privately(self) -> None:
        """Play at a table of one's own, with engines."""
        if self._scene.servers is not None:
            self._scene.servers.private = True
            self._scene.desk.over = ExitCode.DONE

    def _go_to(self, place: Place) -> None:
        if self._scene.servers is not None:
            self._scene.servers.choice = place
            self._scene.desk.over = ExitCode.DONE

    @property
    def _addresses(self) -> list[Address]:
        board = self._scene.servers
        return [] if board is None else [found.address for found in board.found]
