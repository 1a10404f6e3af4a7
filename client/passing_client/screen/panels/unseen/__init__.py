"""The tiles that are not on the table yet, and how often each number is among them."""
