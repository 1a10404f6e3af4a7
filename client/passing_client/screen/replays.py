"""What keys do with a replay."""

from passing_client.replaying import Replay
from passing_client.screen.scene import ENDED, Scene
from passing_link.exits import ExitCode


class Replays:
    """Begin a replay, move through it, and leave it."""

    def __init__(self, scene: Scene) -> None:
        """Work on a scene."""
        self._scene = scene
        self._table: str | None = None

    def start(self) -> None:
        """Look again at what was just played, from the beginning of the last round on."""
        record = self._scene.desk.story.played()
        if record is not None:
            self._scene.replay = Replay(record)
            self._scene.replay.go_to_round(record.rounds[-1].number)

    def end(self) -> None:
        """Go back to the table; without one that is the end."""
        self._scene.replay = None
        if self._scene.desk.table is None:
            self._scene.desk.over = ExitCode.DONE

    def keep(self) -> None:
        """Go back to the table when it goes on, and to wherever one is when one has left it."""
        table, before = self._scene.desk.table, self._table
        self._table = None if table is None else table.id
        goes_on = table is not None and table.view.state not in ENDED
        if goes_on or self._table != before:
            self._scene.replay = None

    def go(self, steps: int) -> None:
        """Go so many steps on, or back."""
        if self._scene.replay is not None:
            self._scene.replay.go(steps)

    def next_round(self) -> None:
        """Go to the next round."""
        if self._scene.replay is not None:
            self._scene.replay.next_round()

    def previous_round(self) -> None:
        """Go to the beginning of the round, or to the round before."""
        if self._scene.replay is not None:
            self._scene.replay.previous_round()

    def turn_eyes(self, step: int) -> None:
        """See the hands with other eyes."""
        if self._scene.replay is not None:
            self._scene.replay.turn_eyes(step)
