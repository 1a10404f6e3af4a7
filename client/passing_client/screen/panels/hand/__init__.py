"""One's own hand: every tile, and a mark under each that fits."""
