"""Work that must not be lost: stored with its cause, and done later, at least once."""
