"""Links to a copy of what was said, for people without an account."""
