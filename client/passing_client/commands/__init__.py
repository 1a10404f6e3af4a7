"""The client's own sub-commands, one module each; see passing_client.command for their shape."""
