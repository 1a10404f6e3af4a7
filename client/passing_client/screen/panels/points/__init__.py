"""The scores of the sides as bars towards the target."""
