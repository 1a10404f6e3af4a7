"""The panel of the servers that were found, to choose one."""
