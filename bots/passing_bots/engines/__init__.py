"""The engines that come with the game, each a small file."""
