"""The full screen: one pure picture of what a person has before them, and the keys for it."""
