"""Manage accounts, and log each change."""
