"""Which table of the list is chosen; it stays chosen while others come and go."""

from passing_client.screen.scene import Scene


class Rows:
    """Choose a table of the list in the scene; `table` is the server's name for it."""

    def __init__(self, scene: Scene) -> None:
        """Keep the scene whose row this is."""
        self._scene = scene
        self.table = ""

    def move(self, step: int) -> None:
        """Choose the table before or after the chosen one, round and round."""
        count = len(self._scene.desk.tables)
        if count:
            self.choose((self._scene.row + step) % count)

    def choose(self, row: int) -> None:
        """Choose a row, counted from 0, if there is one."""
        tables = self._scene.desk.tables
        if row < len(tables):
            self.table, self._scene.row = tables[row].table, row

    def keep(self) -> None:
        """Stay on the same table, or near where it was once it is gone."""
        names = [table.table for table in self._scene.desk.tables]
        if self.table in names:
            self._scene.row = names.index(self.table)
        elif names:
            self.choose(min(self._scene.row, len(names) - 1))
        else:
            self.table, self._scene.row = "", 0
