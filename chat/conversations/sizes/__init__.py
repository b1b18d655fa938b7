"""Limit the size of messages and conversations, and the storage per user."""
