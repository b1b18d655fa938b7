"""Timers that are moved often and set rarely."""
