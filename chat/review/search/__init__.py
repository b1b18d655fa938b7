"""Search conversations by filters and keywords, returning IDs only; and save searches."""
