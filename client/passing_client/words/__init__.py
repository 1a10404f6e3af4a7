"""Sentences for people: codes, events and views come in, and lines of text go out."""
