"""The train as a round left it, and what the boneyard held."""
