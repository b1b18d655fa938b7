"""Answer requests of people for a copy of their data, or for its erasure."""
