"""Helpers for the tests of the purge."""

from chat.generations.deletion import purge


def sweep() -> int:
    """Run the purge completely; return the number of steps."""
    return sum(1 for _ in purge.steps())
