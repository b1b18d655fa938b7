"""Formats of pictures, read from their bytes."""
