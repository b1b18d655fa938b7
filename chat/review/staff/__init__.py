"""Decide which staff may read whose messages, and whether they learn whose they are."""
