"""Quotas: limit and record what users consume. This package knows nothing of chats."""
