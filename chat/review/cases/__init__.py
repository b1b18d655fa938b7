"""Manage the review queue: flags, the cases that collect them, and rules that create flags."""
