"""The tables of a server, one a line."""
