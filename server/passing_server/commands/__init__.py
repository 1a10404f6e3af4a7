"""The server's commands, each one file."""
