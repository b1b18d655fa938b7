"""Define what the emulated model says and does."""
