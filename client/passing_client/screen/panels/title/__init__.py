"""The line at the top: the table, the round, the boneyard and the time that is left."""
