"""The server: a pure core of sessions and tables, and one thin loop that moves its bytes."""
