"""What the emulated model says and does."""
