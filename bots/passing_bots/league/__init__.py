"""Leagues: many games among engines, on many tables at once, and what comes out of them."""
