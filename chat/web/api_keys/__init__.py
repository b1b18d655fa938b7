"""The page on which members manage their API keys."""
