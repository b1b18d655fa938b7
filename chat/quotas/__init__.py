"""Limit and record what users consume. Knows keys and numbers, but nothing of chats."""
