"""The hands of a replay, as whoever's eyes are used sees them."""
