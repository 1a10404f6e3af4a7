"""The engines' sub-commands, one module each, found through entry points."""
