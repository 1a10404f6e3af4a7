"""What everybody held when a round ended, and what it was worth."""
