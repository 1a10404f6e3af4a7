"""The `passing` command and the terminal client; knows only what its own seat may know."""
