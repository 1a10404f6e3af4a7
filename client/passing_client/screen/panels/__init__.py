"""The parts of the screen, a folder each: what it shows, whence that comes, how it is drawn."""
