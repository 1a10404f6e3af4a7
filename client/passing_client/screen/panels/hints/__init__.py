"""The bar of keys at the bottom."""
