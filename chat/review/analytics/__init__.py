"""Aggregate usage, cost and speed per day, without any message text."""
