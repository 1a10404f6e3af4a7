"""Who is shown what one could remember of a round: the passes, and the tiles that are still out."""

from passing_client.screen.scene import Scene


def may_see_memory(scene: Scene) -> bool:
    """Tell whether the screen remembers for the person at the table.

    For watchers it does, for players where the table's owner has said so (option `memory`).
    """
    table = scene.desk.table
    return table is not None and (table.seat is None or bool(table.view.table.memory))
