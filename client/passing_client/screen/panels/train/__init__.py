"""The train: every tile from the left end to the right, wrapped as text is."""
