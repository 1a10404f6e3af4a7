"""What the keys do, and the commands that can be typed."""
