"""Who sits at the table: a line each with tiles, points and what was done last."""
