"""The server's sub-commands, one module each, found through entry points."""
