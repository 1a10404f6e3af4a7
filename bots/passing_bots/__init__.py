"""Engines, and the kit to write one; an engine is a client that answers when it is asked."""
