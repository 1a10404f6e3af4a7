"""The server: sessions, lobby and tables in a pure core, and one thin socket loop around it."""
