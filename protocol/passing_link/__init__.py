"""The client's end of a connection, for people and engines alike; all input and output is here."""
