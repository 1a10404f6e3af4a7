"""What is to be done now, and the line for typing below it."""
