"""Share read-only copies of conversations by link, with people who have no account."""
